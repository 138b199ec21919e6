import type { LookupAddress } from 'node:dns';
import test from 'ava';
import { parseCidrs } from '../../contract/addresses/classify-address.ts';
import { createEgress } from '../../egress/client.ts';
import type { Lookup } from '../../egress/look-up.ts';
import { httpServer, loopbackEgress, post } from './test-server.ts';

function v4(address: string): LookupAddress {
  return { address, family: 4 };
}

/** Repeats the last answer and counts the calls. */
function answers(...lists: LookupAddress[][]) {
  let count = 0;
  const lookup: Lookup = async () => lists[Math.min(count++, lists.length - 1)] ?? [];
  return { lookup, count: () => count };
}

function failingLookup(code: string): Lookup {
  return () => Promise.reject(Object.assign(new Error(`lookup ${code}`), { code }));
}

test('the loopback is blocked in every spelling by default', async (t) => {
  const server = await httpServer(t, (_request, response) => response.end());
  const egress = createEgress({ allowCidrs: [], allowHttp: true });
  t.teardown(() => egress.close());

  for (const host of ['127.0.0.1', '0x7f.1', '2130706433', '0177.0.0.1', '127.1', '0', '[::1]', '[::ffff:127.0.0.1]']) {
    const result = await egress.send(post(`http://${host}:${server.port}/`));
    t.like(result, { outcome: 'blocked', error: 'address_not_allowed' }, host);
  }
  t.like(await egress.send(post(`http://localhost:${server.port}/`)), { outcome: 'blocked', error: 'url_not_allowed' });
  t.is(server.connectionCount(), 0);
});

test('an allowed block allows its addresses in every spelling', async (t) => {
  const server = await httpServer(t, (_request, response) => response.end());
  const egress = loopbackEgress(t);

  for (const host of ['127.0.0.1', '0x7f.1', '2130706433', '[::ffff:127.0.0.1]']) {
    const result = await egress.send(post(`http://${host}:${server.port}/`));
    t.like(result, { outcome: 'answered', status: 200 }, host);
  }
  t.like(await egress.send(post(`http://127.0.0.2:${server.port}/`)), { outcome: 'blocked' });
});

test('plain http is blocked unless allowed', async (t) => {
  const server = await httpServer(t, (_request, response) => response.end());

  const result = await loopbackEgress(t, { allowHttp: false }).send(post(server.url));

  t.like(result, { outcome: 'blocked', error: 'url_not_allowed' });
  t.is(server.connectionCount(), 0);
});

test('a name with a private address is blocked', async (t) => {
  for (const address of ['10.0.0.1', '127.0.0.2', '169.254.169.254']) {
    const egress = loopbackEgress(t, answers([v4(address)]));
    t.like(await egress.send(post('http://hooks.example.com/')), { outcome: 'blocked', error: 'address_not_allowed' });
  }
});

test('one private address among public ones blocks the name', async (t) => {
  const server = await httpServer(t, (_request, response) => response.end());
  const { lookup } = answers([v4('127.0.0.1'), v4('10.0.0.1')]);

  const result = await loopbackEgress(t, { lookup }).send(post(`http://hooks.example.com:${server.port}/`));

  t.like(result, { outcome: 'blocked', error: 'address_not_allowed' });
  t.is(server.connectionCount(), 0);
});

test('a connection uses the checked address despite DNS changes', async (t) => {
  let host: string | undefined;
  const server = await httpServer(t, ({ headers }, response) => {
    host = headers.host;
    response.writeHead(200, { connection: 'close' }).end();
  });
  const { lookup, count } = answers([v4('127.0.0.1')], [v4('169.254.169.254')]);
  const egress = loopbackEgress(t, { lookup });
  const url = `http://hooks.example.com:${server.port}/`;

  t.like(await egress.send(post(url)), { outcome: 'answered', status: 200 });
  t.is(count(), 1);
  t.is(host, `hooks.example.com:${server.port}`);

  t.like(await egress.send(post(url)), { outcome: 'blocked', error: 'address_not_allowed' });
  t.is(server.connectionCount(), 1);
});

test('concurrent connections resolve a name once', async (t) => {
  const server = await httpServer(t, (_request, response) => response.end());
  const { lookup, count } = answers([v4('127.0.0.1')]);
  const egress = loopbackEgress(t, { lookup, dnsCacheMs: 60_000 });

  const url = `http://hooks.example.com:${server.port}/`;
  const results = await Promise.all(Array.from({ length: 8 }, () => egress.send(post(url))));

  t.true(results.every((result) => result.outcome === 'answered'));
  t.is(count(), 1);
});

test('an unknown name differs from a failing resolver', async (t) => {
  const errorOf = async (lookup: Lookup) => {
    const result = await loopbackEgress(t, { lookup }).send(post('http://hooks.example.com/'));
    return result.outcome === 'no_response' ? result.error : result.outcome;
  };
  t.is(await errorOf(failingLookup('ENOTFOUND')), 'dns_not_found');
  t.is(await errorOf(failingLookup('EAI_AGAIN')), 'dns_failed');
  t.is(await errorOf(answers([]).lookup), 'dns_not_found');
});

test('a silent resolver ends at the DNS deadline', async (t) => {
  const egress = loopbackEgress(t, { lookup: () => new Promise(() => {}), dnsTimeoutMs: 100 });

  const result = await egress.send(post('http://hooks.example.com/'));

  t.like(result, { outcome: 'no_response', error: 'dns_timeout' });
});

test('a failed lookup is not cached if its time is 0', async (t) => {
  const server = await httpServer(t, (_request, response) => response.end());
  let count = 0;
  const lookup: Lookup = (...asked) =>
    count++ === 0 ? failingLookup('EAI_AGAIN')(...asked) : Promise.resolve([v4('127.0.0.1')]);
  const egress = loopbackEgress(t, { lookup, dnsCacheMs: 60_000 });
  const url = `http://hooks.example.com:${server.port}/`;

  t.like(await egress.send(post(url)), { outcome: 'no_response', error: 'dns_failed' });
  t.like(await egress.send(post(url)), { outcome: 'answered' });
});

test('localhost is allowed if the loopback is allowed', async (t) => {
  const server = await httpServer(t, (_request, response) => response.end());
  const egress = loopbackEgress(t, { allowCidrs: parseCidrs('127.0.0.0/8 ::1') });

  t.like(await egress.send(post(`http://localhost:${server.port}/`)), { outcome: 'answered', status: 200 });
});

test('a URL can be judged without a request', async (t) => {
  const egress = loopbackEgress(t, answers([v4('127.0.0.1')], [v4('10.0.0.1')]));

  t.is(await egress.judge('http://hooks.example.com/'), undefined);
  t.is(await egress.judge('http://hooks.example.com/'), 'address_not_allowed');
  t.is(await egress.judge('http://127.0.0.1/'), undefined);
  t.is(await egress.judge('http://10.0.0.1/'), 'address_not_allowed');
  t.is(await egress.judge('http://user@hooks.example.com/'), 'url_not_allowed');
});

test('an unresolvable name does not block a URL', async (t) => {
  for (const code of ['ENOTFOUND', 'EAI_AGAIN']) {
    t.is(await loopbackEgress(t, { lookup: failingLookup(code) }).judge('http://hooks.example.com/'), undefined);
  }
});
