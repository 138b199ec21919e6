import test from 'ava';
import { describeCancellation, timelineEntries } from '../../../../dashboard/pages/deliveries/timeline.ts';
import { waitingReason } from '../../../../dashboard/pages/deliveries/delivery-note.ts';
import { deliverySummary } from './delivery-summary.ts';

const at = (second: number): string => new Date(Date.parse('2026-01-01T12:00:00.000Z') + second * 1_000).toISOString();
const rest = { responseHeaders: {}, responseBody: null, error: null, batch: null, url: 'https://example.com/' };
const rejected = { ...rest, number: 1, startedAt: at(1), durationMs: 500, outcome: 'rejected', status: 500 } as const;
const accepted = { ...rest, number: 2, startedAt: at(31.5), durationMs: 80, outcome: 'accepted', status: 200 } as const;
const attempts = [rejected, accepted];
const textsOf = (entries: ReturnType<typeof timelineEntries>) => entries.map(({ text }) => text);

test('a timeline tells attempts, waits and the end, newest first', (t) => {
  const entries = timelineEntries({ ...deliverySummary('wd_1'), attempts });
  t.deepEqual(textsOf(entries), [
    'Delivered',
    'Attempt 2: Accepted with 200',
    'Attempt 1: Rejected with 500',
    'Event received',
  ]);
  t.is(entries[1]?.detail, 'took 80 ms, after a wait of 30 s');
  t.is(entries[2]?.detail, 'took 500 ms');
});

test('a timeline tells what a delivery waits for', (t) => {
  const waiting = { ...deliverySummary('wd_1', { status: 'retrying', nextAttemptAt: at(60) }), attempts: [rejected] };
  t.like(timelineEntries(waiting)[0], { text: 'Attempt 2', at: at(60), isAhead: true });
  const waitsForCircuit = { reason: 'failures', openedAt: at(5), nextProbeAt: at(90) } as const;
  const held = timelineEntries({ ...waiting, waitsForCircuit });
  t.like(held[1], { tone: 'warn', text: 'Held: the circuit of the destination is open', at: at(5) });
  t.like(held[0], { at: at(90), isAhead: true });
});

test('a skipped delivery that was attempted is given up', (t) => {
  const skipped = deliverySummary('wd_1', { status: 'skipped', skipReason: 'destination_disabled' });
  const firstOf = (made: (typeof rejected)[]) => timelineEntries({ ...skipped, attempts: made })[0]?.text;
  t.is(firstOf([]), 'Not sent: the destination was disabled');
  t.is(firstOf([rejected]), 'Given up: the destination was disabled');
  t.is(
    waitingReason({ ...skipped, attemptCount: 1 }, new Date()),
    'Given up after 1 attempt: the destination was disabled while it waited. Enable the destination, then retry the delivery or replay the event.',
  );
  t.regex(waitingReason({ ...skipped, attemptCount: 0 }, new Date()) ?? '', /^Not sent: /);
});

test('a timeline tells who or what cancelled a delivery', (t) => {
  const by = { type: 'user', id: 'usr_12345678', name: 'ada@example.com' } as const;
  const cancellation = { reason: 'requested', at: at(9), by } as const;
  const cancelled = { ...deliverySummary('wd_1', { status: 'cancelled', cancellation }), attempts: [] };
  t.like(timelineEntries(cancelled)[0], { text: 'Cancelled by ada@example.com', at: at(9) });
  t.is(
    describeCancellation({ ...cancellation, reason: 'event_erased', by: null }),
    'Cancelled when the data of its event was erased',
  );
  t.is(describeCancellation(null), 'Cancelled, before reasons were recorded');
  const ofKey = { ...by, type: 'api_key', name: null } as const;
  t.is(describeCancellation({ ...cancellation, by: ofKey }), 'Cancelled by the API key usr_12345678');
});
