import { Client, Connection } from '@temporalio/client';
import test from 'ava';
import { watchNamespace } from '../../workflow-starts/namespace-state.ts';
import { refuseForeignNamespace, requireOwnNamespace } from '../../workflow-starts/require-own-namespace.ts';
import { temporalHarness } from '../harness/temporal/temporal.ts';

const own = { installationId: 'ins_000000000001', baseUrl: 'https://one.example.com' };
const other = { installationId: 'ins_000000000002', baseUrl: 'https://two.example.com' };

test('a namespace accepts one installation until its mark is terminated', async (t) => {
  const { client } = await temporalHarness(t, {}, { queues: {} });
  await refuseForeignNamespace(client, other);
  await requireOwnNamespace(client, own);
  await refuseForeignNamespace(client, own);
  await t.throwsAsync(refuseForeignNamespace(client, other), { message: /ins_000000000001/ });
  await requireOwnNamespace(client, { ...own, baseUrl: 'https://moved.example.com' });
  const error = await t.throwsAsync(requireOwnNamespace(client, other));
  const text = error.message;
  for (const part of [client.options.namespace, ...Object.values(own), ...Object.values(other), 'TEMPORAL_NAMESPACE']) {
    t.true(text.includes(part), `${part} in: ${text}`);
  }
  await client.workflow.getHandle('installation').terminate();
  await refuseForeignNamespace(client, other);
  await requireOwnNamespace(client, other);
});

test('of two installations that start at once one is refused', async (t) => {
  const { client } = await temporalHarness(t, {}, { queues: {} });
  const results = await Promise.allSettled([own, other].map((each) => requireOwnNamespace(client, each)));
  t.deepEqual(results.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
});

test('the state of a namespace names what is wrong with it', async (t) => {
  const { client } = await temporalHarness(t, {}, { queues: {} });
  t.is(await watchNamespace({ client, own })(), 'ok', 'no worker has marked it');
  await requireOwnNamespace(client, own);
  t.is(await watchNamespace({ client, own })(), 'ok');
  t.is(await watchNamespace({ client, own: other })(), 'namespace_foreign');
  const missing = new Client({ connection: client.connection, namespace: 'no-such-namespace' });
  t.is(await watchNamespace({ client: missing, own })(), 'namespace_missing');
  const away = new Client({ connection: Connection.lazy({ address: '127.0.0.1:1', interceptors: [] }) });
  t.teardown(() => away.connection.close());
  t.is(await watchNamespace({ client: away, own })(), 'unreachable');
});

test('the state of a namespace is asked every few seconds only', async (t) => {
  const { client } = await temporalHarness(t, {}, { queues: {} });
  let nowMs = 0;
  const state = watchNamespace({ client, own: other, now: () => nowMs });
  t.is(await state(), 'ok');
  await requireOwnNamespace(client, own);
  t.is(await state(), 'ok');
  nowMs += 5_000;
  t.is(await state(), 'namespace_foreign');
});
