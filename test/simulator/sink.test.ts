import test from 'ava';
import { request } from 'undici';
import { startSink } from '../../simulator/sink.ts';

test('a sink reports deliveries with their bodies, and no probes', async (t) => {
  const arrived: string[] = [];
  const sink = await startSink({
    port: 0,
    onRequest: ({ deliveryId, body }) => arrived.push(`${deliveryId} ${body.toString()}`),
  });
  t.teardown(() => sink.stop());
  const post = async (path: string, headers: Record<string, string>, body?: string) => {
    const answer = await request(`${sink.url}${path}`, {
      method: 'POST',
      headers,
      ...(body !== undefined && { body }),
    });
    await answer.body.dump();
    return answer.statusCode;
  };
  const probe = await request(`${sink.url}/a?hub.mode=subscribe&hub.verify_token=T&hub.challenge=T`);
  t.is(await probe.body.text(), 'T');
  t.is(await post('/a', {}), 200);
  for (const id of ['wd_1', 'wd_1', 'wd_2']) t.is(await post('/a', { 'webhook-id': id }, '{}'), 200);
  t.deepEqual(arrived, ['wd_1 {}', 'wd_1 {}', 'wd_2 {}']);
});
