import { withDatabase } from './database.ts';
import type { Disk } from './disk.ts';

export const faultKinds = [
  'worker killed',
  'api killed',
  'Temporal killed',
  'PostgreSQL killed',
  'database read-only',
  'disk full',
] as const;
export type FaultKind = (typeof faultKinds)[number];

/** Injecting and lifting may be slow while another fault is active. */
export interface Fault {
  readonly kind: FaultKind;
  inject(): Promise<void>;
  lift(): Promise<void>;
}

interface Killable {
  kill9(): Promise<void>;
  start(): Promise<void>;
}

export interface FaultTargets {
  readonly worker: Killable;
  readonly api: Killable;
  readonly temporal: Killable;
  readonly postgres: Killable;
  readonly databaseUrl: string;
  readonly disk: Disk;
}

export function faultsOf({ worker, api, temporal, postgres, databaseUrl, disk }: FaultTargets): readonly Fault[] {
  return [
    kill('worker killed', worker),
    kill('api killed', api),
    kill('Temporal killed', temporal),
    kill('PostgreSQL killed', postgres),
    {
      kind: 'database read-only',
      inject: () => setReadOnly(databaseUrl, 'on'),
      lift: () => setReadOnly(databaseUrl, 'off'),
    },
    { kind: 'disk full', inject: disk.fill, lift: disk.free },
  ];
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
