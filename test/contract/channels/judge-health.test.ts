import test from 'ava';
import type { HealthReading } from '../../../contract/channels/health.ts';
import {
  alertReasonOf,
  describeReasons,
  judgeHealth,
  statusOfReasons,
} from '../../../contract/channels/judge-health.ts';

const now = new Date('2026-11-24T12:00:00Z');
const limits = { now, credentialEndsMs: 3 * 86_400_000 };
const fine: HealthReading = {
  quality: 'high',
  tier: '1k',
  throughput: 'standard',
  accountStatus: 'connected',
  nameStatus: 'approved',
  name: 'Sunrise Bakery',
  username: null,
  pictureUrl: null,
  businessAccountId: '4',
  permissions: { granted: ['a'], missing: [] },
  subscription: { isSubscribed: true, fields: [], missing: [] },
  credentialExpiresAt: null,
};
const judged = (change: Partial<HealthReading>) => judgeHealth({ ...fine, ...change }, limits);

test('a healthy account has no reasons', (t) => {
  t.deepEqual(judged({}), []);
  t.deepEqual(judged({ quality: 'unknown', accountStatus: 'unknown', permissions: null, nameStatus: 'pending' }), []);
  t.is(statusOfReasons([]), 'healthy');
  t.is(alertReasonOf([]), null);
});

test('each finding has its reason, the most serious first', (t) => {
  t.deepEqual(judged({ quality: 'medium' }), ['quality_medium']);
  t.deepEqual(judged({ accountStatus: 'flagged', quality: 'low' }), ['quality_low', 'account_flagged']);
  t.deepEqual(judged({ accountStatus: 'restricted' }), ['account_restricted']);
  t.deepEqual(judged({ accountStatus: 'banned' }), ['account_banned']);
  t.deepEqual(judged({ accountStatus: 'not_registered' }), ['account_not_registered']);
  t.deepEqual(judged({ accountStatus: 'offline' }), ['account_offline']);
  t.deepEqual(judged({ nameStatus: 'declined' }), ['name_declined']);
  t.deepEqual(judged({ permissions: { granted: [], missing: ['a'] } }), ['permissions_missing']);
  const subscription = { isSubscribed: true, fields: [], missing: ['b'] };
  t.deepEqual(judged({ subscription }), ['events_missing']);
  t.deepEqual(judged({ subscription: { ...subscription, isSubscribed: false } }), ['not_subscribed']);
  t.deepEqual(judged({ subscription: null }), []);
  const endsIn = (days: number) => ({ credentialExpiresAt: new Date(now.getTime() + days * 86_400_000) });
  t.deepEqual(judged(endsIn(2)), ['credential_ending']);
  t.deepEqual(judged(endsIn(4)), []);
});

test('the most serious reason decides the status', (t) => {
  t.is(statusOfReasons(['quality_low', 'account_flagged']), 'failing');
  t.is(statusOfReasons(['credential_ending']), 'warning');
  t.is(statusOfReasons(['check_failed']), 'unknown');
});

test('only reasons without an alert of their own are alerted', (t) => {
  t.is(alertReasonOf(['quality_medium', 'credential_ending', 'name_declined']), 'quality_medium,name_declined');
  t.is(alertReasonOf(['credential_ending']), null);
  t.regex(
    describeReasons('quality_low,not_known'),
    /^Its quality rating is low\b[^.]*\. Send fewer unwanted messages\.$/,
  );
});
