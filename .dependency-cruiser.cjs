/** The rooms that each room may import; rules for packages follow below. */
const rooms = {
  contract: [],
  openapi: ['contract'],
  process: ['contract'],
  workflows: ['contract'],
  'workflow-starts': ['contract', 'process'],
  activities: ['contract', 'db', 'platform', 'egress', 'metrics', 'process'],
  platform: ['contract'],
  egress: ['contract'],
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
  admin: ['contract', 'db', 'process'],
  client: ['contract'],
  cli: ['client', 'contract'],
  dashboard: ['client', 'contract'],
};

const product = Object.keys(rooms).join('|');
/** Folders that are started by people or tools. */
const leaves = 'dev|bench|deploy|docs|test';
/** Additional imports, mostly of types, restricted by the rules below. */
const ruledApart = {
  workflows: '^activities/',
  api: '^(?:workflows|activities/signing)/',
  'workflow-starts': '^(?:workflows|metrics)/',
  platform: '^openapi/',
  db: '^openapi/',
};

const roomRules = Object.entries(rooms).map(([room, allowed]) => ({
  name: `${room}-keeps-to-its-neighbours`,
  comment: `${room}/ may import of the project only ${[...allowed, 'itself'].join(', ')}: move the code to where it belongs, or take it as an argument.`,
  severity: 'error',
  from: { path: `^${room}/` },
  to: {
    path: `^(?:${product})/`,
    pathNot: [`^(?:${[room, ...allowed].join('|')})/`, ...(ruledApart[room] ? [ruledApart[room]] : [])],
  },
}));

module.exports = {
  forbidden: [
    ...roomRules,
    {
      name: 'contract-imports-nothing',
      comment: 'contract/ is pure vocabulary: no clock, no network, no Node. Only the address parser is let in.',
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
        'Rooms below the API may use the types of request bodies; loading the schemas would bring the validator along.',
      severity: 'error',
      from: { path: '^(?:platform|db)/' },
      to: { path: '^openapi/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'workflows-are-pure',
      comment:
        'A workflow is replayed from its history, so it does nothing by itself: what touches the world is an activity, imported as a type.',
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
        'Types are let into a workflow from activities/ alone: other types would tie stored histories to code that may change.',
      severity: 'error',
      from: { path: '^workflows/' },
      to: { pathNot: ['^(?:workflows|contract|activities)/', 'node_modules/@temporalio/(?:workflow|common)/'] },
    },
    {
      name: 'starts-know-workflows-by-type',
      comment:
        'Workflows are started by their name and type; loading their code would bring the sandboxed runtime into the API. Messages are the exception.',
      severity: 'error',
      from: { path: '^(?:api|workflow-starts)/' },
      to: { path: '^workflows/', pathNot: '^workflows/messages/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'starts-know-metrics-by-type',
      comment: 'A meter is an argument of the functions that start workflows.',
      severity: 'error',
      from: { path: '^workflow-starts/' },
      to: { path: '^metrics/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'signing-is-light',
      comment:
        'The API signs what listeners read with the same function as the worker, so this folder loads no activity: only contracts and the open secrets.',
      severity: 'error',
      from: { path: '^activities/signing/' },
      to: { path: `^(?:${product})/`, pathNot: '^(?:activities/signing|contract|db/core)/' },
    },
    {
      name: 'servers-only',
      comment: 'What HTTP servers are made of belongs to the rooms that listen.',
      severity: 'error',
      from: { pathNot: '^(?:api|gateway|metrics|simulator|process|test|bench|dev)/' },
      to: {
        path: '^process/(?:http-server|lingering-close|body-budget|body-deadline|read-body|request-id|security-headers)[.]ts$',
      },
    },
    {
      name: 'nothing-in-the-root',
      comment: 'Code lives in a room; what a process is made of is in process/.',
      severity: 'error',
      from: {},
      to: { path: '^[^/]+[.]ts$' },
    },
    {
      name: 'sql-lives-in-db',
      comment: 'Whoever needs rows calls a function of db/: SQL elsewhere would not be found when a table changes.',
      severity: 'error',
      from: { path: `^(?:${product})/`, pathNot: '^db/' },
      to: { path: 'node_modules/(?:knex|objection|pg)/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'one-way-out',
      comment:
        "egress/ is the only way to an address that a user gave, because it guards addresses and deadlines; platform/ talks to the upstream's own.",
      severity: 'error',
      from: { path: `^(?:${product})/`, pathNot: '^(?:egress|platform|gateway|simulator)/' },
      to: { path: ['node_modules/undici/', '^(?:node:)?https$'] },
    },
    {
      name: 'http-servers-keep-their-framework',
      comment: 'Koa belongs to the HTTP servers; other folders take plain values.',
      severity: 'error',
      from: { path: `^(?:${product})/`, pathNot: '^(?:api|gateway|simulator)/' },
      to: { path: 'node_modules/(?:koa|@koa|koa-[a-z]+)/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'clients-are-light',
      comment:
        'What runs in a browser or is started for one command loads no validator, no Node and no server: of contract/ only what is pure and small.',
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
        'Only main files load the configuration; features take values as arguments, so that a test can give its own.',
      severity: 'error',
      from: { path: `^(?:${product})/`, pathNot: '/main[.]ts$|^process/(?:config|settings|platform-settings)[.]ts$' },
      to: {
        path: '^process/(?:config|settings|setting-values|platform-settings)[.]ts$',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'one-owner-of-the-settings-table',
      comment: 'The table of settings is read through config.ts, and by the generator of its documentation.',
      severity: 'error',
      from: { pathNot: '^(?:process/config[.]ts$|dev/|test/)' },
      to: { path: '^process/settings[.]ts$' },
    },
    {
      name: 'nothing-imports-a-leaf',
      comment: 'dev/, bench/, deploy/, docs/ and test/ stand at the edge: the product must run without them.',
      severity: 'error',
      from: { pathNot: `^(?:${leaves})/|^eslint[.]config[.]js$` },
      to: { path: `^(?:${leaves})/` },
    },
    {
      name: 'nothing-imports-tests-or-benches',
      comment: 'A test or a bench proves something about code; code that needs one has it the wrong way round.',
      severity: 'error',
      // These folders may share fixtures.
      from: { pathNot: '^(?:test|bench)/' },
      to: { path: '^(?:test|bench)/' },
    },
    {
      name: 'nothing-imports-a-main-file',
      comment: 'A main file starts a process when it is loaded; what others need of it belongs in a file beside it.',
      severity: 'error',
      from: {},
      to: { path: '(?:^|/)main[.]ts$', pathNot: 'node_modules' },
    },
    {
      name: 'no-cycles',
      comment: 'Two files that import each other are one file, or a third is missing between them.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-junk-drawers',
      comment:
        'Put the function beside its only caller, or give it a noun and a file: nobody finds anything in a drawer.',
      severity: 'error',
      from: {},
      to: {
        dependencyTypesNot: ['core'],
        path: '^(?!node_modules).*(?:^|/)(?:utils?|helpers?|common|shared|misc|managers?|services?)(?:[./]|$)',
      },
    },
    {
      name: 'no-orphans',
      comment: 'Nothing imports this file and it imports nothing: delete it, or use it.',
      severity: 'error',
      from: { orphan: true, pathNot: '(?:^|/)(?:main|start)[.]ts$|[.]config[.]js$|[.]cjs$|[.]d[.]ts$' },
      to: {},
    },
    {
      name: 'no-dev-dependency-in-the-product',
      comment:
        'An installation without development packages must run; move the package to dependencies or the code to a leaf.',
      severity: 'error',
      from: { path: `^(?:${product})/` },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'], pathNot: 'node_modules/@types/' },
    },
    {
      name: 'only-declared-packages',
      comment:
        'The package is there by accident of another one: declare it in package.json, or it vanishes with an update.',
      severity: 'error',
      from: {},
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
    },
    {
      name: 'everything-resolves',
      comment: 'This import leads nowhere.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(?:[.]data|docs|node_modules/[.]cache)/' },
    tsConfig: { fileName: 'tsconfig.json' },
    // Type-only imports count too.
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
};
