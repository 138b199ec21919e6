import { randomUUID } from 'node:crypto';
import { createWorkerShares } from '../../../worker/worker-shares.ts';
import type { ExecutionContext } from 'ava';
import { createSendDelivery, type SendDelivery } from '../../../activities/deliveries/send-delivery.ts';
import {
  createCircuitActivities,
  type ProbeAnswer,
  type ProbeDestination,
} from '../../../activities/destinations/circuit-activities.ts';
import { createDeliveryActivities } from '../../../activities/deliveries/delivery-activities.ts';
import { createOpenCredentials, createOpenSecret } from '../../../activities/signing/open-secret.ts';
import type { PumpCounts, PumpSettings } from '../../../activities/pump/worker-pump.ts';
import { parseCidrs } from '../../../contract/addresses/classify-address.ts';
import { readWebhookSecret } from '../../../db/webhooks/secrets.ts';
import { createEgress, type Egress } from '../../../egress/client.ts';
import type { WorkerMeter } from '../../../metrics/worker-metrics.ts';
import { startReceiver } from '../../../simulator/receiver/receiver.ts';
import type { ReceivedRequest, ScriptedWebhook } from '../../../simulator/receiver/scripted-webhook.ts';
import { inActivity } from '../temporal/activity.ts';
import { eventually } from '../eventually.ts';
import { aWebhookDestination, hotLedger, type HotLedger, type LedgerChannel } from './hot-ledger.ts';
import { rememberingLog } from '../quiet-log.ts';
import { extendLeases } from './extend-leases.ts';
import { runLeasedPump } from './leased-pump.ts';
import { testBodyBox, testSecretBox } from '../tenants.ts';
import { pumpDeps, notificationsOf } from './pump-deps.ts';

/** Until the test releases the answer, however slow the machine is. */
export const HELD_MS = 120_000;

/** Long, so that no result depends on the waits and each failed delivery gets its workflow. */
const settings: PumpSettings = {
  scheduleMs: [180_000, 180_000],
  conversationHoldMs: 300_000,
  destinationInFlight: 16,
  workspaceInFlight: 64,
  probeDelaysMs: [60_000],
  failingDisableMs: 432_000_000,
  attemptTimeoutMs: HELD_MS,
};

export interface RunningPump {
  readonly promoted: readonly number[];
  readonly signalledIds: readonly number[];
  readonly ended: Promise<PumpCounts>;
  stop(): Promise<PumpCounts>;
}

export interface PumpOptions extends Partial<PumpSettings> {
  readonly holder?: string;
  readonly sendDelivery?: SendDelivery;
  readonly meter?: WorkerMeter;
  readonly onPromoted?: (id: number) => void;
  readonly onCircuitsSignalled?: (destinationId: number) => void;
}

export type PumpStage = Awaited<ReturnType<typeof pumpStage>>;

const openers = {
  openSecret: createOpenSecret(testSecretBox),
  openCredentials: createOpenCredentials(testSecretBox),
};

async function aReceiver(t: ExecutionContext<unknown>) {
  const receiver = await startReceiver({ port: 0 });
  t.teardown(() => receiver.stop());
  return receiver;
}

function localEgress(t: ExecutionContext<unknown>, maxConnectionsPerGroup: number): Egress {
  const limits = { timeoutMs: 2 * HELD_MS, maxConnectionsPerGroup };
  const egress = createEgress({ allowCidrs: parseCidrs('127.0.0.0/8'), allowHttp: true, ...limits });
  t.teardown(() => egress.close());
  return egress;
}

export async function pumpStage(
  t: ExecutionContext<unknown>,
  { bodyBox = testBodyBox, connections = 64 }: { bodyBox?: typeof testBodyBox; connections?: number } = {},
) {
  const ledger = await hotLedger(t, { prepare: extendLeases });
  const receiver = await aReceiver(t);
  const egress = localEgress(t, connections);
  const log = rememberingLog();
  const wake = notificationsOf(t, ledger);

  const { db, pool, idKey } = ledger;
  const sendDelivery = createSendDelivery({ egress, idKey, ...openers, bodyBox });
  const { webhook, destination } = await aReceivingWebhook(ledger, ledger.channel, receiver.webhook('main'));
  const pumps: RunningPump[] = [];
  t.teardown(() => Promise.all(pumps.map((pump) => pump.stop())));

  function startPump({ holder = 'pump', onPromoted, onCircuitsSignalled, ...others }: PumpOptions = {}) {
    const stopping = new AbortController();
    const promoted: number[] = [];
    const signalledIds: number[] = [];
    const signalCircuits = (ids: readonly number[]): void => {
      signalledIds.push(...ids);
      for (const id of ids) onCircuitsSignalled?.(id);
    };
    const promote = (ids: ReadonlySet<number>): void => {
      promoted.push(...ids);
      for (const id of ids) onPromoted?.(id);
    };
    const { meter, sendDelivery: ownSend = sendDelivery, ...ownSettings } = others;
    const deps = pumpDeps({
      pool,
      wake,
      log,
      holder: `${holder}/${randomUUID()}`,
      meter,
      sendDelivery: ownSend,
      promote,
      signalCircuits,
      settings: { ...settings, ...ownSettings },
    });
    const ended = runLeasedPump(deps, { signal: stopping.signal });
    const stop = (): Promise<PumpCounts> => {
      stopping.abort();
      return ended;
    };
    pumps.push({ promoted, signalledIds, ended, stop });
    return pumps.at(-1)!;
  }

  const signalledIds: number[] = [];
  const signalCircuits = (ids: readonly number[]): void => void signalledIds.push(...ids);
  const { receivers: receiverShares } = createWorkerShares();
  const deliveryActivities = createDeliveryActivities({
    pool,
    idKey,
    sendDelivery,
    receiverShares,
    signalCircuits,
    settings,
    log,
    baseUrl: 'https://api.example.com',
  });
  const wokenIds: string[] = [];
  const wakeDelivery = async (id: string): Promise<void> => void wokenIds.push(id);
  const circuits = createCircuitActivities({
    db,
    pool,
    idKey,
    sendDelivery,
    receiverShares,
    wakeDelivery,
    settings,
    log,
  });
  /** Adds the deliveries that the activity has signalled. */
  const withWoken = async (act: () => Promise<ProbeAnswer>) => {
    const before = wokenIds.length;
    const answer = await act();
    return { ...answer, woken: wokenIds.slice(before) };
  };
  let heartbeatCount = 0;
  const onHeartbeat = (): void => void heartbeatCount++;
  const circuitActivities = {
    ...circuits,
    probeDestination: (probe: ProbeDestination) =>
      withWoken(() => inActivity(() => circuits.probeDestination(probe), { onHeartbeat })),
    closeCircuitByHand: (close: { destinationId: number }) => withWoken(() => circuits.closeCircuitByHand(close)),
  };
  const activities = {
    deliveryActivities,
    circuitActivities,
    receiverShares,
    signalledIds,
    heartbeats: () => heartbeatCount,
  };
  return { ...ledger, receiver, egress, log, wake, webhook, destination, sendDelivery, ...activities, startPump };
}

const MARKER = 0;

/** Resolves when the pumps have received the notifications of all committed changes. */
export async function untilNotified({ wake, destination, pool }: PumpStage): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const stop = wake.subscribe((_, id) => id === MARKER && resolve());
  await pool.query("select pg_notify('deliveries', $1)", [`${destination.shard}:${MARKER}`]);
  await promise;
  stop();
}

export async function aReceivingWebhook(
  ledger: Pick<HotLedger, 'db'>,
  channel: Omit<LedgerChannel, 'resourceId'>,
  webhook: ScriptedWebhook,
) {
  const destination = await aWebhookDestination(ledger, channel, webhook.url);
  const key = { channelId: channel.id, channelPublicId: channel.publicId };
  webhook.set({ secret: (await readWebhookSecret(ledger.db, testSecretBox, key)).secret });
  return { webhook, destination };
}

export async function untilAll(stage: PumpStage, status: string): Promise<void> {
  await eventually(async () => (await statusesOf(stage)).every((each) => each === status));
}

export async function statusesOf({ db }: PumpStage): Promise<string[]> {
  const rows = await db<{ id: number; status: string }>('deliveries').orderBy('id').select('status');
  return rows.map(({ status }) => status);
}

export const idsOf = (requests: readonly ReceivedRequest[]) =>
  requests.map(({ headers }) => String(headers['x-service-delivery-id']));
