import test, { type ExecutionContext } from 'ava';
import type { ScriptedWebhook } from '../../../simulator/receiver/scripted-webhook.ts';
import { countLostLeases } from '../../harness/system/lost-leases.ts';
import { publishBurst } from '../../harness/system/publish.ts';
import { patienceMs, sized } from '../../harness/system/scale.ts';
import { type ConnectedChannel, startSystem, type System } from '../../harness/system/system.ts';
import { until } from '../../harness/until.ts';
import { untilAllDelivered } from '../../harness/system/delivery-watch.ts';

const count = sized({ quick: 150, full: 2_000 });
/** So low that deliveries are left after the second kill, also if calls take seconds. */
const PER_SECOND = sized({ quick: 10, full: 90 });
const CONCURRENCY = 4;

/** Occurs in the values of the headers and nowhere else. */
const SECRET = 'canary4d7e';
const keyOf = (version: number): string => `${SECRET}-${version}`;

interface OptionsStage extends System {
  readonly connected: ConnectedChannel;
  readonly webhook: ScriptedWebhook;
}

async function setVersion({ api, connected }: OptionsStage, version: number): Promise<void> {
  const { status, body } = await api.callUntilDone(`PATCH /channels/${connected.publicId}/destinations`, {
    destination: 'webhook',
    headers: { 'x-key': keyOf(version) },
    authentication: { type: 'bearer', token: keyOf(version) },
    rate: { requestsPerSecond: PER_SECOND, concurrency: CONCURRENCY },
  });
  if (status !== 200) throw new Error(JSON.stringify(body));
}

const versionsOf = (webhook: ScriptedWebhook): string[] =>
  webhook.deliveries().map(({ headers }) => `${String(headers['authorization'])} ${String(headers['x-key'])}`);

const textOf = (version: number): string => `Bearer ${keyOf(version)} ${keyOf(version)}`;

async function untilReceived(webhook: ScriptedWebhook, received: number): Promise<void> {
  const isReceived = () => webhook.deliveries().length >= received;
  await until(isReceived, { for: `${received} requests`, timeoutMs: patienceMs(count) });
}

/** A busy machine can only lower the rate. Requests that have begun may start late, at most `CONCURRENCY` of them at once. */
async function exceedsRate({ db, ...system }: System): Promise<boolean> {
  const startedAt: Date[] = await db('attempts').orderBy('started_at').pluck('started_at');
  const slack = (1 + countLostLeases(system)) * CONCURRENCY + 2;
  return startedAt.some((from, first) =>
    startedAt.slice(first).some((to, index) => {
      const seconds = (to.getTime() - from.getTime()) / 1000;
      return index + 1 > PER_SECOND * seconds + slack;
    }),
  );
}

async function stageOf(t: ExecutionContext): Promise<OptionsStage> {
  const system = await startSystem(t);
  const webhook = system.receiver.webhook('options');
  const connected = await system.channel({ webhookUrl: webhook.url });
  const { body } = await system.api.callUntilDone(`GET /webhook-config/${connected.publicId}/hmac`);
  webhook.set({ secret: body.hmacSecret });
  return { ...system, connected, webhook };
}

test('options changed while a worker is killed apply to later attempts', async (t) => {
  t.timeout(patienceMs(count) * 5);
  const stage = await stageOf(t);
  const { webhook, workers, connected } = stage;
  await setVersion(stage, 1);
  const burst = publishBurst({ ...stage, resourceIds: [connected.resourceId], count });

  await untilReceived(webhook, count / 5);
  await workers[0]!.kill9();
  await setVersion(stage, 2);
  const whileDead = webhook.deliveries().length;
  await workers[0]!.start();
  await untilReceived(webhook, whileDead + count / 5);
  await setVersion(stage, 3);
  await workers[0]!.kill9();
  // Requests that the worker had sent are read before this answer.
  await stage.api.callUntilDone(`GET /channels/${connected.publicId}/destinations`);
  const afterKill = webhook.deliveries().length;
  await workers[0]!.start();
  await burst.done;
  await untilAllDelivered(stage, patienceMs(count));

  const versions = versionsOf(webhook);
  t.deepEqual(new Set(versions.slice(0, whileDead)), new Set([textOf(1)]));
  const between = new Set(versions.slice(whileDead, afterKill));
  t.true([...between].every((text) => text === textOf(2) || text === textOf(3)) && between.has(textOf(2)));
  t.deepEqual(new Set(versions.slice(afterKill)), new Set([textOf(3)]));
  await nothingIsLost(t, stage, burst.acknowledged);
  t.false(await exceedsRate(stage));
  t.deepEqual(
    stage.lines.filter((line) => line.includes(SECRET)),
    [],
    'no log has a secret',
  );
});

async function nothingIsLost(t: ExecutionContext, stage: OptionsStage, acknowledged: readonly string[]): Promise<void> {
  const { webhook, db, api } = stage;
  const requests = webhook.deliveries();
  const ids = new Set(requests.map(({ headers }) => String(headers['x-service-delivery-id'])));
  t.is(acknowledged.length, count);
  t.is(ids.size, count);
  t.true(requests.length <= count + (2 + countLostLeases(stage)) * CONCURRENCY, `${requests.length - count} repeated`);
  t.true(requests.every(({ signatureValid, standardSignatureValid }) => signatureValid && standardSignatureValid));
  const unrecorded = await db('attempts').whereNull('request').orWhereNull('outcome').select('delivery_id');
  t.deepEqual(unrecorded, []);
  const { body } = await api.callUntilDone(`GET /deliveries/${[...ids].at(-1)}/requests`);
  t.like(body.requests.at(-1).headers, { 'x-key': '[redacted]', authorization: '[redacted]' });
}
