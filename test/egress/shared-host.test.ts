import test from 'ava';
import { eventually } from '../harness/eventually.ts';
import { holdingServer } from './holding-server.ts';
import { loopbackEgress, post } from './test-server.ts';

const slow = { group: 1, workspaceId: 'slow' };
const fast = { group: 2, workspaceId: 'fast' };

test('a slow path does not delay another path of its host', async (t) => {
  const receiver = await holdingServer(t);
  const egress = loopbackEgress(t, { timeoutMs: 60_000 });

  const stuck = Array.from({ length: 160 }, () => egress.send(post(receiver.urlOf('/slow'), slow)));
  await eventually(() => receiver.heldCount() === 64);
  const instant = egress.send(post(receiver.urlOf('/fast'), fast));
  await receiver.answer('/fast');

  t.like(await instant, { outcome: 'answered', status: 200 });
  t.is(receiver.arrived.length, 65);
  receiver.letGo();
  for (const result of await Promise.all(stuck)) t.is(result.outcome, 'answered');
});

test('groups take turns for a connection of the process', async (t) => {
  const receiver = await holdingServer(t);
  const egress = loopbackEgress(t, { maxConnections: 1 });
  const send = (path: string, group: number) => egress.send(post(receiver.urlOf(path), { group }));

  const sent = [send('/a1', 1), send('/a2', 1), send('/a3', 1), send('/b1', 2), send('/b2', 2), send('/c1', 3)];
  const order = ['/a1', '/b1', '/c1', '/a2', '/b2', '/a3'];
  for (const path of order) await receiver.answer(path);

  for (const result of await Promise.all(sent)) t.is(result.outcome, 'answered');
  t.deepEqual(receiver.arrived, order);
});

test('a group without a request under way finds a reserved connection', async (t) => {
  const receiver = await holdingServer(t);
  const egress = loopbackEgress(t, { maxConnections: 16 });

  const stuck = Array.from({ length: 40 }, () => egress.send(post(receiver.urlOf('/slow'), slow)));
  await eventually(() => receiver.heldCount() === 14);
  const instant = egress.send(post(receiver.urlOf('/fast'), fast));
  await receiver.answer('/fast');

  t.like(await instant, { outcome: 'answered' });
  t.is(receiver.arrived.length, 15);
  receiver.letGo();
  for (const result of await Promise.all(stuck)) t.is(result.outcome, 'answered');
});

test('a workspace at its limit does not delay another one', async (t) => {
  const receiver = await holdingServer(t);
  const egress = loopbackEgress(t, { maxConnectionsPerGroup: 4, maxConnectionsPerWorkspace: 8 });

  const stuck = Array.from({ length: 60 }, (_, n) =>
    egress.send(post(receiver.urlOf('/slow'), { group: n % 15, workspaceId: 'slow' })),
  );
  await eventually(() => receiver.heldCount() === 8);
  const others = Array.from({ length: 6 }, () => egress.send(post(receiver.urlOf('/fast'), { ...fast, group: 100 })));
  for (const _ of others) await receiver.answer('/fast');

  for (const sent of others) t.like(await sent, { outcome: 'answered' });
  t.is(receiver.arrived.filter((path) => path === '/slow').length, 8);
  receiver.letGo();
  for (const result of await Promise.all(stuck)) t.is(result.outcome, 'answered');
});
