import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { listedNames, type Names, namesInUse } from '../../../dev/checks/names.ts';
import { temporaryFolder } from '../../harness/temporary-folder.ts';

const listed = listedNames();
const inUse = namesInUse();
const kinds = [...new Set([...Object.keys(listed), ...Object.keys(inUse)])];

for (const kind of kinds) {
  test(`no listed name of ${kind} is missing from the sources`, (t) => {
    t.deepEqual(missing(listed[kind], inUse[kind]), [], 'Histories, clients and alerts may still use these names.');
  });

  test(`no name of ${kind} is missing from the list`, (t) => {
    t.deepEqual(missing(inUse[kind], listed[kind]), [], 'Run node dev/checks/names.ts to add them.');
  });

  test(`the list of ${kind} is not empty`, (t) => {
    t.not(inUse[kind]?.length ?? 0, 0);
  });
}

test('names are found as literals, constants, properties and branches', async (t) => {
  const names = await namesOf(t, {
    'contract/names.ts': "export const PAUSE = 'pause';\nexport const queries = { state: 'readState' } as const;\n",
    'workflows/a.ts':
      "import { PAUSE, queries } from '../contract/names.ts';\nconst UPDATE = 'rotate';\n" +
      'defineSignal(PAUSE);\ndefineQuery<string>(queries.state);\ndefineUpdate(UPDATE);\n',
    'worker/a.ts': "deps.log[level]('temporal.reported');\nlog.info(isLost ? 'lease.lost' : 'lease.renewed');\n",
    'metrics/a.ts': "const lag = registry.gauges({ lag_seconds: 'Lag.' });\nlog.error('metrics.failed');\n",
  });
  t.like(names, {
    signals: ['pause'],
    queries: ['readState'],
    updates: ['rotate'],
    metrics: ['lag_seconds'],
    logEvents: ['lease.lost', 'lease.renewed', 'metrics.failed', 'temporal.reported'],
  });
});

test('a name that is not a constant fails the check', async (t) => {
  const files = { 'worker/a.ts': 'export const warn = (event: string) => log.warn(event);\n' };
  await t.throwsAsync(namesOf(t, files), { message: /^worker\/a\.ts:1: the name `event` is not a constant/ });
});

async function namesOf(t: ExecutionContext, files: Readonly<Record<string, string>>): Promise<Names> {
  const root = await temporaryFolder(t);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return namesInUse(root, Object.keys(files));
}

function missing(from: readonly string[] = [], among: readonly string[] = []): string[] {
  return from.filter((name) => !among.includes(name));
}
