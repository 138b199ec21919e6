import test from 'ava';
import { type AfterFailure, type FailedAnswer, whatNext } from '../../../contract/deliveries/what-next.ts';

const ENDED_AT_MS = 1_000_000;
const answer: FailedAnswer = {
  kind: 'first',
  number: 1,
  failedInSchedule: 0,
  status: 500,
  endedAtMs: ENDED_AT_MS,
  retryAfterMs: undefined,
  delayMs: 5_000,
};
const retryIn = (delayMs: number) => ({ next: 'retry', nextAttemptAtMs: ENDED_AT_MS + delayMs }) as const;
const short = { kind: 'short', number: 2, failedInSchedule: 1 } as const;
const exhaust = { next: 'exhaust', nextAttemptAtMs: null } as const;
const wait = { next: 'wait', nextAttemptAtMs: null } as const;

type Row = readonly [title: string, given: Partial<FailedAnswer>, expected: Partial<AfterFailure>];

const table: readonly Row[] = [
  ['a first failure is retried', {}, { ...retryIn(5_000), pauseMs: null }],
  ['a failure without a response is retried', { status: null }, retryIn(5_000)],
  ['the last failure exhausts the delivery', { number: 12, delayMs: null }, { ...exhaust, pauseMs: null }],
  ['Retry-After extends the delay', { status: 500, retryAfterMs: 60_000 }, { ...retryIn(60_000), pauseMs: null }],
  ['Retry-After never shortens the delay', { status: 500, retryAfterMs: 1_000 }, retryIn(5_000)],
  ['a first pause keeps the delivery waiting', { status: 429, retryAfterMs: 60_000 }, { ...wait, pauseMs: 60_000 }],
  ['a second pause advances the schedule', { number: 2, status: 503, retryAfterMs: 9_000 }, { ...retryIn(9_000), pauseMs: 9_000 }],
  ['a pause cannot revive an exhausted schedule', { number: 2, status: 503, retryAfterMs: 9_000, delayMs: null }, { ...exhaust, pauseMs: 9_000 }],
  ['429 without Retry-After requests no pause', { status: 429 }, { ...retryIn(5_000), pauseMs: null }],
  ['a pause of days is cut', { kind: 'scheduled', status: 429, retryAfterMs: 90_000_000 }, { ...retryIn(90_000_000), pauseMs: 3_600_000 }],
  ['a scheduled first pause advances the schedule', { kind: 'scheduled', status: 429, retryAfterMs: 60_000 }, { ...retryIn(60_000), pauseMs: 60_000 }],
  ['a scheduled last failure exhausts the delivery', { kind: 'scheduled', delayMs: null }, exhaust],
  ['a probe never advances the schedule', { kind: 'probe', number: 7, delayMs: 20_000 }, { ...wait, pauseMs: 20_000 }],
  ['a probe without a delay never exhausts', { kind: 'probe', delayMs: null }, { ...wait, pauseMs: 0 }],
  ['a pause requested from a probe extends its wait', { kind: 'probe', status: 503, retryAfterMs: 60_000 }, { ...wait, pauseMs: 60_000 }],
  ['a first failure is retried by the pump', {}, { by: 'pump' }],
  ['a second failure is retried by the pump', short, { by: 'pump' }],
  ['a third failure starts a workflow', { ...short, number: 3, failedInSchedule: 2 }, { by: 'workflow' }],
  ['a long delay starts a workflow', { delayMs: 120_001 }, { by: 'workflow' }],
  ['a delay of two minutes stays in the pump', { delayMs: 120_000 }, { by: 'pump' }],
  ['a long Retry-After starts a workflow', { retryAfterMs: 600_000 }, { by: 'workflow' }],
  ['a scheduled failure stays with its workflow', { kind: 'scheduled' }, { by: 'workflow' }],
  ['410 may disable the destination', { status: 410 }, { ...retryIn(5_000), mayBeGone: true }],
  ['410 to a probe may disable the destination', { kind: 'probe', status: 410 }, { ...wait, mayBeGone: true }],
  ['a first failure counts for the circuit', {}, { countsForCircuit: 'always' }],
  ['a retry of the pump counts unless another delivery was accepted', short, { countsForCircuit: 'unless_accepted' }],
  ['a scheduled failure never counts for the circuit', { kind: 'scheduled' }, { countsForCircuit: 'never' }],
  ['a probe never counts for the circuit', { kind: 'probe' }, { countsForCircuit: 'never' }],
  ['404 never disables the destination', { status: 404 }, { mayBeGone: false }],
]; // prettier-ignore

for (const [title, given, expected] of table) {
  test(title, (t) => t.like(whatNext({ ...answer, ...given }), expected));
}
