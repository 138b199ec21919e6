import type { Client } from '@temporalio/client';
import type { Knex } from 'knex';
import { residentMb } from '../../bench/system/process-facts.ts';
import { countWaiting } from '../faults/ledger-facts.ts';
import type { ServiceProcess } from '../harness/system/service-process.ts';
import { stuckRuns } from '../system/releases/upgrade/histories.ts';
import type { ActCounts } from './acts.ts';
import type { Profile } from './profiles.ts';
import type { SoakReceiver } from './receiver.ts';
import type { SoakLog } from './soak-log.ts';
import type { Traffic } from './traffic.ts';

/** What was seen in a minute. */
export interface Sample {
  readonly minute: number;
  readonly acknowledged: number;
  readonly arrived: number;
  readonly repeated: number;
  /** Deliveries of the ledger that have not ended. */
  readonly waiting: number;
  readonly apiMb: number;
  readonly gatewayMb: number;
  /** Of the worker that is not killed. */
  readonly workerMb: number;
  readonly tablesMb: number;
  readonly indexesMb: number;
  readonly connections: number;
  readonly problems: readonly string[];
}

export interface Judged {
  readonly profiles: readonly Profile[];
  readonly traffic: Traffic;
  readonly receiver: SoakReceiver;
  readonly log: SoakLog;
  readonly acts: ActCounts;
  readonly db: Knex;
  readonly client: Client;
  readonly processes: () => Record<'api' | 'gateway' | 'worker', ServiceProcess>;
  readonly elapsedMs: () => number;
}

/** Longer than a killed worker's shards wait for another, and than the probes of a circuit take. */
const PATIENCE_MS = 60_000;
const SHOWN = 5;

/** Returns a function that judges the minute since its last call. */
export function createJudge(judged: Judged): () => Promise<Sample> {
  const { traffic, receiver, log, acts, profiles, processes, elapsedMs } = judged;
  let stuckBefore: readonly string[] = [];
  let disorderedBefore: ReadonlySet<string> = new Set();
  return async () => {
    const nowMs = elapsedMs();
    const stuck = (await stuckRuns(judged.client)).map((text) => text.replace(/:.*/, ''));
    const records = profiles.map(({ name }) => receiver.recordOf(name));
    const disordered = records.flatMap(({ disorderedIds }) => disorderedIds);
    const { api, gateway, worker } = processes();
    const problems = [
      ...profiles.flatMap((profile) => lateOf(profile, judged, nowMs)),
      ...disordered.filter((id) => !disorderedBefore.has(id)).map((id) => `${id} arrived after a later one`),
      // A killed worker's tasks are tried again, which takes less than a minute.
      ...stuck.filter((id) => stuckBefore.includes(id)).map((id) => `${id}: its workflow tasks fail`),
      ...log.takeUnexpected(),
      ...acts.takeFailures(),
    ];
    [stuckBefore, disorderedBefore] = [stuck, new Set(disordered)];
    return {
      minute: Math.round(nowMs / 60_000),
      acknowledged: sum([...traffic.acknowledgedAtMs.values()].map(({ size }) => size)),
      arrived: sum(records.map(({ countById }) => countById.size)),
      repeated: sum(profiles.map((profile) => repeatedOf(profile, receiver))),
      waiting: await countWaiting(judged.db),
      apiMb: memoryOf(api),
      gatewayMb: memoryOf(gateway),
      workerMb: memoryOf(worker),
      ...(await databaseFacts(judged.db)),
      problems,
    };
  };
}

/** Returns how often a delivery arrived again without a replay. */
export function repeatedOf({ name, isReplayed = false }: Profile, receiver: SoakReceiver): number {
  return isReplayed ? 0 : receiver.recordOf(name).repeatedCount;
}

/** An event that has not arrived waits beyond its reason if its receiver has been up for long enough. */
function lateOf(profile: Profile, { traffic, receiver }: Judged, nowMs: number): string[] {
  const { name, isUp } = profile;
  if (isUp === null || (isUp && !(isUp(nowMs) && isUp(nowMs - PATIENCE_MS)))) return [];
  const { countById } = receiver.recordOf(name);
  const late = [...traffic.acknowledgedAtMs.get(name)!].filter(
    ([id, atMs]) => atMs < nowMs - PATIENCE_MS && !countById.has(id),
  );
  const ids = late.slice(0, SHOWN).map(([id]) => id);
  return late.length > 0 ? [`${late.length} events of ${name} have not arrived, such as ${ids.join(', ')}`] : [];
}

async function databaseFacts(db: Knex): Promise<Pick<Sample, 'tablesMb' | 'indexesMb' | 'connections'>> {
  const { rows } = await db.raw<{ rows: { tables: number; indexes: number; connections: number }[] }>(
    `select sum(pg_table_size(oid))::float8 as tables, sum(pg_indexes_size(oid))::float8 as indexes,
       (select count(*)::int from pg_stat_activity where datname = current_database()) as connections
     from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`,
  );
  const { tables, indexes, connections } = rows[0]!;
  return { tablesMb: toMb(tables), indexesMb: toMb(indexes), connections };
}

const toMb = (bytes: number): number => Math.round(bytes / 2 ** 20);

function memoryOf(process: ServiceProcess): number {
  return process.isAlive() ? residentMb(process.pid) : 0;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
