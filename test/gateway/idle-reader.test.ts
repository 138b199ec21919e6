import { connect } from 'node:net';
import test from 'ava';
import { withLongerLimits } from '../harness/time/longer-limits.ts';
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
    const act = async (callMs: number) => {
      const stage = await startStage(t, {
        channel: number,
        limits: { callMs, answerMarginMs: 200, callsUnderWay: 1, answerBytes: 2 * content.length },
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

      const { status: whileUnread } = await send();
      const ends = () => stage.lines.filter(({ event, method }) => event === 'gateway.forwarded' && method === 'GET');
      await until(() => ends().length > 0, { for: 'The end' });
      const { status: afterwards } = await send();
      return { whileUnread, completed: ends()[0]!['completed'], afterwards };
    };
    const expected = { whileUnread: 429, completed: false, afterwards: 200 };
    // The gateway needs a part of the time to read the platform's response.
    const isTooEarly = (result: object): boolean => JSON.stringify(result) !== JSON.stringify(expected);
    t.deepEqual(await withLongerLimits(act, { isTooEarly, limitsMs: [2_000, 8_000, 60_000] }), expected);
  });
}
