import test from 'ava';
import { startSystem, type System } from '../../harness/system/system.ts';
import { until } from '../../harness/until.ts';

const verifyToken = 'default token';
const CHANNEL_COUNT = 8;
const MOST_ROUNDS = 3;

test('a rollout reaches every channel despite a killed worker', async (t) => {
  const system = await startSystem(t);
  const { api, channel, receiver, tenant, workers } = system;
  const channels = [];
  for (let index = 0; index < CHANNEL_COUNT; index++) channels.push(await channel());
  const own = await channel({ webhookUrl: receiver.webhook('own').url });
  const hook = receiver.webhook('default');
  hook.set({ verifyToken });
  const route = `/organizations/${tenant.organization.publicId}/default-webhook`;
  const saved = await api.callUntilDone(`PUT ${route}`, { webhookUrl: hook.url, verifyToken });
  t.is(saved.status, 200, JSON.stringify(saved.body));
  const probeCount = hook.requests().length;
  t.true(probeCount >= 2, 'both probes of the default');

  // Held until the worker is killed.
  hook.set({ verifyToken: null, probe: { get: { body: verifyToken, delayMs: 8_000 } } });
  const { body: started } = await api.call(`POST ${route}/apply`, {});
  t.like(started, { status: 'running', total: CHANNEL_COUNT + 1 });
  await until(() => hook.requests().length > probeCount, { for: 'The first probe of the rollout' });
  await workers[0]!.kill9();
  hook.set({ verifyToken, probe: null });
  await workers[0]!.start();

  const ended = await endOf(api, `${route}/rollouts/${started.rolloutId}`);
  t.like(ended, { skipped: 1, total: CHANNEL_COUNT + 1 });
  t.is(ended.applied + ended.failed, CHANNEL_COUNT);
  t.is(await failuresAfterRepeats(api, { route, ended }), 0);
  for (const { publicId } of channels) t.is(await webhookOf(system, publicId), hook.url);
  t.not(await webhookOf(system, own.publicId), hook.url);

  const added = await channel();
  await until(async () => (await webhookOf(system, added.publicId)) === hook.url, {
    for: 'The webhook of the new channel',
  });
  const { body } = await api.call(`GET ${route}/rollouts`);
  t.like(body.rollouts[0], { trigger: 'connected', channelId: added.publicId });
});

async function endOf(api: System['api'], rollout: string) {
  const isCompleted = async () => {
    const { body } = await api.call(`GET ${rollout}`);
    return body.status === 'completed' && body;
  };
  return await until(isCompleted, { for: 'The end of the rollout' });
}

/** A save has half a minute, in which a busy machine may not have started the worker. */
async function failuresAfterRepeats(
  api: System['api'],
  { route, ended }: { route: string; ended: { failed: number } },
): Promise<number> {
  let { failed } = ended;
  for (let round = 0; failed > 0 && round < MOST_ROUNDS; round++) {
    const { body } = await api.callUntilDone(`POST ${route}/apply`, {});
    ({ failed } = await endOf(api, `${route}/rollouts/${body.rolloutId}`));
  }
  return failed;
}

async function webhookOf({ api }: System, channelId: string): Promise<string | null> {
  return (await api.call(`GET /webhook-config/${channelId}`)).body.webhookUrl;
}
