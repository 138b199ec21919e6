import test from 'ava';
import { listenerStage } from '../../harness/listeners/listener-stage.ts';
import { testCli } from '../cli-run.ts';

test('listen acknowledges other deliveries when one no longer exists', async (t) => {
  const { url, apiKey, db, channel, listenerId, accept, readAll, record } = await listenerStage(t);
  const cli = await testCli(t, { BASE_URL: url, SERVICE_API_KEY: apiKey });
  await accept({}, {}, {});
  await readAll(3);
  const local = 'http://local.test/hook';
  let seen = 0;
  const options = {
    fetch: async (request: Request) => {
      if (request.url !== local) return await fetch(request);
      if (++seen === 3) await db('deliveries').where({ id: db('deliveries').select('id').orderBy('id').offset(1).limit(1) }).delete(); // prettier-ignore
      return new Response('seen');
    },
  };
  const line = `listen ${channel.publicId} --listener ${listenerId} --forward-to ${local} --count 3`;
  const end = await cli.run(`${line} --json`, options);
  t.is(end.code, 0, end.stderr);
  const ids = end.stdout.trim().split('\n').map((one): string => JSON.parse(one).deliveryId); // prettier-ignore
  t.is(ids.length, 3);
  t.regex(end.stderr, new RegExp(`^${ids[1]} no longer exists: .* Continuing\\.\\n$`));
  t.is((await record(ids[0]!)).status, 'delivered');
  t.is((await record(ids[2]!)).status, 'delivered');
});
