/** The top-level folders that each one may import; rules for packages follow below. */
const layers = {
  contract: [],
  openapi: ['contract'],
  process: ['contract'],
  workflows: ['contract'],
  'workflow-starts': ['contract', 'process'],
  activities: ['contract', 'db', 'platform', 'egress', 'metrics', 'process'],
  platform: ['contract'],
  egress: ['contract', 'process'],
  gateway: ['contract', 'db', 'platform', 'metrics', 'process'],
  db: ['contract', 'process'],
  metrics: ['db', 'process'],
  api: ['contract', 'openapi', 'workflow-starts', 'db', 'platform', 'metrics', 'process'],
  worker: [
    'contract',
    'workflows',
    'workflow-starts',
    'activities',
    'platform',
    'egress',
    'gateway',
    'db',
    'metrics',
    'process',
  ],
  simulator: ['contract', 'process'],
  admin: ['contract', 'workflow-starts', 'worker', 'db', 'process'],
  client: ['contract'],
  cli: ['client', 'contract'],
  dashboard: ['client', 'contract'],
};

const product = Object.keys(layers).join('|');
/** Folders that are started by people or tools. */
const leaves = 'dev|bench|deploy|docs|test';
/** Additional imports, mostly of types, restricted by the rules below. */
const ruledApart = {
  workflows: '^activities/',
  api: '^(?:workflows|activities/signing)/',
  'workflow-starts': '^(?:workflows|metrics)/',
  admin: '^workflows/workflow-types[.]ts$',
  platform: '^openapi/',
  db: '^openapi/',
};

const layerRules = Object.entries(layers).map(([layer, allowed]) => ({
  name: `${layer}-imports-only-allowed-layers`,
  comment: `${layer}/ may import only ${[...allowed, 'itself'].join(', ')} of the project. Move the code, or take the value as an argument.`,
  severity: 'error',
  from: { path: `^${layer}/` },
  to: {
    path: `^(?:${product})/`,
    pathNot: [`^(?:${[layer, ...allowed].join('|')})/`, ...(ruledApart[layer] ? [ruledApart[layer]] : [])],
  },
}));

module.exports = {
  forbidden: [
    ...layerRules,
    {
      name: 'contract-imports-nothing',
      comment: 'contract/ is pure vocabulary: no clock, no network, no Node. The address parser is the only exception.',
      severity: 'error',
      from: { path: '^contract/' },
      to: { pathNot: ['^contract/', 'node_modules/ipaddr[.]js/'] },
    },
    {
      name: 'openapi-imports-nothing-but-the-validator',
      comment: 'openapi/ describes the HTTP interface with schemas: no clock, no network, no Node.',
      severity: 'error',
      from: { path: '^openapi/' },
      to: { pathNot: ['^(?:openapi|contract)/', 'node_modules/(?:zod|zod-openapi)/'] },
    },
    {
      name: 'schemas-are-for-the-api',
      comment:
        'Layers below the API may use the types of request bodies. Loading the schemas would load the validator.',
      severity: 'error',
      from: { path: '^(?:platform|db)/' },
      to: { path: '^openapi/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'workflows-are-pure',
      comment:
        'A workflow is replayed from its history, so side effects belong to activities, which are imported as types.',
      severity: 'error',
      from: { path: '^workflows/' },
      to: {
        pathNot: ['^(?:workflows|contract)/', 'node_modules/@temporalio/(?:workflow|common)/'],
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'workflows-know-activities-only',
      comment:
        'Workflows may import types from activities/ only. Other types would tie stored histories to code that changes.',
      severity: 'error',
      from: { path: '^workflows/' },
      to: { pathNot: ['^(?:workflows|contract|activities)/', 'node_modules/@temporalio/(?:workflow|common)/'] },
    },
    {
      name: 'starts-know-workflows-by-type',
      comment:
        'Workflows are started by name and type. Loading their code would load the sandboxed runtime; messages/ and the table of types are the exceptions.',
      severity: 'error',
      from: { path: '^(?:api|workflow-starts)/' },
      to: {
        path: '^workflows/',
        pathNot: '^workflows/(?:messages/|workflow-types[.]ts$)',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'admin-replays-with-the-bundle',
      comment:
        'Commands need only the workflow bundle of worker/, to replay histories. Everything else runs in the worker.',
      severity: 'error',
      from: { path: '^admin/' },
      to: { path: '^worker/', pathNot: '^worker/workflow-bundle[.]ts$' },
    },
    {
      name: 'starts-know-metrics-by-type',
      comment: 'Functions that start workflows take the meter as an argument.',
      severity: 'error',
      from: { path: '^workflow-starts/' },
      to: { path: '^metrics/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'signing-is-light',
      comment:
        'The API signs deliveries to listeners with the same function as the worker, so this folder must not load activities.',
      severity: 'error',
      from: { path: '^activities/signing/' },
      to: {
        path: `^(?:${product})/`,
        pathNot: '^(?:(?:activities/signing|contract|db/core)/|process/bounded-map[.]ts$)',
      },
    },
    {
      name: 'servers-only',
      comment: 'Only layers that listen on a port may use the parts of HTTP servers.',
      severity: 'error',
      from: { pathNot: '^(?:api|gateway|metrics|simulator|process|test|bench|dev)/' },
      to: {
        path: '^process/(?:http-errors|http-server|lingering-close|body-budget|read-body|request-id|security-headers)[.]ts$',
      },
    },
    {
      name: 'nothing-in-the-root',
      comment: 'Code belongs in a top-level folder; the parts of a process are in process/.',
      severity: 'error',
      from: {},
      to: { path: '^[^/]+[.]ts$' },
    },
    {
      name: 'sql-lives-in-db',
      comment: 'Call a function of db/ instead. SQL elsewhere would be missed when a table changes.',
      severity: 'error',
      from: { path: `^(?:${product})/`, pathNot: '^db/' },
      to: { path: 'node_modules/(?:knex|objection|pg)/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'one-way-out',
      comment:
        "Requests to addresses from users go through egress/, which checks addresses and deadlines; platform/ calls the upstream's own addresses.",
      severity: 'error',
      from: { path: `^(?:${product})/`, pathNot: '^(?:egress|platform|gateway|simulator)/' },
      to: { path: ['node_modules/undici/', '^(?:node:)?https$'] },
    },
    {
      name: 'http-servers-keep-their-framework',
      comment: 'Only HTTP servers may use Koa; other folders take plain values.',
      severity: 'error',
      from: { path: `^(?:${product})/`, pathNot: '^(?:api|gateway|simulator)/' },
      to: { path: 'node_modules/(?:koa|@koa|koa-[a-z]+)/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'clients-are-light',
      comment: 'Code for browsers and single commands must load neither the validator nor Node nor a server.',
      severity: 'error',
      from: { path: '^(?:client|dashboard)/' },
      to: {
        path: ['^openapi/', 'node_modules/zod/', '^node:'],
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'config-comes-by-argument',
      comment:
        'Only main files load the configuration. Features take values as arguments, so that tests can pass their own.',
      severity: 'error',
      from: {
        path: `^(?:${product})/`,
        pathNot:
          '/main[.]ts$|^process/(?:config|settings|delivery-settings|platform-settings|trace-settings|worker-settings)[.]ts$',
      },
      to: {
        path: '^process/(?:config|settings|setting-values|delivery-settings|platform-settings|trace-settings|worker-settings)[.]ts$',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'one-owner-of-the-settings-table',
      comment: 'Read settings through config.ts. Only the generator of their documentation reads the table.',
      severity: 'error',
      from: { pathNot: '^(?:process/config[.]ts$|dev/|test/)' },
      to: { path: '^process/settings[.]ts$' },
    },
    {
      name: 'nothing-imports-a-leaf',
      comment: 'The product must run without dev/, bench/, deploy/, docs/ and test/.',
      severity: 'error',
      from: { pathNot: `^(?:${leaves})/|^eslint[.]config[.]js$` },
      to: { path: `^(?:${leaves})/` },
    },
    {
      name: 'nothing-imports-tests-or-benches',
      comment: 'Tests and benches import code; code must not import them.',
      severity: 'error',
      // These folders may share fixtures.
      from: { pathNot: '^(?:test|bench)/' },
      to: { path: '^(?:test|bench)/' },
    },
    {
      name: 'nothing-imports-a-main-file',
      comment: 'Loading a main file starts a process. Move what others need into another file.',
      severity: 'error',
      from: {},
      to: { path: '(?:^|/)main[.]ts$', pathNot: 'node_modules' },
    },
    {
      name: 'no-cycles',
      comment: 'Merge files that import each other, or extract what they share.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-junk-drawers',
      comment: 'Put the function beside its only caller, or into a file named after what it does.',
      severity: 'error',
      from: {},
      to: {
        dependencyTypesNot: ['core'],
        path: '^(?!node_modules).*(?:^|/)(?:utils?|helpers?|common|shared|misc|managers?|services?)(?:[./]|$)',
      },
    },
    {
      name: 'no-orphans',
      comment: 'Nothing imports this file, and it imports nothing. Delete it.',
      severity: 'error',
      from: {
        orphan: true,
        pathNot: '(?:^|/)(?:main|start)[.]ts$|[.]config[.]js$|[.]cjs$|[.]d[.]ts$|^dashboard/theme[.]ts$',
      },
      to: {},
    },
    {
      name: 'no-dev-dependency-in-the-product',
      comment:
        'The product must run without development packages. Move the package to dependencies, or the code to a leaf.',
      severity: 'error',
      from: { path: `^(?:${product})/` },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'], pathNot: 'node_modules/@types/' },
    },
    {
      name: 'only-declared-packages',
      comment: 'The package is installed only because another one needs it. Declare it in package.json.',
      severity: 'error',
      from: {},
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
    },
    {
      name: 'everything-resolves',
      comment: 'This import cannot be resolved.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: {
      path: '^(?:[.]data|dist|docs|dev/guides/site/[.]build|dashboard/dist|dev/packages|node_modules/[.]cache)/',
    },
    tsConfig: { fileName: 'tsconfig.json' },
    // Type-only imports count too.
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
};
