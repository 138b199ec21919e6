import type { SinkAnswer } from '../../simulator/sink.ts';

/** How a destination behaves during the whole run. Times are from the start of the traffic. */
export interface Profile {
  readonly name: string;
  readonly conversations: number;
  /** Between two events of a conversation, in milliseconds. */
  readonly paceMs: (elapsedMs: number) => number;
  /** Optional. Default: 200 at once. `share` is a random number from 0 to 1. */
  readonly answer?: (elapsedMs: number, share: number) => SinkAnswer;
  /** Optional. Default: its deliveries never wait for long. Null: nothing ever arrives. */
  readonly isUp?: ((elapsedMs: number) => boolean) | null;
  /** Optional. Replays send its deliveries again. Default: false. */
  readonly isReplayed?: boolean;
  readonly debounce?: { readonly seconds: number; readonly maxEvents: number };
}

const MINUTE_MS = 60_000;
const BURST_MS = 5_000;
const CYCLE_MS = 10 * MINUTE_MS;
const unavailable = { status: 503 } as const;

const every = (seconds: number) => () => seconds * 1_000;
/** Down for three minutes of ten: longer than most of the schedule's delays, shorter than the hold of a conversation. */
const isUp = (elapsedMs: number): boolean => {
  const inCycleMs = elapsedMs % CYCLE_MS;
  return inCycleMs < 3 * MINUTE_MS || inCycleMs > 6 * MINUTE_MS;
};

/** Some 25 events a second, so that a small machine has time for everything else. */
export const profiles: readonly Profile[] = [
  { name: 'steady', conversations: 20, paceMs: every(5) },
  {
    name: 'bursty',
    conversations: 20,
    paceMs: (elapsedMs) => (elapsedMs % MINUTE_MS < BURST_MS ? 250 : MINUTE_MS - (elapsedMs % MINUTE_MS)),
  },
  { name: 'rare', conversations: 1, paceMs: every(170) },
  {
    name: 'flaky',
    conversations: 10,
    paceMs: every(2),
    answer: (_, share) => (share < 0.05 ? { status: 500 } : {}),
  },
  { name: 'slow', conversations: 5, paceMs: every(3), answer: () => ({ delayMs: 1_500 }) },
  {
    name: 'failing',
    conversations: 10,
    paceMs: every(4),
    isUp,
    answer: (elapsedMs) => (isUp(elapsedMs) ? {} : unavailable),
  },
  { name: 'dead', conversations: 3, paceMs: every(30), answer: () => unavailable, isUp: null },
  { name: 'edited', conversations: 5, paceMs: every(2) },
  { name: 'replayed', conversations: 5, paceMs: every(3), isReplayed: true },
  { name: 'debounced', conversations: 5, paceMs: every(1), debounce: { seconds: 2, maxEvents: 20 } },
];
