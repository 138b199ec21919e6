import test from 'ava';
import type { PlatformRefusalCode } from '../../../contract/errors.ts';
import { PlatformRejected, PlatformUnavailable } from '../../../platform/client/errors.ts';
import {
  type CallKind,
  isDeadCredential,
  isMissingObject,
  isNotShown,
  isStatedRefusal,
  rateLimitOf,
  refusalOf,
  repeatOf,
} from '../../../platform/client/refusals.ts';

const refused = (code: number | null, subcode: number | null = null, status = 400) => ({
  status,
  code,
  subcode,
  isTransient: false,
});

/** Codes, some with a subcode. */
type Row = readonly [code: PlatformRefusalCode, call: CallKind, codes: string];

const parsed = (codes: string) =>
  codes.split(' ').map((each) => {
    const [code, subcode] = each.split('/').map(Number);
    return [code!, subcode ?? null] as const;
  });

const rows: readonly Row[] = [
  ['PLATFORM_RATE_LIMITED', 'write', '4 9 17 32 341 613 130429 131048 132069 133016 138005'],
  ['PLATFORM_RATE_LIMITED', 'write', '80000 80001 80002 80006 80007 80014 4/2018022 10/1893063'],
  ['RECIPIENT_RATE_LIMITED', 'write', '131056 4/2018354'],
  ['PUBLISH_QUOTA_EXCEEDED', 'publish', '9/2207042'],
  ['MESSAGING_WINDOW_CLOSED', 'write', '131047 10901 470 10/2018278 10/2018065 10/2534022'],
  ['MESSAGING_WINDOW_CLOSED', 'write', '131047/2018278'],
  ['RECIPIENT_UNREACHABLE', 'write', '551 10903 131026 131030 131050 2018108 551/1545041 200/1545041'],
  ['RECIPIENT_UNREACHABLE', 'write', '100/2018001 10/2018108 100/2534014 100/2534001'],
  ['MESSAGE_WITHHELD', 'write', '130472 131049 100/2534013'],
  ['CONVERSATION_HELD_ELSEWHERE', 'write', '10/2018300'],
  ['REPLY_ALREADY_SENT', 'write', '10900 100/2534025'],
  ['DUPLICATE_POST', 'write', '506'],
  ['DUPLICATE_POST', 'publish', '506'],
  ['TEMPLATE_REJECTED', 'write', '132000 132001 132005 132007 132012 132015 132016 132068'],
  ['ACCOUNT_RESTRICTED', 'write', '368 130497 131031 131037 131042 25/2207050 4/2207051 100/2534029'],
  ['NUMBER_NOT_REGISTERED', 'write', '33 131045 133000 133010 133015'],
  ['PAGEAPP_SCOPE_MISSING', 'write', '0 3 10 200 230 299 131005 200/2534041'],
  ['CREDENTIAL_REFUSED', 'write', '102 190 190/458 190/460 190/463 190/490 190/492'],
  ['MEDIA_REJECTED', 'write', '324 352 389 6000 9004 36000 36001 36003 131052 131053 100/2018109'],
  ['MEDIA_REJECTED', 'publish', '-2/2207003 9004/2207052 352/2207026 36003/2207009 100/2018047'],
  ['VALIDATION_ERROR', 'write', '100 803 2500 10902 131008 131009 131021 131051 1609005 100/33'],
  ['VALIDATION_ERROR', 'write', '1/2207057 100/2207010 100/2207023 100/2207036 24/2207006'],
  ['VALIDATION_ERROR', 'insights', '10 100 100/33'],
  ['CONTAINER_NOT_READY', 'publish', '9007 9007/2207027'],
  ['CONTAINER_EXPIRED', 'publish', '-2/2207020'],
  ['CONTAINER_FAILED', 'publish', '100 24/2207006'],
  ['PLATFORM_UNAVAILABLE', 'write', '1200 131057 133004 24/2207008 -1/2207032 -1/2207053'],
  ['PLATFORM_UNAVAILABLE', 'read', '-1 1 2 131000 131016 2/1545133'],
  ['PLATFORM_OUTCOME_UNKNOWN', 'write', '-1 1 2 131000 131016 -1/2207001 2/1545133'],
  ['PLATFORM_REJECTED', 'write', '4711'],
];

test('every documented code has an answer', (t) => {
  for (const [expected, call, codes] of rows) {
    for (const [code, subcode] of parsed(codes)) {
      const { code: answer, mayBeDone } = refusalOf(call, refused(code, subcode));
      t.is(answer, expected, `${call} ${code}/${subcode}`);
      t.is(mayBeDone, expected === 'PLATFORM_OUTCOME_UNKNOWN', `${call} ${code}/${subcode} may be done`);
    }
  }
});

test('a stated refusal with status 500 is no unknown outcome', (t) => {
  for (const [expected, call, codes] of rows) {
    if (expected === 'PLATFORM_OUTCOME_UNKNOWN' || expected === 'PLATFORM_REJECTED' || call === 'read') continue;
    for (const [code, subcode] of parsed(codes)) {
      const failed = refused(code, subcode, 500);
      t.is(refusalOf(call, failed).code, expected, `${code}/${subcode} with 500`);
      t.true(isStatedRefusal(failed));
    }
  }
  for (const code of [1, 2, 131000, 4711]) t.false(isStatedRefusal(refused(code, null, 500)));
});

test('limits say when to repeat the call', (t) => {
  const seconds = (code: number, subcode: number | null = null) =>
    refusalOf('write', refused(code, subcode)).retryAfterSeconds ?? 0;
  for (const code of [4, 17, 613, 80001, 130429, 131048, 131056, 133016]) t.true(seconds(code) > 0, String(code));
  t.true(seconds(9, 2207042) > 0);
  t.is(refusalOf('write', { ...refused(80001), retryAfterSeconds: 900 }).retryAfterSeconds, 900);
  for (const code of [506, 131047, 131026, 132001, 100, 190]) t.is(seconds(code), 0, String(code));
  t.is(refusalOf('write', { ...refused(506), retryAfterSeconds: 900 }).retryAfterSeconds, null);
});

test('an answer without a known code is judged by its status', (t) => {
  const of = (status: number, more: object = {}) =>
    refusalOf('write', { ...refused(null, null, status), ...more }).code;
  t.is(of(404), 'PLATFORM_REJECTED');
  t.is(of(408), 'PLATFORM_OUTCOME_UNKNOWN');
  t.is(of(429), 'PLATFORM_RATE_LIMITED');
  t.is(of(429, { code: 100 }), 'PLATFORM_RATE_LIMITED');
  t.is(of(502), 'PLATFORM_OUTCOME_UNKNOWN');
  t.is(of(400, { code: 4711, isTransient: true }), 'PLATFORM_OUTCOME_UNKNOWN');
  t.is(of(400, { code: 4, isTransient: true }), 'PLATFORM_RATE_LIMITED');
  t.is(of(400, { code: 9, subcode: 2207042, isTransient: true }), 'PUBLISH_QUOTA_EXCEEDED');
});

test('reads are repeated after temporary failures only', (t) => {
  for (const code of [-1, 1, 2, 4, 17, 32, 341, 613, 130429, 131000, 131016, 131057]) {
    t.is(repeatOf(refused(code)), 'soon', String(code));
  }
  for (const code of [80001, 80002, 80006, 80007]) t.is(repeatOf(refused(code)), 'hinted', String(code));
  t.is(repeatOf(refused(null, null, 429)), 'hinted');
  t.is(repeatOf({ ...refused(100), isTransient: true }), 'soon');
  for (const code of [10, 100, 190, 131047, 131048, 4711]) t.is(repeatOf(refused(code)), undefined, String(code));
});

test('dead credentials and missing objects are known by their codes', (t) => {
  t.true(isDeadCredential({ code: 190, subcode: 460 }));
  t.false(isDeadCredential({ code: 10, subcode: null }));
  t.true(isMissingObject({ code: 100, subcode: 33 }));
  t.true(isMissingObject({ code: 24, subcode: 2207006 }));
  t.false(isMissingObject({ code: 100, subcode: null }));
  for (const code of [3, 10, 24, 33, 100, 200, 299, 803, 2500])
    t.true(isNotShown({ code, subcode: null }), String(code));
  for (const code of [1, 4, 190]) t.false(isNotShown({ code, subcode: null }), String(code));
});

const limited = (status: number, code: number | null) =>
  new PlatformRejected({ ...refused(code, null, status), text: null, retryAfterSeconds: 60 });

const limits = [
  ['a code of the app limits the app', limited(400, 4), 'app'],
  ['a code of an account limits the account', limited(400, 613), 'account'],
  ['a code of an account decides before the status', limited(429, 80_001), 'account'],
  ['status 429 without a code limits the app', limited(429, null), 'app'],
  ['status 429 with another code limits the app', limited(429, 100), 'app'],
  ['another refusal is no limit', limited(400, 100), undefined],
  ['a limit may be the cause of an unavailable platform', new PlatformUnavailable('busy', { cause: limited(400, 17) }), 'account'],
  ['an unavailable platform is no limit', new PlatformUnavailable('timeout'), undefined],
  ['another error is no limit', new TypeError('x'), undefined],
] as const; // prettier-ignore

for (const [title, error, expected] of limits) {
  test(title, (t) => t.deepEqual(rateLimitOf(error), expected && { of: expected, retryAfterSeconds: 60 }));
}
