import test from 'ava';
import { filtersOf, listQueryOf, matchesFilters } from '../../../../dashboard/pages/deliveries/delivery-filters.ts';
import { createDeliveryList } from '../../../../dashboard/pages/deliveries/delivery-list.ts';
import { deliveryNote, waitingReason } from '../../../../dashboard/pages/deliveries/delivery-note.ts';
import { deliverySummary } from './delivery-summary.ts';

const ids = (list: ReturnType<typeof createDeliveryList>) =>
  Array.from({ length: list.size() }, (_, index) => list.at(index)?.deliveryId);

test('pages are appended, new deliveries prepended, and all indexed', (t) => {
  const list = createDeliveryList();
  list.appendPage([deliverySummary('wd_3'), deliverySummary('wd_2')]);
  t.is(list.upsert(deliverySummary('wd_4')), 'added');
  t.is(list.upsert(deliverySummary('wd_5')), 'added');
  list.appendPage([deliverySummary('wd_2'), deliverySummary('wd_1')]);
  t.deepEqual(ids(list), ['wd_5', 'wd_4', 'wd_3', 'wd_2', 'wd_1']);
  for (const [index, id] of ids(list).entries()) t.is(list.indexOf(id!), index);
  t.is(list.indexOf('wd_9'), undefined);
  t.is(list.at(5), undefined);
});

test('a changed delivery keeps its position', (t) => {
  const list = createDeliveryList();
  list.appendPage([deliverySummary('wd_1')]);
  list.upsert(deliverySummary('wd_2'));
  t.is(list.upsert(deliverySummary('wd_1', { status: 'exhausted' })), 'changed');
  t.is(list.upsert(deliverySummary('wd_2', { status: 'retrying' })), 'changed');
  t.deepEqual([list.at(0)?.status, list.at(1)?.status], ['retrying', 'exhausted']);
  t.is(list.size(), 2);
});

test('an older delivery is added at its time', (t) => {
  const list = createDeliveryList();
  const at = (deliveryId: string, second: number) =>
    deliverySummary(deliveryId, { createdAt: `2026-01-01T12:00:0${second}.000Z` });
  list.appendPage([at('wd_6', 6), at('wd_4', 4), at('wd_2', 2)]);
  for (const delivery of [at('wd_8', 8), at('wd_7', 7), at('wd_3', 3), at('wd_5', 5), at('wd_1', 1)])
    list.upsert(delivery);
  t.deepEqual(ids(list), ['wd_8', 'wd_7', 'wd_6', 'wd_5', 'wd_4', 'wd_3', 'wd_2', 'wd_1']);
  for (const [index, id] of ids(list).entries()) t.is(list.indexOf(id!), index);
});

test('filters are read from the URL, and invalid ones are ignored', (t) => {
  const query = new URLSearchParams(
    'channel=ch_12345678&status=exhausted,retrying,lost&type=chatapp.message.received&destination=sub_12345678&sender= 15550001 ' +
      '&message=wamid.1&since=2026-01-01T00:00:00Z&until=nonsense&other=1',
  );
  const filters = filtersOf(query);
  t.deepEqual(filters, {
    channels: ['ch_12345678'],
    status: ['retrying', 'exhausted'],
    eventType: ['chatapp.message.received'],
    destinations: ['sub_12345678'],
    sender: '15550001',
    platformMessageId: 'wamid.1',
    since: '2026-01-01T00:00:00.000Z',
  });
  t.like(listQueryOf(filters), {
    scope: 'channel:ch_12345678',
    status: 'retrying,exhausted',
    eventType: 'chatapp.message.received',
  });
  t.deepEqual(filtersOf(new URLSearchParams('status=lost&channel=x&destination=y')), {});
});

test('streamed deliveries are matched against the filters', (t) => {
  const delivery = deliverySummary('wd_1', {
    receivedAt: '2026-01-01T11:00:00.000Z',
    createdAt: '2026-01-01T12:00:00.000Z',
  });
  t.true(matchesFilters(delivery, {}));
  t.true(
    matchesFilters(delivery, { destinations: ['webhook'], status: ['retrying', 'delivered'], sender: '15550001' }),
  );
  t.false(matchesFilters(delivery, { destinations: ['sub_12345678'] }));
  t.false(matchesFilters(delivery, { status: ['retrying', 'exhausted'] }));
  t.true(matchesFilters(delivery, { since: '2026-01-01T12:00:00.000Z' }));
  t.false(matchesFilters(delivery, { until: '2026-01-01T12:00:00.000Z' }));
});

test('a note explains why a delivery waits or was not sent', (t) => {
  const now = new Date('2026-01-01T12:00:00.000Z');
  const circuit = { openedAt: '2026-01-01T11:50:00.000Z', nextProbeAt: '2026-01-01T12:00:30.000Z' };
  const behind = deliverySummary('wd_1', { status: 'pending', waitsForCircuit: { reason: 'failures', ...circuit } });
  t.is(deliveryNote(behind, now), 'probe in 30 seconds, receiver failing');
  t.regex(waitingReason({ ...behind, attemptCount: 0 }, now) ?? '', /^Not attempted yet: the receiver kept failing/);
  t.regex(waitingReason({ ...behind, attemptCount: 2 }, now) ?? '', /^2 attempts failed: the receiver kept failing/);
  const retrying = deliverySummary('wd_1', { status: 'retrying', nextAttemptAt: '2026-01-01T12:02:00.000Z' });
  t.is(deliveryNote(retrying, now), 'next attempt in 2 minutes');
  t.is(
    waitingReason({ ...retrying, attemptCount: 3 }, now),
    '3 attempts failed. The next attempt is due in 2 minutes.',
  );
  const skipped = deliverySummary('wd_1', { status: 'skipped', skipReason: 'forwarding_disabled' });
  t.is(deliveryNote(skipped, now), 'forwarding was off');
  t.is(deliveryNote(deliverySummary('wd_2', { replayOf: 'wd_1' }), now), 'replay of wd_1');
  t.is(deliveryNote({ ...skipped, replayOf: 'wd_1' }, now), 'forwarding was off · replay of wd_1');
  t.is(waitingReason({ ...deliverySummary('wd_1'), attemptCount: 1 }, now), null);
});
