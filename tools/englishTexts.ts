/**
 * The extension's own texts for programs that run without VS Code, in English: so nobody words them a second time. Load what has
 * them after this, by `import()`.
 */
import { registerHooks } from 'node:module';
export * as l10n from '@vscode/l10n';
/** Dates are written as the texts are. */
export const env = { language: 'en' };

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'vscode' ? { url: import.meta.url, shortCircuit: true } : next(specifier, context),
});
