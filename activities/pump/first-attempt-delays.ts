import { isDebounced } from '../../contract/destinations/options.ts';
import type { Attempt } from '../../db/ledger/attempts.ts';
import type { ClaimedDelivery } from '../../db/ledger/claim.ts';
import { BoundedMap } from '../../process/bounded-map.ts';
import type { PumpMetrics } from '../../metrics/worker-metrics.ts';

/**
 * Measures how long first attempts wait for the service, without those that wait for their receiver: a destination is
 * held back while its attempts fail or take long, while all its slots are in use, while failed deliveries hold its
 * conversations, while it recovers, and while it collects events. A delivery that was accepted before or during such a period does not count, if
 * the period began within the objective. A period that begins later has other causes: an outage of the service ends in
 * backlogs that fill the slots of healthy destinations.
 */
export interface FirstAttemptDelays {
  heldBack(destinationId: number): void;
  /** Deliveries that waited for failed ones of their conversations may be sent. */
  released(destinationId: number): void;
  /** The pump serves further shards. */
  served(): void;
  attempted(row: ClaimedDelivery, attempt: Pick<Attempt, 'outcome' | 'startedAtMs' | 'durationMs'>): void;
}

export interface FirstAttemptDelayOptions {
  readonly meter: Pick<PumpMetrics, 'firstAttempt' | 'heldBack'>;
  /** Optional. Milliseconds since 1970. Default: `Date.now`. */
  readonly now?: () => number;
}

interface Period {
  readonly fromMs: number;
  readonly toMs: number;
}

interface KnownPeriod extends Period {
  /** When the receiver was last the reason. */
  readonly causedAtMs: number;
}

/** The objective: a later beginning of a period is no reason for a late attempt. */
const OBJECTIVE_MS = 5_000;
/** A receiver that keeps up answers faster. */
const SLOW_MS = 1_000;
/** Periods closer than this are one. */
const GAP_MS = 30_000;
/** A pump does not know what held the destinations of a shard back before it served the shard. */
const UNKNOWN_MS = 30_000;
/** How long a backlog may extend its period. If the service is late for longer, it is the reason. */
const MAX_BACKLOG_MS = 30 * 60_000;
/** Bounds the memory. The period that was extended least recently is forgotten. */
const MAX_DESTINATIONS = 10_000;

export function createFirstAttemptDelays({
  meter,
  now = () => Date.now(),
}: FirstAttemptDelayOptions): FirstAttemptDelays {
  let servedAtMs = now();
  const periods = new BoundedMap<number, KnownPeriod>(MAX_DESTINATIONS);
  return {
    served: () => void (servedAtMs = now()),
    heldBack: (id) => extend(id, { fromMs: now(), toMs: now() }),
    released: endedWait,
    attempted(row, { outcome, startedAtMs: fromMs, durationMs }) {
      if (row.attemptCount === 0) measure(row, fromMs);
      const toMs = fromMs + durationMs;
      if (row.recoveredForMs !== null) endedWait(row.destinationId, toMs);
      else if (outcome !== 'accepted' || durationMs >= SLOW_MS) extend(row.destinationId, { fromMs, toMs });
    },
  };

  function measure(row: ClaimedDelivery, attemptedAtMs: number): void {
    const period = periods.get(row.destinationId);
    const isHeldBack =
      row.recoveredForMs !== null ||
      isDebounced(row.options) ||
      (period !== undefined && period.fromMs <= row.acceptedAtMs + OBJECTIVE_MS && period.toMs >= row.acceptedAtMs);
    const delayMs = attemptedAtMs - row.acceptedAtMs;
    if (!isHeldBack) return meter.firstAttempt(delayMs);
    meter.heldBack();
    // Deliveries that arrive now wait behind this backlog.
    if (delayMs > OBJECTIVE_MS && period && attemptedAtMs - period.causedAtMs < MAX_BACKLOG_MS) {
      periods.set(row.destinationId, { ...period, toMs: Math.max(period.toMs, attemptedAtMs) });
    }
  }

  /** Its deliveries have waited for an open circuit or a failed delivery. The pump may not know since when. */
  function endedWait(id: number, toMs = now()): void {
    extend(id, { fromMs: Number.NEGATIVE_INFINITY, toMs });
  }

  function extend(id: number, { fromMs, toMs }: Period): void {
    const before = periods.get(id);
    const isNew = before === undefined || fromMs > before.toMs + GAP_MS;
    const beganMs = isNew ? sinceBefore(fromMs) : Math.min(before.fromMs, fromMs);
    const latestMs = Math.max(toMs, before?.toMs ?? toMs);
    periods.set(id, { fromMs: beganMs, toMs: latestMs, causedAtMs: Math.max(toMs, before?.causedAtMs ?? toMs) });
  }

  function sinceBefore(fromMs: number): number {
    return fromMs < servedAtMs + UNKNOWN_MS ? Number.NEGATIVE_INFINITY : fromMs;
  }
}
