import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { type ApiServer, createApiServer } from '../../../api/requests/api-server.ts';
import { createLog } from '../../../process/log.ts';
import { listening } from '../../harness/connections/listening.ts';
import { withLongerLimits } from '../../harness/time/longer-limits.ts';

async function asked(t: ExecutionContext, listener: ApiServer['listener'], silenceMs = 150) {
  const server = createApiServer({
    listener,
    log: createLog({ name: 'test', level: 'silent' }),
    silenceMs,
  });
  const { port } = await listening(t, server);
  const client = connect(port, '127.0.0.1');
  client.on('error', () => undefined); // a reset also ends the connection
  t.teardown(() => client.destroy());
  const responses = once(server, 'request');
  client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  const [, response] = await responses;
  return { client, response };
}

test('a client that never reads its answer is disconnected', async (t) => {
  const large = Buffer.alloc(32 * 1024 * 1024);
  const { client, response } = await asked(t, (_request, answer) => void answer.end(large));
  client.pause();
  await once(response, 'close');
  t.false(response.writableFinished);
});

test('a client that keeps reading is served to the end', async (t) => {
  const beats = 6;
  const read = async (silenceMs: number): Promise<string> => {
    const listener: ApiServer['listener'] = async (_request, answer) => {
      for (let beat = 0; beat < beats; beat++) {
        answer.write(`beat ${beat}\n`);
        await sleep(silenceMs / 2); // the elapsed time itself is under test
      }
      answer.end('the end\n');
    };
    const { client } = await asked(t, listener, silenceMs);
    let text = '';
    for await (const chunk of client) {
      text += String(chunk);
      if (text.includes('the end')) break;
    }
    return text;
  };
  const text = await withLongerLimits(read, {
    isTooEarly: (found) => !found.includes('the end'),
    limitsMs: [150, 5_000],
  });
  t.is(text.match(/beat/g)?.length, beats);
});
