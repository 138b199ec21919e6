import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import type { Knex } from 'knex';
import { connectDatabase } from '../../db/core/connect-database.ts';
import { dropOldPeriods } from '../../db/ledger/upkeep/drop-old-periods.ts';
import { keepLedgerPeriods } from '../../db/ledger/upkeep/ledger-periods.ts';
import type { StopList } from '../../dev/processes/stop-list.ts';
import { countWaiting, readLedger } from '../faults/ledger-facts.ts';
import { randomFrom } from '../harness/random.ts';
import type { ServiceProcess } from '../harness/system/service-process.ts';
import { until } from '../harness/until.ts';
import { admin, type Generation } from '../system/releases/upgrade/generation.ts';
import {
  createTenant,
  type Installation,
  startInstallation,
  type Tenant,
} from '../system/releases/upgrade/installation.ts';
import { move, startGeneration } from '../system/releases/upgrade/move.ts';
import { tree } from '../system/releases/last-release.ts';
import { type Act, apiActs, repeatActs } from './acts.ts';
import { createJudge, repeatedOf, type Sample } from './judge.ts';
import { type Profile, profiles } from './profiles.ts';
import { type SoakReceiver, startSoakReceiver } from './receiver.ts';
import { type ProfileRow, reportOf, sampleHeader, sampleLine, type SoakReport } from './report.ts';
import { SoakLog } from './soak-log.ts';
import { startTraffic, type Traffic } from './traffic.ts';

export interface RunSoak {
  readonly minutes: number;
  readonly seed: number;
  readonly say: (text: string) => void;
}

const MINUTE_MS = 60_000;
/** Longer than the outages of a receiver. */
const SCHEDULE_SECONDS = [1, 5, 15, 30, 60, 120, 240];
const DRAIN_TIMEOUT_MS = 10 * MINUTE_MS;
/** So short that periods of the ledger begin and go several times in an hour. */
const RETENTION_MS = 10 * MINUTE_MS;
/** What the product adds to the retention before it drops a whole period. */
const RETENTION_MARGIN_MS = 60 * MINUTE_MS;

const settings = {
  RETRY_SCHEDULE_SECONDS: SCHEDULE_SECONDS.join(),
  CIRCUIT_PROBE_SECONDS: '2,5,10',
  CONTAINER_POLL_SECONDS: '1,2,5',
};

/** Runs an installation for long under mixed traffic, with kills and an upgrade, and judges it every minute. */
export async function runSoak({ minutes, seed, say }: RunSoak, stops: StopList): Promise<SoakReport> {
  const log = new SoakLog();
  const onLine = (line: string): void => log.add(line);
  const version = { name: 'this tree', root: tree };
  const installation = await startInstallation({ settings, say }, stops);
  await admin({ version, env: installation.env, parameters: ['migrate'] });
  const first = await installation.generation(version, { onLine });
  const next = await installation.generation(version, { onLine, env: { WORKER_BUILD_ID: 'soak-next' } });
  await startGeneration(installation, first);
  const fleet = new Fleet({ installation, first, next });

  const startedAtMs = performance.now();
  const elapsedMs = (): number => performance.now() - startedAtMs;
  const random = randomFrom(seed);
  const receiver = await startSoakReceiver({ profiles, elapsedMs, random: () => random.between(0, 1) }, stops);
  const tenant = await createTenant(installation, version);
  const sources = [];
  for (const profile of profiles) sources.push({ profile, ...(await connected(tenant, { profile, receiver })) });
  const byName = new Map(sources.map((source) => [source.profile.name, source]));
  const traffic = startTraffic({ ...installation, sources, elapsedMs }, stops);
  const { db, client } = await connections(installation, stops);
  const photos = await tenant.channel('photoapp');
  await tenant.api.callUntilDone(`GET /platform/channels/${photos.id}/token`);
  const channels = { photos, edited: byName.get('edited')!, replayed: byName.get('replayed')! };
  const acts = repeatActs(
    [
      ...apiActs({ tenant, receiver, ...channels }),
      ...fleet.kills(),
      { name: 'retention', everyMs: 2 * MINUTE_MS, run: () => dropPeriods(db) },
    ],
    stops,
  );
  const processes = () => fleet.standing();
  const judge = createJudge({ profiles, traffic, receiver, log, acts, db, client, processes, elapsedMs });

  say(sampleHeader);
  const samples: Sample[] = [];
  const upgradeAt = Math.ceil(minutes / 2);
  for (let minute = 1; minute <= minutes; minute++) {
    if (minute === upgradeAt) await fleet.upgrade({ client, say });
    await sleep(Math.max(0, minute * MINUTE_MS - elapsedMs()));
    const sample = await judge();
    samples.push(sample);
    say(sampleLine(sample));
    for (const problem of sample.problems) say(`PROBLEM: ${problem}`);
  }
  say('Waiting until every delivery has ended.');
  await acts.stop();
  await traffic.stop();
  receiver.heal();
  const isSettled = async (): Promise<boolean> => (await countWaiting(db)) === 0;
  await until(isSettled, { for: 'The end of every delivery', timeoutMs: DRAIN_TIMEOUT_MS });
  samples.push(await judge());
  const { broken } = await readLedger(db, { scheduleMs: SCHEDULE_SECONDS.map((seconds) => seconds * 1_000) });
  return reportOf({
    minutes,
    samples,
    kills: fleet.killCount,
    broken,
    profiles: profiles.map((profile) => rowOf(profile, { traffic, receiver })),
    acts: Object.fromEntries(acts.done),
    warnings: Object.fromEntries(log.counts),
  });
}

interface FleetOptions {
  readonly installation: Installation;
  readonly first: Generation;
  readonly next: Generation;
}

/** The processes, of which some are killed and all replaced. A kill and the upgrade never overlap. */
class Fleet {
  killCount = 0;
  readonly #options: FleetOptions;
  #serving: Generation;
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: FleetOptions) {
    this.#options = options;
    this.#serving = options.first;
  }

  /** The second worker is killed, so that the first one shows what long life does. */
  standing(): Record<'api' | 'gateway' | 'worker', ServiceProcess> {
    const { api, gateway, workers } = this.#serving;
    return { api, gateway, worker: workers[0] };
  }

  kills(): readonly Act[] {
    const kill = (pick: (serving: Generation) => ServiceProcess) => () =>
      this.#alone(async () => {
        const process = pick(this.#serving);
        await process.kill9();
        this.killCount++;
        await process.start();
      });
    return [
      { name: 'kill of a worker', everyMs: 4 * MINUTE_MS, run: kill(({ workers }) => workers[1]) },
      { name: 'kill of the API', everyMs: 7 * MINUTE_MS, run: kill(({ api }) => api) },
    ];
  }

  async upgrade({ client, say }: { client: Client; say: (text: string) => void }): Promise<void> {
    const { installation, first, next } = this.#options;
    await this.#alone(async () => {
      const problems = await move(installation, { from: first, to: next, isRollback: false, client, say });
      if (problems.length > 0) throw new Error(problems.join('\n'));
      this.#serving = next;
    });
  }

  async #alone(act: () => Promise<void>): Promise<void> {
    const done = this.#last.then(act);
    this.#last = done.catch(() => undefined);
    await done;
  }
}

interface Connecting {
  readonly profile: Profile;
  readonly receiver: SoakReceiver;
}

async function connected({ api, channel }: Tenant, { profile: { name, debounce }, receiver }: Connecting) {
  const made = await channel('chatapp');
  const expect200 = async (route: string, body: unknown): Promise<void> => {
    const answer = await api.callUntilDone(route, body);
    if (answer.status !== 200) throw new Error(`${route} was answered ${answer.status}`);
  };
  const webhook = { webhookUrl: receiver.urlOf(name), verifyToken: randomUUID() };
  await expect200(`PUT /webhook-config/${made.id}`, webhook);
  if (debounce) await expect200(`PATCH /channels/${made.id}/destinations`, { destination: 'webhook', debounce });
  return made;
}

async function connections({ databaseUrl, temporalAddress }: Installation, stops: StopList) {
  const db = connectDatabase({ url: databaseUrl, applicationName: 'soak', poolSize: 2 });
  stops.add({ name: 'connections to the database', stop: () => db.destroy() });
  const connection = await Connection.connect({ address: temporalAddress });
  stops.add({ name: 'connection to Temporal', stop: () => connection.close() });
  return { db, client: new Client({ connection }) };
}

/** Retention counts days, so the run does what the product's schedule does, with minutes. */
async function dropPeriods(db: Knex): Promise<void> {
  await keepLedgerPeriods(db, { retentionMs: RETENTION_MS, minIds: 1 });
  const cutoff = new Date(Date.now() - RETENTION_MS + RETENTION_MARGIN_MS);
  // A period whose lock others hold is tried again by the next call. If all are, the tables grow.
  const steps = dropOldPeriods(db, { cutoff, retentionMs: RETENTION_MS, minBytes: 0 });
  while (!(await steps.next()).done);
}

function rowOf(profile: Profile, { traffic, receiver }: { traffic: Traffic; receiver: SoakReceiver }): ProfileRow {
  const { name, isUp } = profile;
  const [acknowledged, { countById }] = [[...traffic.acknowledgedAtMs.get(name)!.keys()], receiver.recordOf(name)];
  return {
    name,
    acknowledged: acknowledged.length,
    arrived: countById.size,
    repeated: repeatedOf(profile, receiver),
    // Deliveries to a dead receiver have used up their schedule.
    lost: isUp === null ? 0 : acknowledged.filter((id) => !countById.has(id)).length,
  };
}
