import test, { type ExecutionContext } from 'ava';
import { StopList } from '../../dev/processes/stop-list.ts';
import { parseCidrs } from '../../contract/addresses/classify-address.ts';
import type { EgressOptions, EgressResult } from '../../egress/client.ts';
import { createLookup, parseHosts } from '../../egress/look-up.ts';
import { type AnswerOf, startDnsServer } from '../faults/receivers/dns-server.ts';
import { httpServer, loopbackEgress, post } from './test-server.ts';

/** Long enough for a busy machine: only silent names wait for it. */
const LONG_MS = 240_000;
/** Their queries are repeated for longer. */
const TRIES = 10;

/** A name server on the loopback. */
async function nameServer(t: ExecutionContext, answerOf: AnswerOf) {
  const stops = new StopList(() => undefined);
  t.teardown(() => stops.stopAll());
  const asked: string[] = [];
  const { port } = await startDnsServer((name, family) => {
    asked.push(name);
    return answerOf(name, family);
  }, stops);
  return { asked, nameServers: [`127.0.0.1:${port}`] };
}

const isDead = (name: string): boolean => name.startsWith('dead');
const silentIfDead: AnswerOf = (name) => (isDead(name) ? 'silence' : { address: '127.0.0.1' });

/** The real look-up, with a receiver for every name. */
async function stage(t: ExecutionContext, answerOf: AnswerOf = silentIfDead, options: Partial<EgressOptions> = {}) {
  const { asked, nameServers } = await nameServer(t, answerOf);
  const receiver = await httpServer(t, (_request, response) => response.end());
  const egress = loopbackEgress(t, {
    lookup: createLookup({ nameServers, tries: TRIES }),
    timeoutMs: 2 * LONG_MS,
    dnsTimeoutMs: LONG_MS,
    connectTimeoutMs: 4 * LONG_MS,
    ...options,
  });
  const aborted = new AbortController();
  t.teardown(() => aborted.abort());
  const send = (name: string, workspaceId: string): Promise<EgressResult> =>
    egress.send(post(`http://${name}:${receiver.port}/hook`, { workspaceId, signal: aborted.signal }));
  return { asked, send };
}

const range = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

test('two names without an answer stop no other workspace', async (t) => {
  const { asked, send } = await stage(t);
  for (const index of [0, 1]) void send(`dead-${index}.example.com`, 'ws_attacker');
  const results = await Promise.all(
    range(240).map((index) => send(`receiver-${index}.example.com`, `ws_${index % 10}`)),
  );
  t.deepEqual(
    results.filter(({ outcome }) => outcome !== 'answered'),
    [],
  );
  t.true(asked.filter(isDead).length >= 2, 'their look-ups are still under way');
});

test('a workspace with many dead names delays only its own names', async (t) => {
  const { asked, send } = await stage(t);
  for (const index of range(100)) void send(`dead-${index}.example.com`, 'ws_attacker');
  let isOwnAnswered = false;
  void send('own.example.com', 'ws_attacker').then(() => (isOwnAnswered = true));
  const results = await Promise.all(range(20).map((index) => send(`receiver-${index}.example.com`, 'ws_other')));
  t.true(results.every(({ outcome }) => outcome === 'answered'));
  t.false(isOwnAnswered);
  t.true(new Set(asked.filter(isDead)).size <= 32);
});

test('a full share delays no lookup of its names by others', async (t) => {
  const { send } = await stage(t);
  for (const index of range(40)) void send(`dead-${index}.example.com`, 'ws_attacker');
  void send('shared.example.com', 'ws_attacker');
  t.like(await send('shared.example.com', 'ws_other'), { outcome: 'answered' });
});

test('a lookup that no server answers ends at its deadline', async (t) => {
  const { send } = await stage(t, silentIfDead, { dnsTimeoutMs: 101 });
  t.like(await send('dead.example.com', 'ws_1'), { outcome: 'no_response', error: 'dns_timeout' });
});

test('an answer for one family does not wait for a silent other', async (t) => {
  const { send } = await stage(t, (_name, family) => (family === 4 ? { address: '127.0.0.1' } : 'silence'));
  t.like(await send('receiver.example.com', 'ws_1'), { outcome: 'answered' });
});

test('addresses of IPv6 alone are no answer while IPv4 may have some', async (t) => {
  let isFirst = true;
  const { send } = await stage(
    t,
    (_name, family) => {
      if (family === 6) return { address: '::2' };
      const said = isFirst ? 'silence' : ({ address: '127.0.0.1' } as const);
      isFirst = false;
      return said;
    },
    { allowCidrs: parseCidrs('127.0.0.1 ::2') },
  );
  t.like(await send('receiver.example.com', 'ws_1'), { outcome: 'answered' });
});

test('an unknown name needs no answer for the other family', async (t) => {
  const { send } = await stage(t, (_name, family) => (family === 4 ? 'unknown' : 'silence'));
  t.like(await send('receiver.example.com', 'ws_1'), { outcome: 'no_response', error: 'dns_not_found' });
});

test('another name server is asked after a failure of the first', async (t) => {
  const failing = await nameServer(t, () => 'failure');
  const working = await nameServer(t, silentIfDead);
  const lookup = createLookup({ nameServers: [...failing.nameServers, ...working.nameServers] });
  const { signal } = new AbortController();
  t.deepEqual(await lookup('receiver.example.com', signal), [{ address: '127.0.0.1', family: 4 }]);
  t.true(failing.asked.length > 0);
  await t.throwsAsync(lookup('receiver.example.com', AbortSignal.abort()));
});

test('a name without addresses differs from a failing server', async (t) => {
  const { send } = await stage(t, (name) => (name.startsWith('none') ? 'no_address' : 'failure'));
  t.like(await send('none.example.com', 'ws_1'), { outcome: 'no_response', error: 'dns_not_found' });
  t.like(await send('failing.example.com', 'ws_1'), { outcome: 'no_response', error: 'dns_failed' });
});

test('the hosts file comes first', async (t) => {
  const { asked, nameServers } = await nameServer(t, () => 'no_address');
  const lookup = createLookup({ nameServers });
  const { signal } = new AbortController();
  t.true((await lookup('localhost', signal)).some(({ address }) => address === '127.0.0.1'));
  t.deepEqual(await lookup('Receiver.localhost.', signal), [
    { address: '127.0.0.1', family: 4 },
    { address: '::1', family: 6 },
  ]);
  t.deepEqual(asked, []);
});

test('lines of the hosts file have an address and its names', (t) => {
  const hosts = parseHosts(
    '127.0.0.1\tlocalhost Box\n# 10.0.0.1 off\n::1 localhost # both\nfe80::1%lo0 localhost\nbroken line\n10.0.0.2 a\r\n',
  );
  t.deepEqual(hosts.get('localhost'), [
    { address: '127.0.0.1', family: 4 },
    { address: '::1', family: 6 },
  ]);
  t.deepEqual([...hosts.keys()], ['localhost', 'box', 'a']);
});
