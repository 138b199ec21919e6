import type { Schema } from '../../../client/create-client.ts';
import { formatDuration } from '../../kit/format/format.ts';
import type { Tone } from '../../kit/tone.ts';

export interface TimelineEntry {
  readonly tone: Tone;
  readonly text: string;
  /** Null if the time is not recorded. */
  readonly at: string | null;
  /** Optional. A smaller line below. */
  readonly detail?: string;
  /** Optional. The attempt that the entry opens. */
  readonly attempt?: number;
  /** Optional. It has not happened yet. */
  readonly isAhead?: true;
}

type Told = Pick<
  Schema<'Delivery'>,
  | ('receivedAt' | 'createdAt' | 'replayOf' | 'attempts' | 'status' | 'nextAttemptAt')
  | ('waitsForCircuit' | 'cancellation' | 'skipReason' | 'destination')
>;

/** A wait that a person would notice. */
const SHOWN_WAIT_MS = 2_000;

/** Returns the next steps of a delivery and its past ones, newest first. */
export function timelineEntries(delivery: Told): TimelineEntry[] {
  const { receivedAt, createdAt, replayOf, attempts } = delivery;
  const begin: TimelineEntry[] = [{ tone: 'neutral', text: 'Event received', at: receivedAt }];
  if (replayOf !== null) begin.push({ tone: 'neutral', text: 'Replayed as this delivery', at: createdAt });
  let readyAtMs = Date.parse(createdAt);
  const made = attempts.map((attempt): TimelineEntry => {
    const waitedMs = Date.parse(attempt.startedAt) - readyAtMs;
    readyAtMs = Date.parse(attempt.startedAt) + attempt.durationMs;
    const took = attempt.outcome === 'blocked' ? '' : `took ${formatDuration(attempt.durationMs)}`;
    const waited = waitedMs >= SHOWN_WAIT_MS ? `after a wait of ${formatDuration(waitedMs)}` : '';
    return {
      tone: outcomeTones[attempt.outcome],
      text: `Attempt ${attempt.number}: ${describeOutcome(attempt)}`,
      at: attempt.startedAt,
      detail: [took, waited].filter(Boolean).join(', '),
      attempt: attempt.number,
    };
  });
  return [...begin, ...made, ...endOf(delivery)].reverse();
}

function endOf(delivery: Told): TimelineEntry[] {
  const { status, attempts, cancellation, skipReason, destination } = delivery;
  switch (status) {
    case 'delivered':
      return [{ tone: 'good', text: 'Delivered', at: lastEnd(delivery) }];
    case 'exhausted':
      return [{ tone: 'bad', text: 'Given up: no retry is left', at: lastEnd(delivery) }];
    case 'cancelled':
      return [{ tone: 'neutral', text: describeCancellation(cancellation), at: cancellation?.at ?? null }];
    case 'skipped':
      return [
        {
          tone: 'neutral',
          text: `${attempts.length === 0 ? 'Not sent' : 'Given up'}: ${skipWords[skipReason ?? 'no_destination']}`,
          at: null,
        },
      ];
    case 'pending':
      if (destination?.type === 'listener') return [ahead('Waits for its listener to read it', null)];
      return aheadOf(delivery, attempts.length === 0 ? 'Queued' : 'Queued for its next attempt');
    case 'retrying':
      return aheadOf(delivery, null);
  }
}

const skipWords = {
  forwarding_disabled: 'forwarding was off',
  no_destination: 'no destination was set',
  destination_disabled: 'the destination was disabled',
} as const;

function aheadOf({ waitsForCircuit, nextAttemptAt, attempts }: Told, queued: string | null): TimelineEntry[] {
  const next = `Attempt ${attempts.length + 1}`;
  if (waitsForCircuit) {
    const { reason, openedAt, nextProbeAt } = waitsForCircuit;
    const why = reason === 'retry_after' ? 'the receiver asked for a pause' : 'the receiver kept failing';
    return [
      { tone: 'warn', text: 'Held: the circuit of the destination is open', at: openedAt, detail: why },
      ahead('One delivery is tried; the others follow if it is accepted', nextProbeAt),
    ];
  }
  if (nextAttemptAt !== null) return [ahead(next, nextAttemptAt)];
  return [ahead(queued ?? next, null)];
}

const ahead = (text: string, at: string | null): TimelineEntry => ({ tone: 'info', text, at, isAhead: true });

function lastEnd({ attempts }: Told): string | null {
  const last = attempts.at(-1);
  return last ? new Date(Date.parse(last.startedAt) + last.durationMs).toISOString() : null;
}

export type Attempt = Schema<'DeliveryAttempt'>;

export const outcomeTones: Readonly<Record<Attempt['outcome'], Tone>> = {
  accepted: 'good',
  rejected: 'bad',
  no_response: 'bad',
  blocked: 'warn',
};

export function describeOutcome({ outcome, status, error }: Pick<Attempt, 'outcome' | 'status' | 'error'>): string {
  const cut = error === null ? '' : `, body cut off: ${error}`;
  const code = status === null ? '' : ` with ${status}${cut}`;
  switch (outcome) {
    case 'accepted':
      return `Accepted${code}`;
    case 'rejected':
      return `Rejected${code}`;
    case 'no_response':
      return error === null ? 'No response' : `No response: ${error}`;
    case 'blocked':
      return error === null ? 'Not sent' : `Not sent: ${error}`;
  }
}

export function headerLines(headers: Attempt['responseHeaders']): readonly (readonly [name: string, value: string])[] {
  return Object.entries(headers).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((one: string) => [name, one] as const),
  );
}

type Cancellation = Schema<'DeliveryCancellation'>;

const reasons: Readonly<Record<Cancellation['reason'], string>> = {
  requested: 'Cancelled',
  channel_disconnected: 'Cancelled when its channel was disconnected',
  channel_moved: 'Cancelled when its channel moved to another workspace',
  destination_deleted: 'Cancelled when its destination was removed',
  url_changed: 'Cancelled by a change of the URL that asked for it',
  event_erased: 'Cancelled when the data of its event was erased',
};

/** Returns a sentence without its full stop. */
export function describeCancellation(cancellation: Cancellation | null): string {
  if (!cancellation) return 'Cancelled, before reasons were recorded';
  const { reason, by } = cancellation;
  return by === null ? reasons[reason] : `${reasons[reason]} by ${nameOf(by)}`;
}

function nameOf({ type, id, name }: NonNullable<Cancellation['by']>): string {
  switch (type) {
    case 'user':
      return name ?? `a person (${id})`;
    case 'api_key':
      return `the API key ${name ?? id}`;
    case 'agent':
      return `the agent ${name ?? id}`;
    case 'portal':
      return name === null ? 'a customer in the portal' : `a customer in the portal (${name})`;
    case 'staff':
      return 'support staff';
    case 'system':
      return 'the service';
  }
}
