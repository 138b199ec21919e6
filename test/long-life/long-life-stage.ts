import type { ExecutionContext } from 'ava';
import { createWorkerShares } from '../../worker/worker-shares.ts';
import { createDeliveryActivities } from '../../activities/deliveries/delivery-activities.ts';
import type { SendDelivery } from '../../activities/deliveries/send-delivery.ts';
import { createCircuitActivities } from '../../activities/destinations/circuit-activities.ts';
import type { PumpSettings } from '../../activities/pump/worker-pump.ts';
import { createRetentionActivities } from '../../activities/upkeep/retention-activities.ts';
import { defaultRetryScheduleMs, retryDelayMs, wholeScheduleMs } from '../../contract/deliveries/retry-schedule.ts';
import { defaultFailingDisableMs, defaultProbeDelaysMs, probeDelayMs } from '../../contract/destinations/circuit.ts';
import { sequencedId } from '../../contract/ids.ts';
import { retentionTasks } from '../../contract/upkeep/retention.ts';
import { allShards } from '../../contract/deliveries/shards.ts';
import { keepLedgerPeriods } from '../../db/ledger/upkeep/ledger-periods.ts';
import { releaseDueRetries } from '../../db/ledger/release-due-retries.ts';
import type { HeldLease } from '../../db/ledger/shards/shard-leases.ts';
import { endVoid } from '../harness/end-void.ts';
import { extendLeases } from '../harness/deliveries/extend-leases.ts';
import {
  accepted,
  aSubscriptionDestination,
  aWebhookDestination,
  anItem,
  hotLedger,
} from '../harness/deliveries/hot-ledger.ts';
import { runLeasedPump } from '../harness/deliveries/leased-pump.ts';
import { rememberingLog } from '../harness/quiet-log.ts';
import { inActivity } from '../harness/temporal/activity.ts';
import { jumpingClock } from '../harness/time/jumping-clock.ts';
import { until } from '../harness/until.ts';
import { brokenInvariants } from '../faults/ledger-facts.ts';
import { pumpDeps, notificationsOf } from '../harness/deliveries/pump-deps.ts';

/**
 * Runs the pumps, the ledger and the retention of one installation for weeks in minutes: the clock jumps to the next time
 * at which something is due. The stage does what the workflows of deliveries and circuits do at that time, with their
 * activities. After each jump it compares the ledger with what the receivers got.
 */

const SECOND_MS = 1_000;
const DAY_MS = 86_400_000;
/** Far less than the two minutes after which a pump takes a probe for lost, because a busy machine takes time, too. */
const LATE_PROBE_MS = 10_000;
/** Some periods begin and end within a week of a few events an hour. */
const PERIOD_EVENTS = 100;

const settings: PumpSettings = {
  scheduleMs: defaultRetryScheduleMs,
  conversationHoldMs: 300_000,
  destinationInFlight: 64,
  workspaceInFlight: 256,
  probeDelaysMs: defaultProbeDelaysMs,
  failingDisableMs: defaultFailingDisableMs,
  attemptTimeoutMs: 15_000,
};

/** With the least jitter. A delivery that waits for a circuit has longer. */
const SHORTEST_SCHEDULE_MS = 0.8 * settings.scheduleMs.reduce((sum, delayMs) => sum + delayMs, 0);

/** What a receiver answers to its next requests. */
export type Behavior =
  | { readonly kind: 'accepts' | 'refuses' }
  /** Refuses each request whose number is divisible by `every`. */
  | { readonly kind: 'flaky'; readonly every: number }
  /** Asks for a pause. */
  | { readonly kind: 'pauses'; readonly seconds: number };

interface Request {
  readonly deliveryId: number;
  readonly number: number;
  readonly atMs: number;
  readonly isAccepted: boolean;
  readonly by: 'pump' | 'workflow';
  /** The clock jumped minutes past a probe, as if all processes had been suspended: pump and workflow both send one. */
  readonly isAfterPause: boolean;
}

interface Receiver {
  readonly destinationId: number;
  behavior: Behavior;
  requestCount: number;
  readonly requests: Request[];
}

interface DeliveryRow {
  readonly id: number;
  readonly destination_id: number;
  readonly conversation_key: number;
  readonly status: string;
  readonly attempt_count: number;
  readonly created_at: Date;
}

export type LongLifeStage = Awaited<ReturnType<typeof longLifeStage>>;

export async function longLifeStage(t: ExecutionContext, { retentionDays = 30 }: { retentionDays?: number } = {}) {
  const clock = jumpingClock();
  t.teardown(clock.end);
  const prepare = async (db: Parameters<typeof extendLeases>[0]): Promise<void> => {
    await extendLeases(db);
    await clock.prepare(db);
  };
  const ledger = await hotLedger(t, { isNew: true, prepare });
  const { db, pool, idKey, channel } = ledger;
  const log = rememberingLog();
  const wake = notificationsOf(t, ledger);

  const webhook = await aWebhookDestination(ledger, channel);
  const destinationIds = [webhook.id];
  for (let count = 0; count < 3; count++) destinationIds.push(await aSubscriptionDestination(ledger, channel));
  await db('destinations').where({ id: destinationIds[3]! }).update({ ordering: 'none' });
  const receivers = new Map<number, Receiver>(
    destinationIds.map((id) => [
      id,
      { destinationId: id, behavior: { kind: 'accepts' }, requestCount: 0, requests: [] },
    ]),
  );

  const { receivers: receiverShares } = createWorkerShares();
  const circuits = createCircuitActivities({
    db,
    pool,
    idKey,
    receiverShares,
    sendDelivery: sendBy('workflow'),
    settings,
    log,
    wakeDelivery: async () => undefined,
  });
  const deliveries = createDeliveryActivities({
    pool,
    idKey,
    receiverShares,
    sendDelivery: sendBy('workflow'),
    settings,
    log,
    signalCircuits: () => undefined,
    baseUrl: 'https://api.example.com',
  });
  const retention = createRetentionActivities({
    db,
    stopping: new AbortController().signal,
    log,
    retention: { retentionDays, eventKeyDays: 9, auditDays: 400, usageMonths: 12 },
  });
  /** As the workflow of a circuit counts them. */
  const probes = new Map<number, { count: number; openedAtMs: number }>();
  let unrecorded: Request[] = [];
  /** Destinations whose probe was overdue after the last jump. */
  let paused: ReadonlySet<number> = new Set();
  startPumps();

  return { ...ledger, destinationIds, receivers, log, accept, behave, jump, jumpToNext, retain, check, untilQuiet };

  function startPumps(): void {
    const stopping = new AbortController();
    const deps = pumpDeps({ pool, wake, log, holder: 'pump', sendDelivery: sendBy('pump'), settings });
    const ended = runLeasedPump(deps, { signal: stopping.signal });
    t.teardown(async () => {
      stopping.abort();
      await ended;
    });
  }

  function sendBy(by: Request['by']): SendDelivery {
    return ({ id: deliveryId, destinationId }, number) => {
      const receiver = receivers.get(destinationId)!;
      const { behavior } = receiver;
      receiver.requestCount++;
      const isAccepted =
        behavior.kind === 'accepts' || (behavior.kind === 'flaky' && receiver.requestCount % behavior.every !== 0);
      const atMs = Date.now();
      const isAfterPause = paused.has(destinationId);
      const request = { deliveryId, number, atMs, isAccepted, by, isAfterPause };
      receiver.requests.push(request);
      unrecorded.push(request);
      const pause = behavior.kind === 'pauses' ? { 'retry-after': String(behavior.seconds) } : null;
      return Promise.resolve({
        number,
        startedAtMs: atMs,
        durationMs: 1,
        error: null,
        responseBody: null,
        responseHeaders: pause,
        ...(isAccepted
          ? { outcome: 'accepted', status: 200 }
          : { outcome: 'rejected', status: pause === null ? 500 : 429 }),
      });
    };
  }

  async function accept(conversations: readonly number[]): Promise<void> {
    await accepted(
      pool,
      conversations.map((conversationKey) => anItem({ conversationKey })),
    );
  }

  function behave(index: number, behavior: Behavior): void {
    receivers.get(destinationIds[index]!)!.behavior = behavior;
  }

  async function jump(ms: number): Promise<void> {
    const open = await db('destinations').where({ circuit: 'open' }).select('id', 'circuit_probe_at');
    const latestMs = Date.now() + ms - LATE_PROBE_MS;
    paused = new Set(open.filter((row) => row.circuit_probe_at.getTime() < latestMs).map(({ id }) => id));
    await clock.jump(db, ms);
    await untilQuiet();
  }

  /** Jumps to the next time at which something is due, but at most `withinMs` ahead. Returns how far it jumped. */
  async function jumpToNext(withinMs: number): Promise<number> {
    const { rows } = await pool.query<{ in_ms: number | null }>({ name: 'next', text: nextSql, values: [] });
    const ms = Math.min(Math.max(Math.ceil(rows[0]!.in_ms ?? withinMs), 1), withinMs);
    await jump(ms);
    return ms;
  }

  async function retain(): Promise<void> {
    await keepLedgerPeriods(db, { retentionMs: retentionDays * DAY_MS, minIds: PERIOD_EVENTS });
    for (const task of retentionTasks) {
      const removed = await inActivity(() => retention.removeOld({ task, position: 0 }));
      if (!removed.isDone) throw new Error(`${task} has not ended`);
    }
  }

  /** Does what is due until nothing is, so that each waiting delivery has its reason. */
  async function untilQuiet(): Promise<void> {
    await until(
      async () => {
        if ((await dueRows()).length === 0) return await areRecorded();
        await probeCircuits();
        await attemptDeliveries();
        await endVoid(pool);
        await releaseDueRetries(pool, { leases: await heldLeases(), limit: 500 });
        await pool.query(`select pg_notify('deliveries', $1)`, [allShards.join()]);
        return false;
      },
      { for: 'Nothing is due', detail: dueRows },
    );
  }

  async function heldLeases(): Promise<HeldLease[]> {
    return await db('shard_leases').whereNot({ holder: '' }).select('shard', 'fence');
  }

  /** Whether all requests are in the ledger. The clock must not jump before: a probe could repeat one. */
  async function areRecorded(): Promise<boolean> {
    if (unrecorded.length === 0) return true;
    const ids = unrecorded.map(({ deliveryId }) => deliveryId);
    const { rows } = await pool.query<{ delivery_id: number; number: number }>(
      'select delivery_id, number from attempts where delivery_id = any ($1::bigint[])',
      [ids],
    );
    const recorded = new Set(rows.map((row) => `${row.delivery_id} ${row.number}`));
    unrecorded = unrecorded.filter(({ deliveryId, number }) => !recorded.has(`${deliveryId} ${number}`));
    return unrecorded.length === 0;
  }

  async function dueRows(): Promise<unknown[]> {
    return (await pool.query({ name: 'due', text: dueSql, values: [] })).rows;
  }

  async function attemptDeliveries(): Promise<void> {
    const rows = await db('deliveries')
      .where({ status: 'retrying', pump_retries: false })
      .where('next_attempt_at', '<=', new Date())
      .orderBy('id')
      .select('id', 'attempt_count', 'failed_in_schedule');
    for (const row of rows) {
      const failedInSchedule = row.failed_in_schedule;
      const deliveryId = sequencedId(idKey, 'delivery', row.id);
      const attempt = { deliveryId, attempt: row.attempt_count + 1, failedInSchedule, isRequested: false };
      if ((await deliveries.checkDelivery(attempt)).status !== 'due') continue;
      const delayMs = retryDelayMs(settings.scheduleMs, failedInSchedule + 1, Math.random()) ?? null;
      await deliveries.attemptDelivery({ ...attempt, retryDelayMs: delayMs });
    }
  }

  async function probeCircuits(): Promise<void> {
    const open = await db('destinations').where({ circuit: 'open' }).select('id', 'circuit_probe_at');
    for (const id of probes.keys()) if (!open.some((each) => each.id === id)) probes.delete(id);
    for (const { id: destinationId, circuit_probe_at: probeAt } of open) {
      const made = probes.get(destinationId) ?? { count: 0, openedAtMs: Date.now() };
      probes.set(destinationId, made);
      if (probeAt.getTime() > Date.now()) continue;
      const counts = { probesMade: made.count + 1, openForMs: Date.now() - made.openedAtMs };
      const delayMs = probeDelayMs(settings.probeDelaysMs, counts, Math.random());
      const probe = { destinationId, probesMade: made.count, delayMs, isRequested: false };
      await inActivity(() => circuits.probeDestination(probe));
      made.count++;
    }
  }

  /** Throws if the ledger breaks a promise, or says something else than what the receivers got. */
  async function check(): Promise<void> {
    const rows = await db<DeliveryRow>('deliveries').orderBy('id');
    const byId = new Map(rows.map((row) => [row.id, row]));
    for (const receiver of receivers.values()) {
      checkRequests(receiver, byId);
      checkOrder(receiver, rows);
    }
    const { scheduleMs } = settings;
    const broken = await brokenInvariants(db, scheduleMs, wholeScheduleMs(scheduleMs) + DAY_MS);
    if (broken.length > 0) throw new Error(`Broken: ${JSON.stringify(broken)}`);
    const failures = log.lines.filter(({ level, event }) => level === 'error' || event.endsWith('Failed'));
    if (failures.length > 0) throw new Error(`Logged: ${JSON.stringify(failures)}`);
  }

  function checkRequests({ requests }: Receiver, byId: ReadonlyMap<number, DeliveryRow>): void {
    for (const [id, sent] of Map.groupBy(requests, ({ deliveryId }) => deliveryId)) {
      const accepted = sent.findIndex(({ isAccepted }) => isAccepted);
      const isAfterPause = sent.some((request) => request.isAfterPause);
      const isOnce = sent.every(({ number }, index) => number === index + 1);
      const isLast = accepted === -1 || accepted === sent.length - 1;
      if (!isAfterPause && !(isOnce && isLast)) throw new Error(`Sent: ${JSON.stringify(sent)}`);
      const row = byId.get(id);
      if (!row) continue; // deleted by the retention
      if ((row.status === 'delivered') !== (accepted !== -1)) throw new Error(`${row.status}: ${JSON.stringify(sent)}`);
      if (row.attempt_count !== sent.length && !isAfterPause)
        throw new Error(`${row.attempt_count} attempts: ${JSON.stringify(sent)}`);
    }
    for (const row of byId.values()) {
      if (row.status === 'exhausted' && Date.now() - row.created_at.getTime() < SHORTEST_SCHEDULE_MS)
        throw new Error(`Exhausted too early: ${JSON.stringify(row)}`);
    }
  }

  /** A failing delivery holds back the later ones of its conversation for the time of a hold since its last failure. */
  function checkOrder({ destinationId, requests }: Receiver, rows: readonly DeliveryRow[]): void {
    if (destinationId === destinationIds[3]) return; // has no order
    const sentOf = Map.groupBy(requests, ({ deliveryId }) => deliveryId);
    const own = rows.filter((row) => row.destination_id === destinationId);
    for (const conversation of Map.groupBy(own, (row) => row.conversation_key).values()) {
      for (const [index, { id }] of conversation.entries()) {
        const firstAtMs = sentOf.get(id)?.[0]?.atMs;
        if (firstAtMs === undefined) continue;
        const overtaken = conversation.slice(0, index).find((row) => isHolding(row, sentOf.get(row.id), firstAtMs));
        if (overtaken) throw new Error(`${id} overtook ${overtaken.id} at ${new Date(firstAtMs).toISOString()}`);
      }
    }
  }
}

/** Whether a delivery holds its conversation at that time. */
function isHolding({ status }: DeliveryRow, requests: readonly Request[] | undefined, atMs: number): boolean {
  const sent = (requests ?? []).filter((request) => request.atMs <= atMs);
  const last = sent.findLast(({ by }) => by === 'pump') ?? sent.at(-1);
  const hasEnded = sent.some(({ isAccepted }) => isAccepted) || !['pending', 'retrying', 'delivered'].includes(status);
  return !hasEnded && (!last || atMs - last.atMs < settings.conversationHoldMs - SECOND_MS);
}

/** What has no reason to wait. */
const dueSql = `
select d.id from deliveries d join destinations dest on dest.id = d.destination_id
where d.status = 'pending' and d.next_attempt_at is null and dest.circuit = 'closed' and (dest.ordering = 'none' or not exists (
    select from conversation_holds h where h.destination_id = d.destination_id and h.conversation_key = d.conversation_key
      and h.delivery_id < d.id and h.until_at > now()))
  or d.status = 'pending' and d.next_attempt_at <= now()
  or d.status = 'retrying' and d.next_attempt_at <= now() and (d.pump_retries or dest.circuit = 'closed')
union all
select id from destinations where circuit = 'open' and circuit_probe_at <= now()
union all
select id from conversation_releases`;

const nextSql = `
select extract(epoch from min(at) - now())::float8 * 1000 as in_ms from (
  select min(next_attempt_at) as at from deliveries where status in ('pending', 'retrying') and next_attempt_at > now()
  union all select min(circuit_probe_at) from destinations where circuit = 'open'
  union all select min(until_at) from conversation_holds where until_at > now()
) waiting`;
