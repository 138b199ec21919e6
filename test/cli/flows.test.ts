import test from 'ava';
import { eventually } from '../harness/eventually.ts';
import { aLedgerDelivery } from '../harness/deliveries/ledger.ts';
import { sharedSystem } from '../harness/system/shared-system.ts';
import type { ConnectedChannel } from '../harness/system/system.ts';
import { testCli } from './cli-run.ts';
import type { FlowStage } from './flow-stage.ts';
import { listening } from './listen-flow.ts';
import { session, signingIn } from './sign-in-flow.ts';

test('the commands work against the whole service', async (t) => {
  const system = await sharedSystem(t);
  const env = {
    BASE_URL: system.apiUrls[0]!,
    SERVICE_API_KEY: system.tenant.apiKey,
    SERVICE_WORKSPACE_ID: system.tenant.workspace.publicId,
  };
  const stage = { t, system, cli: await testCli(t, env) };
  await Promise.all([
    signingIn(stage),
    session(stage),
    webhookAndDeliveries(stage),
    subscriptions(stage),
    containers(stage),
    following(stage),
    listening(stage),
  ]);
});

async function webhookAndDeliveries({ t, system, cli }: FlowStage): Promise<void> {
  const { receiver, platform } = system;
  const connected = await system.channel();
  const ch = connected.publicId;
  const hook = receiver.webhook('cli');
  hook.set({ verifyToken: 'sesame' });
  t.regex(
    await cli.fails(2, `webhook set ${ch} ${hook.url} --verify-token wrong`),
    /GET +rejected, status 200, \d+ ms\n +expected status 200[^]*POST +not sent\n[^]*Nothing was saved[^]*WEBHOOK_URL_VERIFICATION_FAILED/,
  );
  const failure = JSON.parse(await cli.fails(2, `webhook set ${ch} ${hook.url} --verify-token wrong --json`));
  t.like(failure.error.probes, [
    { probe: 'GET', status: 200 },
    { probe: 'POST', outcome: 'not_sent' },
  ]);
  const set = await cli.json(`webhook set ${ch} ${hook.url} --verify-token-stdin --pending follow`, {
    stdin: 'sesame\n',
  });
  t.like(set, {
    webhookUrl: hook.url,
    lastVerification: { ok: true, probes: [{ outcome: 'passed' }, { outcome: 'passed' }] },
  });
  t.is((await cli.json(`webhook test ${ch}`)).attempt.outcome, 'accepted');
  const ofWebhook = system.db('destinations').where({ channel_id: connected.id, type: 'webhook', kept_for: null });
  await ofWebhook.clone().update({ enabled: false, disabled_reason: 'failing' });
  t.like(await cli.json(`webhook enable ${ch}`), { webhookUrl: hook.url, lastVerification: { ok: true } });
  t.like(await ofWebhook.clone().first(), { enabled: true, disabled_reason: null });
  hook.set({ answers: [{ status: 500 }, { status: 500 }] });
  t.regex(await cli.fails(1, `webhook test ${ch}`), /did not accept/);
  await platform.send({ product: 'chatapp', kind: 'message', resourceId: connected.resourceId, text: 'one' });
  const retrying = await eventually(async () => {
    const { deliveries } = await cli.json(`deliveries list --channel ${ch} --status retrying`);
    return deliveries[0];
  });
  t.is((await cli.json(`deliveries retry ${retrying.deliveryId}`)).deliveryId, retrying.deliveryId);
  await eventually(async () => (await cli.json(`deliveries show ${retrying.deliveryId}`)).status === 'delivered');
  const shown = (await cli.run(`deliveries show ${retrying.deliveryId}`)).stdout;
  t.regex(shown, /#1 .*rejected, HTTP 500 in \d+ ms[^]*#2 .*accepted, HTTP 200/);
  await replays({ t, system, cli }, connected);
}

async function replays({ t, system, cli }: FlowStage, connected: ConnectedChannel): Promise<void> {
  const ch = connected.publicId;
  const destinationId = (await system.db('webhook_configs').where({ channel_id: connected.id }).first('destination_id'))
    .destination_id;
  for (let n = 0; n < 3; n++) await aLedgerDelivery(system.db, connected, { status: 'exhausted', destinationId });
  const create = `replays create --channel ${ch} --since 1h`;
  t.is((await cli.json(`${create} --status skipped --dry-run`)).matched, 0);
  t.deepEqual(await cli.json(`${create} --dry-run`), { replayId: null, matched: 3, isCountComplete: true });
  t.regex(await cli.fails(2, create), /--yes/);
  const refused = await cli.run(create, { terminal: { answers: ['n'] } });
  t.regex(refused.stderr, /Replay 3 events .*\? \[y\/N\] [^]*Nothing was changed/);
  const done = await cli.run(`${create} --wait --rate 50`, { terminal: { columns: 120, answers: ['y'] } });
  t.is(done.code, 0, done.stderr);
  t.regex(done.stdout, /Status.*completed[^]*Sent.*3 of 3/);
  const rpl = /rpl_\w{8}/.exec(done.stdout)?.[0];
  t.is((await cli.json(`replays show ${rpl}`)).matched, 3);
  t.is((await cli.json(`replays list --scope channel:${ch}`)).replays[0].replayId, rpl);
  // More than a replay sends while a busy machine runs the next commands.
  for (let n = 0; n < 300; n++) await aLedgerDelivery(system.db, connected, { status: 'exhausted', destinationId });
  await movedReplay({ t, cli }, create);
}

async function movedReplay({ t, cli }: Pick<FlowStage, 't' | 'cli'>, create: string): Promise<void> {
  const slow = await cli.json(`${create} --rate 1 --yes --idempotency-key slow`);
  t.is((await cli.json(`replays pause ${slow.replayId}`)).replayId, slow.replayId);
  await cli.json(`replays resume ${slow.replayId}`);
  await cli.json(`replays cancel ${slow.replayId} --yes`);
  t.regex(await cli.fails(1, `replays show ${slow.replayId} --wait`), /is cancelled/);
}

async function subscriptions({ t, system, cli }: FlowStage): Promise<void> {
  const { publicId: ch } = await system.channel();
  const hook = system.receiver.webhook('cli-subscription');
  const made = await cli.json(`subscriptions create ${ch} ${hook.url} --events chatapp.message.received --label CRM`);
  const sub: string = made.subscription.subscriptionId;
  t.is((await cli.json(`subscriptions list ${ch}`)).subscriptions[0].label, 'CRM');
  t.is((await cli.json(`subscriptions test ${ch} ${sub}`)).subscriptionId, sub);
  t.is((await cli.json(`subscriptions show ${ch} ${sub}`)).subscription.label, 'CRM');
  t.is((await cli.json(`subscriptions edit ${ch} ${sub} --label ''`)).subscription.label, null);
  t.is(
    (await cli.json(`subscriptions edit ${ch} ${sub} --url ${hook.url}?new --pending keep`)).subscription.url,
    `${hook.url}?new`,
  );
  t.regex(await cli.fails(2, `subscriptions edit ${ch} ${sub}`), /--url, --events or --label/);
  t.regex(await cli.fails(2, `subscriptions create ${ch} ${hook.url} --events nonsense`), /Unknown value 'nonsense'/);
  t.false((await cli.json(`subscriptions disable ${ch} ${sub}`)).subscription.enabled);
  t.regex((await cli.run(`subscriptions list ${ch}`)).stdout, /disabled/);
  t.true((await cli.json(`subscriptions enable ${ch} ${sub}`)).subscription.enabled);
  await cli.json(`subscriptions delete ${ch} ${sub} --yes`);
  t.regex(await cli.fails(1, `subscriptions show ${ch} ${sub}`), /SUBSCRIPTION_NOT_FOUND/);
}

async function containers({ t, system, cli }: FlowStage): Promise<void> {
  const { publicId: ch, resourceId } = await system.channel({ type: 'photoapp' });
  const url = 'https://media.example.com/1.jpg';
  const create = `containers create ${ch} --type IMAGE --image-url ${url}`;
  const hill = `${create} --caption Hill --user-tag ann,0.5,0.25 --idempotency-key hill`;
  // It stays in progress until the test has seen that.
  const endProgress = system.platform.failMedia(resourceId, [{ at: 'status', httpStatus: 500 }]);
  const made = await cli.json(hill);
  const again = await cli.json(hill);
  t.is(again.containerId, made.containerId);
  t.regex(await cli.fails(6, `${create} --idempotency-key hill`), /IDEMPOTENCY_KEY_REUSED/);
  const publishing = cli.start(`containers publish ${ch} ${made.containerId} --wait`, { terminal: { columns: 120 } });
  await eventually(() => /is in progress, \d+ s/.test(publishing.warned())); // a spinner
  endProgress();
  const published = await publishing.ended;
  t.is(published.code, 0, published.stderr);
  t.regex(published.stdout, /Permalink.*https/);
  const children = `--child image=${url} --child video=https://media.example.com/2.mp4`;
  const carousel = `containers create ${ch} --type CAROUSEL ${children} --auto-publish --wait`;
  t.is((await cli.json(carousel)).status, 'published');
  const story = JSON.stringify({ mediaType: 'STORIES', imageUrl: url });
  const { containerId } = await cli.json(`containers create ${ch} --input -`, { stdin: story });
  t.is((await cli.json(`containers wait ${ch} ${containerId}`)).status, 'finished');
  t.is((await cli.json(`containers show ${ch} ${containerId}`)).mediaType, 'STORIES');
  t.is((await cli.json(`containers list ${ch} --status published`)).containers.length, 2);
  t.regex(await cli.fails(2, `containers create ${ch} --image-url ${url}`), /--type/);
}

async function following({ t, system, cli }: FlowStage): Promise<void> {
  const connected = await system.channel({ webhookUrl: system.receiver.webhook('cli-follow').url });
  const send = (text: string) =>
    system.platform.send({ product: 'chatapp', kind: 'message', resourceId: connected.resourceId, text });
  const people = cli.start(`deliveries follow ${connected.publicId} --status delivered`);
  const scripts = cli.start(`deliveries follow ${connected.publicId} --json --event-type chatapp.message.received`);
  await eventually(() => people.warned().includes('Following'));
  const whole = cli.start('deliveries follow --status delivered --count 1');
  await eventually(() => whole.warned().includes('Following ws_'));
  await send('one');
  await eventually(() => whole.said().includes('delivered'));
  await eventually(() => people.said().includes('delivered'));
  await eventually(() => scripts.lines().some(({ delivery }) => delivery.status === 'delivered'));
  const ended = await scripts.stop();
  t.is(ended.code, 0, 'Ctrl-C ends it with success');
  const place: string = scripts.lines().at(-1).lastEventId;
  await send('two');
  const rest = await cli.run(`deliveries follow ${connected.publicId} --json --last-event-id ${place} --count 1`);
  t.is(rest.code, 0);
  t.truthy(JSON.parse(rest.stdout).delivery.deliveryId);
  t.is((await people.stop()).code, 0);
  t.regex(await cli.fails(1, 'deliveries follow ch_00000000'), /CHANNEL_NOT_FOUND/);
}
