import type { Knex } from 'knex';
import { FAILURES_TO_OPEN } from '../../contract/destinations/circuit.ts';
import { scheduleMsOf } from '../../contract/destinations/options.ts';
import { sequencedId, type IdKey } from '../../contract/ids.ts';
import { wholeScheduleMs } from '../../contract/deliveries/retry-schedule.ts';
import { whatNext } from '../../contract/deliveries/what-next.ts';
import { BODY_UNREADABLE } from '../../db/core/body-box.ts';
import { type CircuitState, closeCircuit, readCircuit } from '../../db/ledger/destinations/circuits.ts';
import { settleOrMark } from '../../db/ledger/destinations/not-settling.ts';
import type { HotPool } from '../../db/core/hot-pool.ts';
import { endVoidWorkflows } from '../../db/ledger/end-void-deliveries.ts';
import { exhaustWaiting, findDue, findProbe } from '../../db/ledger/destinations/waiting-for-circuit.ts';
import type { Attempt } from '../../db/ledger/attempts.ts';
import { recordAcceptedAttempt } from '../../db/ledger/destinations/record-accepted.ts';
import { settleAccepted } from '../../db/ledger/settle-accepted.ts';
import { settleFailed } from '../../db/ledger/settle-failed.ts';
import { loadDelivery, type LoadedDelivery } from '../../db/ledger/load-delivery.ts';
import type { WorkerMeter } from '../../metrics/worker-metrics.ts';
import { attemptFields } from '../deliveries/observe-attempts.ts';
import { BUSY_WAIT_MS, receiverOwner, tryAgainLater } from '../deliveries/receiver-slots.ts';
import {
  describeAttempt,
  NotSent,
  retryAfterMs,
  type SendDelivery,
  undefinedIfUnreadable,
} from '../deliveries/send-delivery.ts';
import { withHeartbeat } from '../with-heartbeat.ts';
import { type WakeDelivery, wakeDeliveries } from './wake-deliveries.ts';
import type { Log } from '../../process/log.ts';
import type { Shares } from '../../process/shares.ts';

export type CircuitActivities = ReturnType<typeof createCircuitActivities>;

export interface ProbeDestination {
  readonly destinationId: number;
  readonly probesMade: number;
  readonly delayMs: number;
  /** A requested probe need not be due. */
  readonly isRequested: boolean;
}

export type ProbeAnswer =
  /** The probe failed, or it is not due (`wasProbed` false). */
  | {
      readonly status: 'open';
      readonly wasProbed: boolean;
      readonly description: string;
      readonly nextProbeAtMs: number;
    }
  /** `closed`: a delivery was accepted, none is waiting, or the circuit was already closed. */
  | { readonly status: 'closed' | 'ended'; readonly description: string };

interface Probed {
  readonly answer: ProbeAnswer;
  /** Deliveries whose workflows must continue or end now. */
  readonly woken: readonly string[];
}

export interface CircuitActivityDeps {
  readonly db: Knex;
  readonly pool: HotPool;
  readonly idKey: IdKey;
  readonly sendDelivery: SendDelivery;
  readonly wakeDelivery: WakeDelivery;
  /** Of the slots of the receivers queue. */
  readonly receiverShares: Shares;
  readonly settings: { readonly scheduleMs: readonly number[]; readonly failingDisableMs: number };
  readonly meter?: WorkerMeter | undefined;
  readonly log: Log;
}

/** Further deliveries check their circuit periodically. */
const MAX_WOKEN = 200;
/** Well below the 10 s that closing a circuit by hand may take. */
const WAKE_BY_HAND_MS = 4_000;
/** One more failure opens a circuit that closed without an accepted delivery. */
const ON_PROBATION = FAILURES_TO_OPEN - 1;

export function createCircuitActivities(deps: CircuitActivityDeps) {
  const { db, pool, idKey, sendDelivery, receiverShares, wakeDelivery: wake, settings, meter, log } = deps;
  return {
    /** A repeated activity may probe twice, which is harmless. */
    async probeDestination(input: ProbeDestination): Promise<ProbeAnswer> {
      return await withHeartbeat(async () => {
        const { answer, woken } = await probeIfDue(input);
        await wakeDeliveries(woken, { wake });
        return answer;
      });
    },

    async closeCircuitByHand({ destinationId }: { destinationId: number }): Promise<ProbeAnswer> {
      await closeCircuit(pool, { destinationId, consecutiveFailures: ON_PROBATION });
      const { answer, woken } = await closed(destinationId, 'closed manually');
      await wakeDeliveries(woken, { wake, withinMs: WAKE_BY_HAND_MS });
      return answer;
    },
  };

  async function probeIfDue(input: ProbeDestination): Promise<Probed> {
    const { destinationId } = input;
    const state = await readCircuit(pool, destinationId);
    if (!state) return { answer: { status: 'ended', description: 'destination not found' }, woken: [] };
    if (state.voidAs !== null) return await endVoid(destinationId, state.voidAs);
    if (state.circuit === 'closed') return await closed(destinationId, 'closed');

    const olderThanMs = wholeScheduleMs(scheduleMsOf(state.options, settings.scheduleMs));
    const exhausted = idsOf(await exhaustWaiting(pool, { destinationId, olderThanMs }));
    meter?.moved('exhausted', exhausted.length);
    if (state.probeAtMs !== null && state.probeAtMs > Date.now() && !input.isRequested) {
      const times = { description: `${state.reason}`, nextProbeAtMs: state.probeAtMs };
      return { answer: { status: 'open', wasProbed: false, ...times }, woken: exhausted };
    }
    const probed = (await probeInTurn(input, state.organizationId)) ?? waitForTurn(`${state.reason}`, exhausted);
    return { ...probed, woken: [...exhausted, ...probed.woken] };
  }

  /** Returns undefined without a slot or a connection. */
  async function probeInTurn(input: ProbeDestination, organizationId: number): Promise<Probed | undefined> {
    const giveBack = receiverShares.tryTake(receiverOwner({ organizationId, destinationId: input.destinationId }));
    if (!giveBack) return undefined;
    try {
      return await probe(input);
    } catch (error) {
      if (error instanceof NotSent) return undefined;
      throw error;
    } finally {
      giveBack();
    }
  }

  /** Deliveries that have just ended are woken first. */
  function waitForTurn(description: string, exhausted: readonly string[]): Probed {
    if (exhausted.length === 0) tryAgainLater();
    const nextProbeAtMs = Date.now() + BUSY_WAIT_MS;
    return { answer: { status: 'open', wasProbed: false, description, nextProbeAtMs }, woken: [] };
  }

  async function probe(input: ProbeDestination, unreadable: readonly number[] = []): Promise<Probed> {
    const { destinationId, probesMade, delayMs } = input;
    const deliveryNumber = await findProbe(pool, { destinationId, leastTried: probesMade % 2 === 1, unreadable });
    const row = deliveryNumber === undefined ? undefined : await loadDelivery(pool, deliveryNumber);
    if (!row) {
      await closeCircuit(pool, { destinationId, consecutiveFailures: ON_PROBATION });
      return await closed(destinationId, 'no deliveries waiting');
    }
    const attempt = await sendDelivery({ ...row, maxWaitMs: 0 }, row.attemptCount + 1).catch(undefinedIfUnreadable);
    if (!attempt) {
      log.error('body.openFailed', { deliveryNumber: row.id, errorCode: BODY_UNREADABLE });
      return await probe(input, [...unreadable, row.id]); // terminates, because there are few candidates
    }
    const deliveryId = sequencedId(idKey, 'delivery', row.id);
    log.info('destination.probed', attemptFields(attempt, { deliveryId, traceParent: row.traceParent }));
    return attempt.outcome === 'accepted' ? await recover(row, attempt) : await stayOpen(row, attempt, delayMs);
  }

  async function recover(row: LoadedDelivery, attempt: Attempt): Promise<Probed> {
    const settled = { deliveryId: row.id, destinationId: row.destinationId, attempt };
    await settleOrMark(pool, row.destinationId, () => settleAccepted(pool, [settled]));
    // If it fails, the circuit stays open, and the repeated activity probes again.
    await recordAcceptedAttempt(pool, settled, { isProbe: true });
    meter?.moved('delivered', 1);
    meter?.delivered(attempt.startedAtMs + attempt.durationMs - row.scheduledAtMs);
    const probed = await closed(row.destinationId, describeAttempt(attempt));
    const hasWorkflow = row.status === 'retrying' && !row.pumpRetries;
    return hasWorkflow ? { ...probed, woken: [...idsOf([row.id]), ...probed.woken] } : probed;
  }

  async function stayOpen(row: LoadedDelivery, attempt: Attempt, delayMs: number): Promise<Probed> {
    const { id, destinationId, failedInSchedule } = row;
    const { number, status } = attempt;
    const endedAtMs = attempt.startedAtMs + attempt.durationMs;
    const kind = 'probe';
    const after = whatNext({
      kind,
      number,
      failedInSchedule,
      status,
      endedAtMs,
      retryAfterMs: retryAfterMs(attempt),
      delayMs,
    });
    const failed = [{ deliveryId: id, destinationId, attempt, kind, after }] as const;
    const rules = { firstProbeMs: delayMs, disableAfterMs: settings.failingDisableMs };
    const { disabledDestinationIds } = await settleOrMark(pool, destinationId, () =>
      settleFailed(pool, { failed, rules }),
    );
    if (disabledDestinationIds.length > 0) return await endVoid(destinationId, 'destination_disabled');
    const times = { description: describeAttempt(attempt), nextProbeAtMs: Date.now() + (after.pauseMs ?? delayMs) };
    return { answer: { status: 'open', wasProbed: true, ...times }, woken: [] };
  }

  async function closed(destinationId: number, description: string): Promise<Probed> {
    const woken = idsOf(await findDue(pool, { destinationId, limit: MAX_WOKEN }));
    return { answer: { status: 'closed', description }, woken };
  }

  async function endVoid(destinationId: number, voidAs: NonNullable<CircuitState['voidAs']>): Promise<Probed> {
    const { retrying } = await endVoidWorkflows(db, { destinationId });
    meter?.moved(voidAs === 'cancelled' ? voidAs : 'skipped', retrying.length);
    await closeCircuit(pool, { destinationId, consecutiveFailures: ON_PROBATION });
    return { answer: { status: 'ended', description: voidAs }, woken: idsOf(retrying) };
  }

  function idsOf(numbers: readonly number[]): string[] {
    return numbers.map((number) => sequencedId(idKey, 'delivery', number));
  }
}
