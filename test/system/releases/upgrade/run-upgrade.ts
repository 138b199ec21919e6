import { setTimeout as sleep } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import type { StopList } from '../../../../dev/processes/stop-list.ts';
import { countWaiting, type LedgerFacts, readLedger } from '../../../faults/ledger-facts.ts';
import { withDatabase } from '../../../faults/database.ts';
import { startLoad } from '../../../faults/load.ts';
import { alternatingMisbehaviour } from '../../../faults/receivers/misbehaviour-schedule.ts';
import { randomFrom } from '../../../harness/random.ts';
import { until } from '../../../harness/until.ts';
import { startGatewayCalls } from './gateway-calls.ts';
import { admin, type Generation } from './generation.ts';
import { endedTypes, readRuns, untilEnded, untilOpen, untilUnstuck } from './histories.ts';
import { createTenant, type Installation, startInstallation, type Tenant } from './installation.ts';
import { move, startGeneration } from './move.ts';
import { holdSave, openRuns, setWebhook } from './open-runs.ts';
import { PhaseClock } from './phases.ts';
import { startHook } from './receivers.ts';
import type { LoadedChannel, RunUpgrade } from './plan.ts';
import { reportOf, type UpgradeReport } from './report.ts';

const CONVERSATIONS_EACH = 5;
const SCHEDULE_SECONDS = [0.5, 1, 2, 3, 4, ...Array<number>(200).fill(5)];
const DRAIN_TIMEOUT_MS = 180_000;

/** A run of each is open during both moves. */
const openTypes = ['carryContainer', 'deliverWebhook', 'destinationCircuit', 'replayDeliveries', 'rotateToken'];

const settings = {
  // Longer than any run, so that nothing is exhausted.
  RETRY_SCHEDULE_SECONDS: SCHEDULE_SECONDS.join(),
  CIRCUIT_PROBE_SECONDS: '0.5,1',
  CONTAINER_POLL_SECONDS: '0.5',
  // Longer than the run: the order is guaranteed throughout.
  CONVERSATION_HOLD_SECONDS: '86400',
  // The release that rolls back may lack the workflow of the checks, which then would not end.
  CHANNEL_HEALTH_HOURS: '0',
};

/**
 * Upgrades an installation under load and rolls it back, with real processes of two versions, and with runs of each kind
 * open across both moves. Nothing may be lost or reordered, and no run may fail a workflow task.
 */
export async function runUpgrade(options: RunUpgrade, stops: StopList): Promise<UpgradeReport> {
  const { from, to, say } = options;
  const installation = await startInstallation({ settings, say }, stops);
  const { env } = installation;
  await admin({ version: from, env, parameters: ['migrate'] });
  const old = await installation.generation(from);
  const next = await installation.generation(to);
  await startGeneration(installation, old);
  const tenant = await createTenant(installation, from);
  const receivers = await connectChannels({ tenant, seed: options.seed }, stops);
  const { channels } = receivers;
  const traffic = await startTraffic({ installation, tenant, receivers, options }, stops);
  const client = await temporalClient(installation, stops);
  const clock = new PhaseClock();
  const stage = { installation, tenant, receivers, client, clock, options };

  const { problems, finishReplays } = await moveAndBack(stage, { old, next });
  receivers.heal();
  await traffic.stop();
  say('Everything is healed; waiting until every delivery and every run has ended.');
  const replayedCount = await finishReplays();
  const ledger = await settle(installation, client);
  const facts = { ...traffic, ledger, runs: await readRuns(client), phases: clock.phases, replayedCount };
  const report = reportOf({ ...facts, ...options, channels, problems: [...problems, ...deadProcesses(old)] });
  if (report.problems.length > 0) say(installation.log.tail());
  return report;
}

interface Stage {
  readonly installation: Installation;
  readonly tenant: Tenant;
  readonly receivers: Awaited<ReturnType<typeof connectChannels>>;
  readonly client: Client;
  readonly clock: PhaseClock;
  readonly options: RunUpgrade;
}

/** Opens runs, moves to the next version and back, and ends the runs. */
async function moveAndBack(stage: Stage, { old, next }: { old: Generation; next: Generation }) {
  const { installation, tenant, receivers, client, clock, options } = stage;
  const { channels } = receivers;
  const serve = (generation: Generation) => untilServed({ generation, channels, client, servesMs: options.servesMs });
  const beforeKill = options.kills ? () => saveDuringKill(stage) : undefined;
  const moving = { beforeKill, client, say: options.say };

  clock.begin('before');
  await serve(old);
  const runs = await openRuns({ tenant, replayed: channels.find(({ name }) => name === 'replayed')! });
  const open = await untilOpen(client, openTypes);
  clock.begin('upgrade');
  await admin({ version: options.to, env: installation.env, parameters: ['migrate'] });
  const problems = await move(installation, { ...moving, from: old, to: next, isRollback: false });
  clock.begin('upgraded');
  await serve(next);
  await runs.afterUpgrade();
  clock.begin('rollback');
  problems.push(...(await move(installation, { ...moving, from: next, to: old, isRollback: true })));
  clock.begin('rolled back');
  await serve(old);
  const ended = await endedTypes(client, open);
  problems.push(...ended.map((type) => `no run of ${type} was open during both moves`));
  await runs.afterRollback();
  clock.end();
  return { problems, finishReplays: () => runs.finish() };
}

/** The worker is killed while a save waits for its first probe. */
async function saveDuringKill({ tenant, receivers, options }: Stage): Promise<() => Promise<void>> {
  const { saved } = receivers;
  const save = await holdSave(tenant.api, saved, saved.hook);
  return async () => {
    const { status, body } = await save.release();
    // A save has a deadline, which a busy machine may miss. Its run ends all the same.
    if (status !== 200) options.say(`The save during the kill was answered ${status}: ${JSON.stringify(body)}`);
  };
}

async function startTraffic(
  { installation, tenant, receivers, options }: Omit<Stage, 'client' | 'clock'>,
  stops: StopList,
) {
  const { channels, sentAtMs } = receivers;
  const { ratePerSecond, from, say } = options;
  const { body } = await tenant.api.call(`GET /platform/channels/${channels[0]!.id}/token`);
  const url = `${installation.gatewayUrl}/platform/v22.0/${channels[0]!.resourceId}`;
  const gatewayCalls = startGatewayCalls({ url, token: String(body.token) });
  stops.add({ name: 'calls to the gateway', stop: () => gatewayCalls.stop() });
  const load = startLoad({
    ...installation,
    ratePerSecond,
    conversationsEach: CONVERSATIONS_EACH,
    sentAtMs,
    channels: channels.map(({ resourceId }) => ({ resourceId, isOpen: () => true })),
  });
  stops.add({ name: 'load', stop: () => load.abandon() });
  say(`${from.name} serves; the load begins: ${ratePerSecond} events a second.`);
  return {
    load,
    gatewayCalls,
    async stop() {
      await load.stop();
      await gatewayCalls.stop();
    },
  };
}

async function connectChannels({ tenant, seed }: { tenant: Tenant; seed: number }, stops: StopList) {
  const sentAtMs = new Map<string, number>();
  const flaky = alternatingMisbehaviour(randomFrom(seed));
  stops.add({ name: 'flaky receiver', stop: async () => flaky.heal() });
  let isHealed = false;
  let refused: string | undefined;
  /** Refuses one conversation, so that the circuit stays closed and a workflow makes the retries. */
  const isOfRefused = (id: string): boolean => {
    const conversation = id.slice(0, id.lastIndexOf('.'));
    refused ??= conversation;
    return !isHealed && conversation === refused;
  };
  const connect = async <Name extends string>(name: Name, isRefusing?: (id: string) => boolean) => {
    const options = { name, sentAtMs: (id: string) => sentAtMs.get(id), ...(isRefusing && { isRefusing }) };
    const hook = await startHook(options, stops);
    const channel = await tenant.channel('chatapp');
    await setWebhook(tenant.api, channel, hook);
    return { ...channel, name, hook };
  };
  const channels: LoadedChannel[] = [
    await connect('healthy'),
    await connect('flaky', flaky.isActive),
    await connect('picky', isOfRefused),
    await connect('refusing', () => !isHealed),
    await connect('replayed'),
  ];
  const heal = (): void => {
    flaky.heal();
    isHealed = true;
  };
  return { sentAtMs, channels, saved: await connect('saved'), heal };
}

async function temporalClient({ temporalAddress }: Installation, stops: StopList): Promise<Client> {
  const connection = await Connection.connect({ address: temporalAddress });
  stops.add({ name: 'connection to Temporal', stop: () => connection.close() });
  return new Client({ connection });
}

interface Serving {
  readonly generation: Generation;
  readonly channels: readonly LoadedChannel[];
  readonly client: Client;
  readonly servesMs: number;
}

/** Waits until the version has delivered new events to each healthy receiver, and no run waits for it. */
async function untilServed({ generation, channels, client, servesMs }: Serving): Promise<void> {
  const startedAtMs = performance.now();
  const healthy = channels.filter(({ name }) => name === 'healthy' || name === 'replayed');
  const { name } = generation.version;
  await sleep(servesMs);
  await until(() => healthy.every(({ hook }) => hook.record.youngestSentAtMs > startedAtMs), {
    for: `Deliveries by ${name}`,
  });
  await untilUnstuck(client, `with ${name}`);
}

async function settle({ databaseUrl }: Installation, client: Client): Promise<LedgerFacts> {
  const isSettled = async (): Promise<boolean> => (await withDatabase(databaseUrl, countWaiting)) === 0;
  await until(isSettled, { for: 'The end of every delivery', timeoutMs: DRAIN_TIMEOUT_MS });
  await untilEnded(client);
  await untilUnstuck(client, 'at the end');
  const scheduleMs = SCHEDULE_SECONDS.map((seconds) => seconds * 1_000);
  return await withDatabase(databaseUrl, (db) => readLedger(db, { scheduleMs }));
}

function deadProcesses({ version, api, gateway, workers }: Generation): string[] {
  return Object.entries({ api, gateway, 'worker 1': workers[0], 'worker 2': workers[1] }).flatMap(([name, process]) =>
    process.isAlive() ? [] : [`the ${name} of ${version.name} ended by itself`],
  );
}
