import { withDatabase } from './database.ts';
import type { Disk } from './disk.ts';
import type { ReplicatedPostgres } from './standby.ts';
import type { TcpProxy } from './tcp-proxy.ts';

export const faultKinds = [
  'worker killed',
  'api killed',
  'Temporal killed',
  'PostgreSQL killed',
  'database read-only',
  'disk full',
  'disk slow',
  'worker stopped',
  'worker cut off from the database',
  'worker cut off from Temporal',
  'clock stepped',
  'primary lost',
] as const;
export type FaultKind = (typeof faultKinds)[number];

/** Injecting and lifting may be slow while another fault is active. */
export interface Fault {
  readonly kind: FaultKind;
  /** Optional. In milliseconds. Default: some seconds at random. */
  readonly heldMs?: number;
  /** Optional. True if no event can be accepted during the fault. Default: false. */
  readonly refusesEvents?: boolean;
  inject(): Promise<void>;
  lift(): Promise<void>;
}

interface Killable {
  kill9(): Promise<void>;
  start(): Promise<void>;
}

interface Signalled {
  signal(signal: NodeJS.Signals): void;
}

export interface FaultTargets {
  /** Killed together, so that none takes over. */
  readonly workers: readonly (Killable & Signalled)[];
  readonly api: Killable & Signalled;
  /** The first worker's paths. */
  readonly paths: { readonly database: TcpProxy; readonly temporal: TcpProxy };
  /** Longer than a lease, so that the other worker takes over before the first one returns. */
  readonly partedMs: number;
  readonly temporal: Killable;
  readonly postgres: Killable;
  readonly databaseUrl: string;
  readonly disk: Disk;
  readonly standby?: ReplicatedPostgres | undefined;
}

export function faultsOf(targets: FaultTargets): readonly Fault[] {
  const { workers, api, temporal, postgres, databaseUrl, disk, paths, partedMs, standby } = targets;
  const first = workers[0]!;
  // `own-clock.ts` handles the signals. A process that starts meanwhile has the true time.
  const everyone = [...workers, api];
  // A standby is promoted once, and the other faults need the primary.
  if (standby) return [{ kind: 'primary lost', inject: standby.losePrimary, lift: standby.promoteStandby }];
  return [
    kill('worker killed', together(workers)),
    kill('api killed', api),
    kill('Temporal killed', temporal),
    kill('PostgreSQL killed', postgres),
    {
      kind: 'database read-only',
      refusesEvents: true,
      inject: () => setReadOnly(databaseUrl, 'on'),
      lift: () => setReadOnly(databaseUrl, 'off'),
    },
    { kind: 'disk full', refusesEvents: true, inject: disk.fill, lift: disk.free },
    {
      kind: 'disk slow',
      inject: () => setFlushDelay(databaseUrl, SLOW_FLUSH_US),
      lift: () => setFlushDelay(databaseUrl, 0),
    },
    {
      kind: 'worker stopped',
      heldMs: partedMs,
      inject: async () => first.signal('SIGSTOP'),
      lift: async () => first.signal('SIGCONT'),
    },
    cutOff('worker cut off from the database', { path: paths.database, heldMs: partedMs }),
    cutOff('worker cut off from Temporal', { path: paths.temporal, heldMs: partedMs }),
    {
      kind: 'clock stepped',
      inject: async () => everyone.forEach((one) => one.signal('SIGUSR2')),
      lift: async () => everyone.forEach((one) => one.signal('SIGPWR')),
    },
  ];
}

function together(workers: readonly Killable[]): Killable {
  const all = async (act: (worker: Killable) => Promise<void>): Promise<void> =>
    void (await Promise.all(workers.map(act)));
  return { kill9: () => all((worker) => worker.kill9()), start: () => all((worker) => worker.start()) };
}

function cutOff(kind: FaultKind, { path, heldMs }: { path: TcpProxy; heldMs: number }): Fault {
  return { kind, heldMs, inject: async () => path.cut(), lift: async () => path.mend() };
}

/** The longest delay that PostgreSQL allows. */
const SLOW_FLUSH_US = 100_000;

/** Makes each flush of the write-ahead log wait, as on a slow disk. Reads stay fast. */
async function setFlushDelay(databaseUrl: string, delayUs: number): Promise<void> {
  await withDatabase(databaseUrl, async (db) => {
    await db.raw(`alter system set commit_delay = ${delayUs}`);
    await db.raw(`alter system set commit_siblings = 0`);
    await db.raw('select pg_reload_conf()');
  });
}

function kill(kind: FaultKind, target: Killable): Fault {
  return { kind, inject: () => target.kill9(), lift: () => target.start() };
}

/** Changes a setting of all sessions, like an operator or a failover. */
async function setReadOnly(databaseUrl: string, value: 'on' | 'off'): Promise<void> {
  await withDatabase(databaseUrl, async (db) => {
    await db.raw(`alter system set default_transaction_read_only = ${value}`);
    await db.raw('select pg_reload_conf()');
  });
}
