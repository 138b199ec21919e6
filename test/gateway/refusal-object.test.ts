import test from 'ava';
import { startStage } from './stage.ts';

const page = '/platform/v25.0/1000';

for (const [what, route, options, expected] of [
  ['an unknown token', `GET ${page}`, { token: `hmat_${'x'.repeat(43)}` }, [401, 'AUTH_REQUIRED', 190, 467]],
  ['a missing token', `GET ${page}`, { token: null }, [401, 'MISSING_BEARER', 190, undefined]],
  ['a foreign object', 'GET /platform/v25.0/9000_1', {}, [403, 'PAGEAPP_SCOPE_DENIED', 200, undefined]],
  ['a bad parameter', `GET ${page}?ids=1`, {}, [400, 'VALIDATION_ERROR', 100, undefined]],
  ['an unknown path', 'GET /elsewhere', {}, [404, 'ROUTE_NOT_FOUND', 100, 33]],
] as const) {
  test(`the refusal of ${what} has the platform's error object`, async (t) => {
    const { call } = await startStage(t);
    const [status, code, platformCode, subcode] = expected;

    const answer = await call(route, options);

    t.is(answer.status, status, answer.text);
    const { message, requestId } = answer.body;
    t.like(answer.body, { statusCode: status, code });
    t.deepEqual(answer.body['error'], {
      message,
      type: subcode === 33 ? 'GraphMethodException' : 'OAuthException',
      code: platformCode,
      ...(subcode !== undefined && { error_subcode: subcode }),
      is_transient: false,
      error_data: { details: code },
      fbtrace_id: requestId,
    });
  });
}

test('a refusal is transient only if nothing was sent', async (t) => {
  const limited = await startStage(t, { limits: { callsPerMinute: 0 } });
  const silent = await startStage(t, { script: (request) => void request.socket.destroy() });

  const limit = await limited.call(`GET ${page}`);
  const read = await silent.call(`GET ${page}`);
  const write = await silent.call(`POST ${page}/messages`, { json: { recipient: { id: '1' } } });

  t.like(limit.body, { code: 'RATE_LIMITED', error: { code: 4, is_transient: true } });
  t.like(read.body, { code: 'PLATFORM_UNAVAILABLE', error: { code: 2, is_transient: true } });
  t.like(write.body, { code: 'PLATFORM_OUTCOME_UNKNOWN', error: { code: 1, is_transient: false } });
});
