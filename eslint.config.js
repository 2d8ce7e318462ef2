import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';

/** What VS Code is told of, by name. */
const contributed = ['contributions.ts', 'commandTable.ts'];
/** Every folder of src/ that is a layer, with the layers it may import from. */
const features = [
  'accounts',
  'tree',
  'patch',
  'projects',
  'stacks',
  'unsent',
  'releases',
  'feedback',
  'links',
  'agents',
  'publicApi',
];
const layers = {
  util: [],
  protocol: ['util'],
  api: ['util'],
  model: ['api', 'util'],
  service: ['protocol', 'util'],
  webview: ['protocol', 'util'],
  git: ['model', 'util'],
  colors: ['util'],
  ui: ['model', 'api', 'protocol', 'util', ...contributed],
  session: ['api', 'protocol', 'ui', 'util', ...contributed],
  ...Object.fromEntries(
    features.map((name) => [
      name,
      [
        'windowParts.ts',
        'session',
        'model',
        'api',
        'git',
        'colors',
        'protocol',
        'ui',
        'util',
        ...contributed,
      ],
    ]),
  ),
};
const everyLayer = [
  ...Object.keys(layers),
  ...contributed,
  'accountModel.ts',
  'accountReadings.ts',
  'createParts.ts',
  'windowParts.ts',
  'window.ts',
  'extension.ts',
  'tools',
  'test',
];
const withoutVscode = ['util', 'protocol', 'api', 'model', 'service', 'webview'];

/** What each layer must not import, as one rule per folder. */
const layerRules = Object.entries(layers).map(([layer, allowed]) => {
  const forbidden = everyLayer.filter((other) => other !== layer && !allowed.includes(other));
  const patterns = [
    {
      regex: `^(\\.\\./)+(${forbidden.join('|').replaceAll('.', '\\.')})(/|$)`,
      message: `src/${layer} may import only from: ${allowed.join(', ') || 'itself'}.`,
    },
  ];
  if (layer === 'service') {
    // Its own folder for git is called like the layer: only the longer way leads out.
    patterns[0].regex = `^(\\.\\./)+(${forbidden
      .filter((name) => name !== 'api' && name !== 'git')
      .join('|')
      .replaceAll('.', '\\.')}|\\.\\./git|api/(?!types/))(/|$|)`;
  }
  if (withoutVscode.includes(layer)) {
    patterns.push({ regex: '^vscode$', message: `src/${layer} must run without VS Code.` });
  }
  return {
    files: [`src/${layer}/**/*.{ts,tsx}`],
    ignores:
      layer === 'api'
        ? ['transport.ts', 'exchange.ts', 'dispatchers.ts', 'dispatcherModules.d.ts'].map(
            (name) => `src/api/${name}`,
          )
        : [],
    rules: {
      '@typescript-eslint/no-restricted-imports': [
        'error',
        {
          patterns: [
            ...patterns,
            { regex: '^undici(/|$)', message: 'Only src/api/transport.ts talks to the network.' },
          ],
        },
      ],
    },
  };
});

const ownRules = {
  rules: {
    'names-of-durations': {
      create: (context) => ({
        VariableDeclaration(node) {
          const statement = node.parent.type === 'ExportNamedDeclaration' ? node.parent : node;
          const comment = context.sourceCode.getCommentsBefore(statement).at(-1)?.value ?? '';
          if (/^[\s*]*Milliseconds\b(?! since)/.test(comment)) {
            node.declarations
              .filter(({ id }) => id.type === 'Identifier' && !id.name.endsWith('Ms'))
              .forEach(({ id }) => context.report({ node: id, message: 'Milliseconds end with “Ms”.' }));
          }
        },
      }),
    },
  },
};

/** A closed panel throws for whatever is done with it. */
const rawPanels = [
  'TSQualifiedName[right.name="WebviewPanel"]',
  'ImportSpecifier[imported.name="WebviewPanel"]',
  'CallExpression[callee.property.name=/^(createWebviewPanel|registerWebviewPanelSerializer)$/]',
].map((selector) => ({ selector, message: 'Panels are had and restored through src/ui/pagePanel.ts.' }));

/** Reads of a page that do not wait, in an assertion. */
const impatientAssertion = [
  ':matches(CallExpression[callee.name=/^(assert|expect)$/], CallExpression[callee.object.name="assert"])',
  'AwaitExpression >',
  'CallExpression[callee.property.name=/^(count|innerText|textContent|allInnerTexts|allTextContents|inputValue|getAttribute|is(Visible|Hidden|Enabled|Disabled|Editable|Checked)|boundingBox|innerHTML)$/]',
].join(' ');

/** One look at a page that may still be laid out. */
const impatientMeasure = 'AwaitExpression > CallExpression[callee.name=/^(overflowOf|clippedControlsOf)$/]';

/** A look at the style of an element that is not looked at again where it was drawn anew meanwhile: it has none then. */
const impatientLook =
  'AwaitExpression > CallExpression[callee.property.name=/^evaluate(All)?$/][callee.object.name!="body"] CallExpression[callee.name="getComputedStyle"]';

/** Names of durations end with their unit: `Ms`. */
const unitless = '([dD]elay|[tT]imeout|[iI]nterval|[pP]atience|[lL]ifetime)$';

export default defineConfig(
  { ignores: ['dist/', '.vscode-test/', 'node_modules/'] },
  {
    files: ['**/*.{ts,tsx}'],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: {
      parserOptions: {
        project: ['./tsconfig.json', './src/webview/tsconfig.json'],
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/naming-convention': [
        'error',
        { selector: 'variable', format: ['camelCase', 'PascalCase'], leadingUnderscore: 'allow' },
        { selector: 'variable', modifiers: ['destructured'], format: null },
        {
          selector: ['variable', 'parameter'],
          types: ['number'],
          format: null,
          custom: { regex: `^[A-Z]{2,}_|${unitless}`, match: false },
        },
        {
          // Settings have their names in public, and say their unit where they are declared.
          selector: ['classProperty', 'typeProperty'],
          types: ['number'],
          filter: { regex: '^(requestTimeout|refreshInterval)$', match: false },
          format: null,
          custom: { regex: unitless, match: false },
        },
      ],
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/unified-signatures': 'off',
      curly: 'error',
      eqeqeq: 'error',
      'no-console': 'error',
    },
  },
  {
    files: ['src/**/*.{ts,tsx}'],
    plugins: { 'patch-stacks': ownRules },
    rules: {
      'patch-stacks/names-of-durations': 'error',
      // What nobody waits for goes through src/util/inBackground.ts, which notes a failure.
      '@typescript-eslint/no-floating-promises': ['error', { checkThenables: true, ignoreVoid: false }],
      // As much as a reader has in view.
      'max-lines-per-function': ['error', { max: 80 }],
    },
  },
  {
    files: ['src/**/*.{ts,tsx}'],
    ignores: ['src/ui/pagePanel.ts'],
    rules: { 'no-restricted-syntax': ['error', ...rawPanels] },
  },
  {
    files: ['src/**/*.{ts,tsx}'],
    ignores: ['src/ui/**'],
    rules: {
      'no-restricted-syntax': [
        'error',
        ...rawPanels,
        {
          selector: 'CallExpression[callee.property.name=/^show(Error|Warning|Information)Message$/]',
          message: 'Messages to the person go through src/ui/notifications.ts.',
        },
        {
          selector:
            'CallExpression[callee.property.name=/^show(QuickPick|InputBox)$/]:not(CallExpression[callee.name="asking"] *)',
          message:
            'Lists and boxes are shown through src/ui/asking.ts, so that nothing takes the focus from them.',
        },
        {
          selector: 'CallExpression[callee.property.name="save"][callee.object.name=/[dD]ocument$/]',
          message: 'Documents are saved through src/ui/saveDocument.ts, also while VS Code saves them.',
        },
        {
          selector:
            'MemberExpression[property.name="host"][object.type="NewExpression"][object.callee.name="URL"]',
          message: 'Servers are called by what src/session/serverName.ts says.',
        },
        {
          selector:
            'JSXOpeningElement[name.name=/^(button|input|select|textarea|fieldset)$/] > JSXAttribute[name.name="disabled"]',
          message: 'What is disabled loses the focus: take what src/webview/common/controls.tsx has.',
        },
      ],
    },
  },
  ...layerRules,
  {
    files: ['tools/*.ts'],
    rules: {
      '@typescript-eslint/no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              regex: '^(\\.\\./)+test(/|$)',
              message: 'Only tools/pictures/ works with what the tests have.',
            },
          ],
        },
      ],
    },
  },
  {
    files: ['test/**/*.ts', 'tools/**/*.ts'],
    rules: {
      '@typescript-eslint/no-unused-expressions': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
      'no-console': 'off',
    },
  },
  {
    files: ['test/**/*.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector: impatientAssertion,
          message: 'Assertions on a page wait for it: take what test/support/expect.ts has.',
        },
        {
          selector: impatientMeasure,
          message: 'A page is laid out in steps: poll for it, with test/support/expect.ts.',
        },
        {
          selector: impatientLook,
          message:
            'What is drawn anew meanwhile has no style: take toHaveCSS, or poll for what is looked for.',
        },
      ],
    },
  },
);
