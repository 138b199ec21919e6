import { globSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { mentions } from './needed-servers.ts';

export interface Batch {
  readonly name: string;
  /** Relative to the project's root. */
  readonly files: readonly string[];
  /** How many of its tests run at a time. */
  readonly slots: number;
}

/** What AVA gets: batches, each of which runs many files in one process, and files that run alone. */
export interface Plan {
  readonly batches: readonly Batch[];
  readonly alone: readonly string[];
  /** How many of them run at a time. */
  readonly processes: number;
}

const root = join(import.meta.dirname, '../..');
const absolute = (file: string): string => join(root, file);

/** The guides are built for one of them. */
const inBrowser = ['test/dashboard/browser/', 'test/dev/guides/'];
/** Their tests wait most of the time, so that they share a process, which loads the same modules once. */
const ofSystems = ['test/system/'];
/** The longest file, which would come last by its name. */
const longest = ['test/system/releases/upgrade/'];
/** These need other programs or long loads. */
const heavy = [
  'test/admin/worker-versions.test.ts',
  'test/attack/',
  'test/client/python/',
  'test/deploy/',
  'test/dev/checks/locked-packages.test.ts',
  'test/dev/postgres/',
  'test/dev/release/',
  'test/dev/sites/',
  'test/dev/start.test.ts',
  'test/docs/receivers',
  'test/faults/',
  'test/metrics/promtool/',
  'test/platform/client-libraries/',
  'test/process/proxies/',
  'test/system/releases/',
  'test/worker/worker-versions.test.ts',
];
/** `npm run test:fuzz` and `npm run test:cluster`, which take minutes each. */
const byHand = ['test/deploy/charts/api-server.test.ts', 'test/openapi/fuzz/'];
/** These have time limits that a process with other tests can miss. */
const oneByOne = ['test/egress/'];
/** These change what all tests of a process share, such as its clock, or collect the garbage of all of them. */
const alone = [
  'test/activities/pump/lease.test.ts',
  'test/activities/pump/simulation.test.ts',
  'test/api/requests/silent-client.test.ts',
  'test/client/send-abortable.test.ts',
  'test/long-life/',
  'test/worker/install-runtime.test.ts',
];

const CORES = availableParallelism();
/**
 * Most batches use up a core, but the first three wait most of the time, as do tests that start their own processes.
 * Systems of more tests at a time would compete for the cores, and live longer, which costs them more.
 */
const PROCESSES = { batches: Math.max(5, CORES), others: 2 * CORES };
const BATCHES = 5;
const SLOTS = 6;
/** Two browsers use up a small machine. */
const BROWSER_SLOTS = 2;
const SYSTEM_SLOTS = 3;

const isIn = (paths: readonly string[]) => (file: string) => paths.some((path) => file.startsWith(path));
/** Tests that kill, stop or configure processes start their own. */
const startsProcesses = (file: string): boolean => mentions([absolute(file)], 'await startSystem(');
const isOther = (file: string): boolean => isIn([...inBrowser, ...heavy])(file) || startsProcesses(file);

function testFiles(): string[] {
  const files = globSync('test/**/*.test.ts', { cwd: root, exclude: ['test/dev/batches/**'] });
  return files.filter((file) => !isIn(byHand)(file)).sort();
}

/** Returns the tests that a change needs: `npm test`. */
export function planOfTests(): Plan {
  const files = testFiles().filter((file) => !isOther(file));
  const {
    own = [],
    single = [],
    system = [],
    temporal = [],
    others = [],
  } = Object.groupBy(files, (file) => {
    if (isIn(alone)(file)) return 'own';
    if (isIn(oneByOne)(file)) return 'single';
    if (mentions([absolute(file)], 'await sharedSystem(')) return 'system';
    return mentions([absolute(file)], 'TEST_TEMPORAL_ADDRESS') ? 'temporal' : 'others';
  });
  // They wait most of the time.
  const waiting = [
    { name: 'temporal', files: temporal, slots: SLOTS },
    { name: 'system', files: system, slots: SLOTS },
    { name: 'one-by-one', files: single, slots: 1 },
  ];
  return { batches: numbered([...waiting, ...inParts(others)]), alone: own, processes: PROCESSES.batches };
}

/** Returns the others: `npm run test:all`. */
export function planOfOtherTests(): Plan {
  const files = testFiles().filter(isOther);
  const {
    browser = [],
    systems = [],
    upgrade = [],
    others = [],
  } = Object.groupBy(files, (file) => {
    if (isIn(inBrowser)(file)) return 'browser';
    if (isIn(longest)(file)) return 'upgrade';
    return isIn(ofSystems)(file) && !isIn(heavy)(file) ? 'systems' : 'others';
  });
  const batches = [
    { name: 'browser', files: browser, slots: BROWSER_SLOTS },
    { name: 'systems', files: systems, slots: SYSTEM_SLOTS },
    { name: 'upgrade', files: upgrade, slots: 1 },
  ];
  return { batches: numbered(batches), alone: others, processes: PROCESSES.others };
}

/** AVA starts them in the order of their names. */
function numbered(batches: readonly Batch[]): Batch[] {
  return batches.map((batch, index) => ({ ...batch, name: `${index + 1}-${batch.name}` }));
}

/** Neighbours load the same modules, so that they stay together. */
function inParts(files: readonly string[]): Batch[] {
  const sizes = files.map((file) => statSync(absolute(file)).size);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const parts: string[][] = Array.from({ length: BATCHES }, () => []);
  let before = 0;
  for (const [index, file] of files.entries()) {
    parts[Math.floor((before * BATCHES) / total)]!.push(file);
    before += sizes[index]!;
  }
  return parts.map((part) => ({ name: part[0]!.split('/')[1]!, files: part, slots: SLOTS }));
}
