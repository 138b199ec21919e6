import test from 'ava';
import {
  channelFindings,
  destinationFinding,
  latestOf,
} from '../../../../dashboard/pages/destinations/health-findings.ts';

const now = new Date('2026-01-01T12:00:00.000Z');
const healthy = {
  type: 'webhook' as const,
  url: 'https://example.com/hook',
  label: null,
  subscriptionId: null,
  listenerId: null,
  isKept: false,
  ordering: 'conversation' as const,
  sendsTraceParent: true,
  headers: [],
  authentication: { type: 'none' as const, username: null },
  timeoutSeconds: null,
  rate: { requestsPerSecond: null, concurrency: null },
  debounce: null,
  retrySchedule: 'default' as const,
  enabled: true,
  disabledReason: null,
  circuit: { state: 'closed' as const, reason: null, openedAt: null, nextProbeAt: null, temporalUrl: null },
  consecutiveFailures: 0,
  failingSince: null,
  notSettlingSince: null,
  overdueSince: null,
  overdueReason: null,
  lastFailureAt: null,
  oldestWaitingAt: null,
  lastDeliveredAt: '2026-01-01T11:57:00.000Z',
  waiting: { pending: 0, retrying: 0 },
};
const connected = { connected: true, disconnectedReason: null, credentialRefusedReason: null, forwardingEnabled: true };
const failing = {
  ...healthy,
  circuit: {
    state: 'open' as const,
    reason: 'failures' as const,
    openedAt: '2026-01-01T11:58:00.000Z',
    temporalUrl: null,
    nextProbeAt: '2026-01-01T12:00:40.000Z',
  },
  consecutiveFailures: 6,
  failingSince: '2026-01-01T11:50:00.000Z',
  oldestWaitingAt: '2026-01-01T11:50:00.000Z',
  waiting: { pending: 1_200, retrying: 5 },
};

test('a failing receiver shows its failures, next probe and waiting deliveries', (t) => {
  t.deepEqual(destinationFinding(failing, now), {
    tone: 'bad',
    title: 'Failing',
    figure: '6 in a row',
    detail:
      'The receiver failed 6 times in a row, starting 10 minutes ago. The next probe is due in 40 seconds. Waiting ' +
      'deliveries are sent once a probe succeeds. 1,205 deliveries are waiting, the oldest from 10 minutes ago.',
  });
});

test('answers that cannot be recorded come before failures', (t) => {
  const notSettlingSince = '2026-01-01T11:55:00.000Z';
  t.like(destinationFinding({ ...failing, notSettlingSince }, now), { tone: 'bad', title: 'Not recorded' });
});

test('late deliveries with a closed circuit are trouble with a reason', (t) => {
  const overdueSince = '2026-01-01T11:36:00.000Z';
  const late = { ...healthy, overdueSince, oldestWaitingAt: overdueSince, waiting: { pending: 552, retrying: 0 } };
  t.deepEqual(destinationFinding({ ...late, overdueReason: 'not_sent' }, now), {
    tone: 'bad',
    title: 'Deliveries late',
    figure: 'for 24 min',
    detail:
      'The service has sent nothing for two minutes. Contact its operator. 552 deliveries are waiting, the oldest from ' +
      '24 minutes ago.',
  });
  t.regex(destinationFinding({ ...late, overdueReason: 'behind' }, now).detail, /answers more slowly/);
});

test('a receiver that refuses some events for long is retried', (t) => {
  const refused = { ...healthy, waiting: { pending: 0, retrying: 1 } };
  t.is(destinationFinding({ ...refused, oldestWaitingAt: '2026-01-01T11:58:00.000Z' }, now).title, 'In progress');
  t.deepEqual(destinationFinding({ ...refused, oldestWaitingAt: '2026-01-01T11:40:00.000Z' }, now), {
    tone: 'warn',
    title: 'Retrying',
    figure: 'for 20 min',
    detail:
      'The receiver accepts events, but refuses some of them again and again. 1 delivery is waiting, the oldest from 20 minutes ago.',
  });
});

test('a receiver that asked for a pause is not failing', (t) => {
  const circuit = { ...failing.circuit, reason: 'retry_after' as const };
  t.is(destinationFinding({ ...failing, circuit }, now).title, 'Paused by the receiver');
});

test('a disabled destination shows the reason', (t) => {
  const titleOf = (disabledReason: 'gone' | 'failing' | 'by_hand') =>
    destinationFinding({ ...healthy, enabled: false, disabledReason }, now).title;
  t.deepEqual(
    [titleOf('gone'), titleOf('failing'), titleOf('by_hand')],
    ['Disabled: gone', 'Disabled: failing', 'Disabled'],
  );
});

const listener = { ...healthy, type: 'listener' as const, url: null, label: 'laptop', lastDeliveredAt: null };

test('findings are sorted by urgency and name their destinations', (t) => {
  const found = channelFindings({ channel: connected, destinations: [listener, healthy, failing], now });
  t.deepEqual(
    found.map(({ title, subject }) => [title, subject]),
    [
      ['Failing', 'webhook example.com'],
      ['Delivering', 'webhook example.com'],
      ['Listener', 'laptop'],
    ],
  );
  t.is(channelFindings({ channel: connected, destinations: [failing], now })[0]?.subject, undefined);
});

test('a channel whose listener leaves deliveries unread is not green', (t) => {
  const titles = (oldestWaitingAt: string) => {
    const unread = { ...listener, oldestWaitingAt, waiting: { pending: 426, retrying: 0 } };
    const found = channelFindings({ channel: connected, destinations: [healthy, unread], now });
    return found.map(({ tone, title, figure }) => [tone, title, figure]);
  };
  const delivering = ['good', 'Delivering', null];
  t.deepEqual(titles('2026-01-01T11:51:00.000Z'), [['warn', 'Not read', 'for 9 min'], delivering]);
  t.deepEqual(titles('2026-01-01T11:59:30.000Z'), [['info', 'Being read', null], delivering]);
});

test('a channel-wide finding replaces those of its destinations', (t) => {
  const titles = (channel: Parameters<typeof channelFindings>[0]['channel'], destinations = [failing]) =>
    channelFindings({ channel, destinations, now }).map(({ title }) => title);
  t.deepEqual(titles({ ...connected, connected: false }), ['Disconnected']);
  t.deepEqual(titles({ ...connected, forwardingEnabled: false }), ['Forwarding is off']);
  t.deepEqual(titles(connected, []), ['No destination']);
  t.deepEqual(titles({ ...connected, credentialRefusedReason: 'x' }), ['Credential refused', 'Failing']);
  t.deepEqual(titles({ ...connected, credentialRefusedReason: 'x', connected: false }), ['Disconnected']);
});

test('the latest time ignores missing ones', (t) => {
  t.is(latestOf([null, '2026-01-01T00:00:00.000Z', '2026-01-02T00:00:00.000Z', null]), '2026-01-02T00:00:00.000Z');
  t.is(latestOf([null]), null);
});
