import test from 'ava';
import { judgeFailedSend, type SendVerdict } from '../../../activities/scheduled/judge-failed-send.ts';
import {
  PlatformOutcomeLost,
  PlatformRejected,
  type PlatformRejection,
  PlatformUnavailable,
} from '../../../platform/client/errors.ts';

const refused = (refusal: Partial<PlatformRejection>) =>
  new PlatformRejected({ status: 400, code: null, subcode: null, isTransient: false, text: 'to 15550001', ...refusal });

type Row = readonly [title: string, error: unknown, hasWritten: boolean, expected: Partial<SendVerdict>];

const table: readonly Row[] = [
  ['a lost answer is unknown', new PlatformOutcomeLost('lost'), true, { to: 'unknown' }],
  ['a send without an answer is unknown', new PlatformUnavailable('timeout'), true, { to: 'unknown' }],
  ['a send that was not sent is repeated', new PlatformUnavailable('timeout', { notSent: true }), true, { to: 'scheduled', detail: 'Not sent yet: timeout.' }],
  ['a read without an answer is repeated', new PlatformUnavailable('timeout'), false, { to: 'scheduled', detail: 'Not sent yet: timeout.' }],
  ['a fault of the service before the send is repeated', new TypeError('to 15550001'), false, { to: 'scheduled', detail: 'Not sent yet: a fault of the service (TypeError).' }],
  ['a fault of the service after the send is unknown', new TypeError('to 15550001'), true, { to: 'unknown' }],
  ['a refusal for now is repeated when the platform says', refused({ code: 4, retryAfterSeconds: 90 }), true, { to: 'scheduled', retryAfterMs: 90_000 }],
  ['a limit without a time is repeated, too', refused({ code: 131056 }), true, { to: 'scheduled', retryAfterMs: 6_000 }],
  ['a long limit fails', refused({ code: 131048 }), true, { to: 'failed', refusalCode: 'PLATFORM_RATE_LIMITED' }],
  ['a closed window fails', refused({ code: 131047 }), true, { to: 'failed', reason: 'refused', refusalCode: 'MESSAGING_WINDOW_CLOSED' }],
  ['a failed read before the send is repeated', refused({ code: 2 }), false, { to: 'scheduled' }],
  ['a final refusal fails', refused({ code: 100 }), true, { to: 'failed', reason: 'refused', refusalCode: 'VALIDATION_ERROR' }],
  ['a dead credential waits for a new one', refused({ status: 401, code: 190 }), true, { to: 'scheduled', retryAfterMs: 0 }],
]; // prettier-ignore

for (const [title, error, hasWritten, expected] of table) {
  test(title, (t) => {
    const verdict = judgeFailedSend(error, { hasWritten });
    t.like(verdict, expected);
    t.false(verdict.detail.includes('15550001'), 'details never quote the platform');
  });
}
