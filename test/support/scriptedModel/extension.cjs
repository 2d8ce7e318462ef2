/**
 * A language model that says what a test has written down for it, in the folder `PATCH_STACKS_TEST_MODEL`: `answer.json` has the parts of
 * its answer, of which null stands for waiting until there is a file `go`. All that it was sent goes into `asked.json`. Without an
 * answer there is no such model.
 */
const vscode = require('vscode');
const { existsSync, mkdirSync, readFileSync, watch, writeFileSync } = require('node:fs');
const path = require('node:path');

const folder = process.env.PATCH_STACKS_TEST_MODEL ?? '';
const file = (name) => path.join(folder, name);

const model = {
  id: 'scripted',
  name: 'Scripted Model',
  family: 'scripted',
  version: '1',
  maxInputTokens: 100_000,
  maxOutputTokens: 100_000,
  capabilities: {},
};

/** Waits for the file that lets the model go on; false when the person has given up. */
function isLetGo(token) {
  return new Promise((resolve) => {
    const watcher = watch(folder, () => look());
    const end = (goesOn) => {
      watcher.close();
      resolve(goesOn);
    };
    const look = () => existsSync(file('go')) && end(true);
    token.onCancellationRequested(() => end(false));
    look();
  });
}

exports.activate = ({ subscriptions }) => {
  if (folder === '') {
    return;
  }
  mkdirSync(folder, { recursive: true });
  const changed = new vscode.EventEmitter();
  const watcher = watch(folder, (_event, name) => name === 'answer.json' && changed.fire());
  subscriptions.push(
    changed,
    { dispose: () => watcher.close() },
    vscode.lm.registerLanguageModelChatProvider('patch-stacks-test', {
      onDidChangeLanguageModelChatInformation: changed.event,
      provideLanguageModelChatInformation: async () => (existsSync(file('answer.json')) ? [model] : []),
      async provideLanguageModelChatResponse(_model, messages, _options, progress, token) {
        const said = messages.flatMap(({ content }) => content.map((part) => part.value));
        writeFileSync(file('asked.json'), JSON.stringify(said));
        for (const part of JSON.parse(readFileSync(file('answer.json'), 'utf8'))) {
          if (part !== null) {
            progress.report(new vscode.LanguageModelTextPart(part));
          } else if (!(await isLetGo(token))) {
            return;
          }
        }
      },
      provideTokenCount: async (_model, text) => String(text).length,
    }),
  );
};
