import { connect } from 'node:net';
import test from 'ava';
import { until } from '../harness/until.ts';
import { channelToken, startStage } from './stage.ts';

const number = { type: 'chatapp', resourceId: '3000', linkedResourceId: null } as const;
/** More than both sides of a connection buffer. */
const content = 'x'.repeat(16 * 1024 * 1024);

for (const [what, type] of [
  ['an answer', 'application/json'],
  ['a file', 'image/png'],
] as const) {
  test(`a caller that does not read ${what} is disconnected`, async (t) => {
    const stage = await startStage(t, {
      channel: number,
      // Long enough for the gateway to read the platform's response on a busy machine.
      limits: { callMs: 8_000, answerMarginMs: 200, callsUnderWay: 1, answerBytes: 2 * content.length },
      script: {
        'GET /3000': { text: `"${content}"`, headers: { 'content-type': type } },
        'POST /3000/messages': {},
      },
    });
    const { hostname, port } = new URL(stage.url);
    const socket = connect({ host: hostname, port: Number(port) }).pause();
    socket.on('error', () => undefined);
    t.teardown(() => socket.destroy());
    socket.write(`GET /platform/v22.0/3000 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${channelToken}\r\n\r\n`);
    await until(() => stage.recorded.length > 0 || stage.seen.length > 0, { for: 'The call at the platform' });
    const send = () => stage.call('POST /platform/v22.0/3000/messages', { json: {} });

    t.is((await send()).status, 429);
    await until(() => stage.lines.some(({ completed }) => completed === false), { for: 'The end', timeoutMs: 20_000 });

    t.is((await send()).status, 200);
  });
}
