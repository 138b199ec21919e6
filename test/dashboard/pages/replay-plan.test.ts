import test from 'ava';
import { initialPlan, replayBodyOf } from '../../../dashboard/pages/replays/replay-plan.ts';

const scope = 'workspace:ws_00000001';
const bodyOf = (query: string) => replayBodyOf(initialPlan(new URLSearchParams(query), new Date()), scope);

test('a plan takes over every filter of the list', (t) => {
  const query =
    'q=my+order&channel=ch_00000001,ch_00000002&status=exhausted&type=chatapp.message.received&http=5xx,none' +
    '&destination=webhook,sub_00000001&sender=4917&message=mid.1&since=2026-01-01T10:00&until=2026-01-01T11:00';

  t.like(bodyOf(query), {
    scope,
    channelIds: ['ch_00000001', 'ch_00000002'],
    statuses: ['exhausted'],
    eventTypes: ['chatapp.message.received'],
    originalDestinations: ['webhook', 'sub_00000001'],
    httpStatuses: ['5xx', 'none'],
    sender: '4917',
    platformMessageId: 'mid.1',
    search: 'my order',
    since: new Date('2026-01-01T10:00').toISOString(),
    until: new Date('2026-01-01T11:00').toISOString(),
  });
});

test('a plan of one channel has its scope', (t) => {
  const body = bodyOf('channel=ch_00000001&destination=sub_00000001');

  t.like(body, { scope: 'channel:ch_00000001', originalDestinations: ['sub_00000001'] });
  t.deepEqual([body.channelIds, body.destination, body.search], [undefined, undefined, undefined]);
});
