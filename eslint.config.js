import { runInNewContext } from 'node:vm';
import { defineConfig } from 'eslint/config';
import regexp from 'eslint-plugin-regexp';
import tseslint from 'typescript-eslint';

/** Globals of Node and the browser, which are banned in pure folders. */
const languageGlobals = new Set(runInNewContext('Object.getOwnPropertyNames(globalThis)'));
const hostGlobals = [
  ...Object.getOwnPropertyNames(globalThis).filter((name) => !languageGlobals.has(name)),
  'require',
  'window',
  'document',
];

const refusedSyntax = [
  { selector: 'TSEnumDeclaration', message: 'Use a union of strings; enums are not erasable.' },
  { selector: 'TSModuleDeclaration[kind="namespace"]', message: 'Use a module; namespaces are not erasable.' },
  { selector: 'TSParameterProperty', message: 'Declare and assign the field; parameter properties are not erasable.' },
  { selector: 'ExportAllDeclaration', message: 'No barrels: import from the file that defines the name.' },
  {
    selector: 'ClassDeclaration[id.name=/(Manager|Service|Helpers?|Utils?|Handler|Impl)$|^(Base|Abstract|Common)/]',
    message: 'Name the class for what it is.',
  },
];

/** With type stripping, a plain field sets `undefined` on every row. */
const declaredColumns = {
  selector: 'ClassDeclaration[superClass] PropertyDefinition[declare=false][static=false]',
  message: 'Write columns of a row class as `declare name: type`, or the field overwrites the column.',
};

/** What starts, signals, queries or cancels a workflow, or makes a schedule. */
const temporalCalls = [
  'CallExpression[callee.property.name=/^(signalWithStart|executeUpdateWithStart|startUpdateWithStart)$/]',
  'CallExpression[callee.property.name=/^(start|execute|getHandle)$/][callee.object.name="workflow"]',
  'CallExpression[callee.property.name=/^(start|execute|getHandle)$/][callee.object.property.name="workflow"]',
  'CallExpression[callee.property.name=/^(create|getHandle)$/][callee.object.property.name="schedule"]',
].map((selector) => ({
  selector,
  message: 'Only workflow-starts/ calls workflows: give the workflow a row in workflows/workflow-types.ts.',
}));

export default defineConfig(
  {
    ignores: [
      'node_modules/',
      '.data/',
      'dev/guides/site/.build/',
      'test/dev/batches/',
      '**/*.cjs',
      'bench/results/',
      'client/api-types.ts',
      '**/dist/',
    ],
  },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  {
    files: ['**/*.js', '**/*.ts', '**/*.tsx'],
    plugins: { regexp },
    languageOptions: { parser: tseslint.parser },
    rules: {
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'no-console': 'error',
      'no-param-reassign': 'error',
      'no-var': 'error',
      'prefer-const': ['error', { destructuring: 'all' }],
      'preserve-caught-error': 'error',
      // A crafted request could block the process.
      'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
      'regexp/no-super-linear-move': ['error', { report: 'potential', ignoreSticky: false, ignorePartial: false }],
      complexity: ['error', { max: 15, variant: 'modified' }],
      'max-depth': ['error', 3],
      'max-params': ['error', 3],
      'no-restricted-syntax': ['error', ...refusedSyntax],
      'no-restricted-properties': [
        'error',
        {
          object: 'process',
          property: 'env',
          message: 'Only process/config.ts reads the environment; take the value as an argument.',
        },
      ],
    },
  },
  {
    files: ['**/*.ts', '**/*.tsx'],
    plugins: { '@typescript-eslint': tseslint.plugin },
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/await-thenable': 'error',
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: false }],
      '@typescript-eslint/no-unnecessary-type-assertion': 'error',
      '@typescript-eslint/only-throw-error': 'error',
      '@typescript-eslint/return-await': ['error', 'error-handling-correctness-only'],
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { allowDefaultCaseForExhaustiveSwitch: false, considerDefaultExhaustiveForUnions: false },
      ],
    },
  },
  {
    files: ['process/config.ts', 'cli/channels.js', 'cli/main.ts', 'dev/**', 'bench/**', 'test/**'],
    rules: { 'no-restricted-properties': 'off' },
  },
  { files: ['dev/**', 'bench/**', 'admin/**', 'simulator/main.ts'], rules: { 'no-console': 'off' } },
  {
    files: ['workflows/**', 'contract/**', 'openapi/**'],
    rules: { 'no-restricted-globals': ['error', ...hostGlobals] },
  },
  {
    files: ['activities/**', 'admin/**', 'api/**', 'egress/**', 'gateway/**', 'platform/**', 'process/**', 'worker/**'],
    rules: { 'no-restricted-syntax': ['error', ...refusedSyntax, ...temporalCalls] },
  },
  { files: ['db/**'], rules: { 'no-restricted-syntax': ['error', ...refusedSyntax, declaredColumns] } },
);
