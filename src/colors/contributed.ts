/** The languages, grammars and themes that the extensions of a window contribute. */
import { membersOf } from '../util/isObject.ts';

/** A language, as far as files and texts are told by it. */
export interface ContributedLanguage {
  id: string;
  /** Names in lower case that texts may call it by. */
  names: string[];
  /** In lower case, with the dot. */
  endings: string[];
  fileNames: string[];
  patterns: string[];
  firstLine?: string;
}

export interface ContributedGrammar {
  language?: string;
  scopeName: string;
  /** Absolute. */
  file: string;
  injectTo: string[];
  /** Kinds of tokens by scopes: `other` where strings are none. */
  tokenTypes: Record<string, string>;
}

export interface ContributedTheme {
  id: string;
  /** `vs`, `vs-dark`, `hc-black` or `hc-light`. */
  base: string;
  file: string;
  /** Comes with VS Code itself. */
  isDefault: boolean;
}

/** See the module. */
export interface Contributed {
  languages: ContributedLanguage[];
  grammars: ContributedGrammar[];
  themes: ContributedTheme[];
  iconThemes: { id: string; file: string }[];
}

/** An extension with what its manifest says, of which nothing is certain. */
export interface ExtensionWithManifest {
  id: string;
  folder: string;
  manifest: unknown;
}

/** Reads the manifests of extensions. @param join puts a path of a manifest behind the folder of its extension. */
export function readContributed(
  extensions: readonly ExtensionWithManifest[],
  join: (folder: string, path: string) => string,
): Contributed {
  const found: Contributed = { languages: [], grammars: [], themes: [], iconThemes: [] };
  for (const { id, folder, manifest } of extensions) {
    const contributes = membersOf(membersOf(manifest)['contributes']);
    for (const language of listOf(contributes['languages'])) {
      found.languages.push({
        id: textOf(language['id']),
        names: [textOf(language['id']), ...textsOf(language['aliases'])].map((name) => name.toLowerCase()),
        endings: textsOf(language['extensions']).map((ending) => ending.toLowerCase()),
        fileNames: textsOf(language['filenames']).map((name) => name.toLowerCase()),
        patterns: textsOf(language['filenamePatterns']),
        ...(typeof language['firstLine'] === 'string' && { firstLine: language['firstLine'] }),
      });
    }
    for (const grammar of listOf(contributes['grammars'])) {
      found.grammars.push({
        ...(typeof grammar['language'] === 'string' && { language: grammar['language'] }),
        scopeName: textOf(grammar['scopeName']),
        file: join(folder, textOf(grammar['path'])),
        injectTo: textsOf(grammar['injectTo']),
        tokenTypes: Object.fromEntries(
          Object.entries(membersOf(grammar['tokenTypes'])).map(([scope, type]) => [scope, textOf(type)]),
        ),
      });
    }
    for (const theme of listOf(contributes['themes'])) {
      found.themes.push({
        id: textOf(theme['id']) || textOf(theme['label']),
        base: textOf(theme['uiTheme']),
        file: join(folder, textOf(theme['path'])),
        isDefault: id === 'vscode.theme-defaults',
      });
    }
    for (const theme of listOf(contributes['iconThemes'])) {
      found.iconThemes.push({ id: textOf(theme['id']), file: join(folder, textOf(theme['path'])) });
    }
  }
  return found;
}

function listOf(value: unknown): Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value.map(membersOf) : [];
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}
