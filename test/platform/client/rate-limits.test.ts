import test from 'ava';
import { PlatformRejected, PlatformUnavailable } from '../../../platform/client/errors.ts';
import { rateLimitOf } from '../../../platform/client/rate-limits.ts';

const rejected = (status: number, code: number | null) =>
  new PlatformRejected({ status, code, subcode: null, isTransient: false, text: null, retryAfterSeconds: 60 });

const table = [
  ['a code of the app limits the app', rejected(400, 4), 'app'],
  ['a code of an account limits the account', rejected(400, 613), 'account'],
  ['a code of an account decides before the status', rejected(429, 80_001), 'account'],
  ['status 429 without a code limits the app', rejected(429, null), 'app'],
  ['status 429 with another code limits the app', rejected(429, 100), 'app'],
  ['another refusal is no limit', rejected(400, 100), undefined],
  ['a limit may be the cause of an unavailable platform', new PlatformUnavailable('busy', { cause: rejected(400, 17) }), 'account'],
  ['an unavailable platform is no limit', new PlatformUnavailable('timeout'), undefined],
  ['another error is no limit', new TypeError('x'), undefined],
] as const; // prettier-ignore

for (const [title, error, expected] of table) {
  test(title, (t) => t.deepEqual(rateLimitOf(error), expected && { of: expected, retryAfterSeconds: 60 }));
}
