import test, { type ExecutionContext } from 'ava';
import type { WorkflowStarts } from '../../../workflow-starts/workflow-starts.ts';
import { fieldsOf } from '../../harness/fields-of.ts';
import { channelStage } from '../../harness/api/stages.ts';
import { aLedgerDelivery } from '../../harness/deliveries/ledger.ts';
import { aChannel } from '../../harness/tenants.ts';

const body = { url: 'https://extra.example.com/hook', events: ['chatapp.message.received'] };
const otherUrl = 'https://other.example.com/hook';

async function subscribed(t: ExecutionContext) {
  const cancelled: string[] = [];
  const checks: Pick<WorkflowStarts, 'checkDestination'> = {
    checkDestination: () => Promise.resolve({ state: 'ended', result: 'allowed' }),
  };
  const api = await channelStage(t, {
    starts: {
      checkDestination: (check) => checks.checkDestination(check),
      cancelDeliveries: (ids) => void cancelled.push(...ids),
    },
  });
  const { key, channel } = api;
  const list = `/channels/${channel.publicId}/subscriptions`;
  const created = (await api.call(`POST ${list}`, { key, body })).body.subscription;
  const route = `${list}/${created.subscriptionId}`;
  const { destination_id: destinationId } = await api.db('subscriptions').first('destination_id');
  const edit = async (change: object) => (await api.call(`PATCH ${route}`, { key, body: change })).body.subscription;
  const waiting = async () => {
    const pending = await aLedgerDelivery(api.db, channel, { destinationId });
    const retrying = await aLedgerDelivery(api.db, channel, { destinationId, status: 'retrying', attemptCount: 1 });
    return { pending, retrying };
  };
  const destination = () => api.db('destinations').where({ id: destinationId }).first();
  return { ...api, checks, list, route, created, edit, cancelled, waiting, destination };
}

test('a subscription has the specified fields and no others', async (t) => {
  const { edit, created } = await subscribed(t);
  const fields = [
    'subscriptionId',
    'url',
    'events',
    'label',
    'enabled',
    'createdAt',
    'lastDeliveredAt',
    'lastFailureAt',
  ];
  t.deepEqual(Object.keys(created), fields);
  t.deepEqual(Object.keys(await edit({ enabled: false })), fields);
});

test("a channel's existing subscriptions are paged newest first", async (t) => {
  const { call, refused, key, list, created, db, workspace } = await subscribed(t);
  const ids = [created.subscriptionId];
  for (let n = 0; n < 3; n++) ids.unshift((await call(`POST ${list}`, { key, body })).body.subscription.subscriptionId);
  const neighbor = `/channels/${(await aChannel(db, workspace)).publicId}/subscriptions`;
  await call(`POST ${neighbor}`, { key, body });
  await call(`DELETE ${list}/${ids[1]}`, { key });
  const found: string[] = [];
  let query = 'limit=2';
  for (;;) {
    const page = (await call(`GET ${list}?${query}`, { key })).body;
    found.push(...page.subscriptions.map(({ subscriptionId }: { subscriptionId: string }) => subscriptionId));
    if (page.nextCursor === null) break;
    query = `limit=2&cursor=${page.nextCursor}`;
  }
  t.deepEqual(found, [ids[0], ids[2], ids[3]]);
  await refused('VALIDATION_ERROR', `GET ${list}?cursor=sub_00000000`, { key });
  await refused('VALIDATION_ERROR', `GET ${neighbor}?cursor=${ids[0]}`, { key });
});

test('an edit changes only the given fields', async (t) => {
  const { edit, created, call, route, key } = await subscribed(t);
  t.like(await edit({ label: 'Audit' }), { ...body, label: 'Audit', enabled: true });
  t.like(await edit({ events: ['chatapp.message.status'] }), { url: body.url, events: ['chatapp.message.status'] });
  t.like(await edit({ url: otherUrl, label: null }), {
    url: otherUrl,
    label: null,
    events: ['chatapp.message.status'],
  });
  const { body: read } = await call(`GET ${route}`, { key });
  t.is(read.subscription.createdAt, created.createdAt);
});

test('an empty or invalid edit is refused and changes nothing', async (t) => {
  const { refused, key, route, call, created } = await subscribed(t);
  for (const change of [
    {},
    { pending: 'keep' },
    { events: [] },
    { events: ['photoapp.message.received'] },
    { url: otherUrl, pending: 'keep', enabled: false },
    { url: otherUrl, pending: 'later' },
    { createdAt: '2026-01-01T00:00:00Z' },
  ]) {
    await refused('VALIDATION_ERROR', `PATCH ${route}`, { key, body: change });
  }
  await refused('URL_NOT_ALLOWED', `PATCH ${route}`, { key, body: { url: 'https://10.0.0.1/', label: 'half' } });
  t.deepEqual((await call(`GET ${route}`, { key })).body.subscription, created);
});

for (const [state, code] of [
  [{ state: 'ended', result: 'blocked' }, 'URL_NOT_ALLOWED'],
  [{ state: 'not_started', cause: null }, 'WORKFLOW_UNAVAILABLE'],
  [{ state: 'unknown', cause: null }, 'PLATFORM_OUTCOME_UNKNOWN'],
] as const) {
  test(`a new URL whose check ends ${JSON.stringify(state)} changes no field`, async (t) => {
    const { checks, refused, key, route, call, created, db } = await subscribed(t);
    Object.assign(checks, { checkDestination: () => Promise.resolve(state) });
    await refused(code, `PATCH ${route}`, { key, body: { url: otherUrl, label: 'half' } });
    t.deepEqual((await call(`GET ${route}`, { key })).body.subscription, created);
    t.is((await db('destinations')).length, 1, 'the staged destination is deleted');
  });
}

test('the later of two concurrent edits wins entirely', async (t) => {
  const { checks, refused, edit, key, route, call } = await subscribed(t);
  let release: () => void = () => undefined;
  const checking = new Promise<void>((isChecking) => {
    const released = new Promise<void>((resolve) => (release = resolve));
    const checkDestination: WorkflowStarts['checkDestination'] = async () => {
      isChecking();
      await released;
      return { state: 'ended', result: 'allowed' };
    };
    Object.assign(checks, { checkDestination });
  });
  const earlier = refused('SUBSCRIPTION_CHANGED', `PATCH ${route}`, { key, body: { url: otherUrl, label: 'earlier' } });
  await checking;
  await edit({ label: 'later' });
  release();
  await earlier;
  t.like((await call(`GET ${route}`, { key })).body.subscription, { url: body.url, label: 'later' });
});

test('an edit of a concurrently deleted subscription is not found', async (t) => {
  const { checks, refused, key, route, call } = await subscribed(t);
  const checkDestination: WorkflowStarts['checkDestination'] = async () => {
    await call(`DELETE ${route}`, { key });
    return { state: 'ended', result: 'allowed' };
  };
  Object.assign(checks, { checkDestination });
  await refused('SUBSCRIPTION_NOT_FOUND', `PATCH ${route}`, { key, body: { url: otherUrl } });
});

test('a deleted subscription is not found', async (t) => {
  const { call, refused, key, route, list } = await subscribed(t);
  t.is((await call(`DELETE ${route}`, { key })).status, 204);
  for (const method of ['GET', 'DELETE']) await refused('SUBSCRIPTION_NOT_FOUND', `${method} ${route}`, { key });
  await refused('SUBSCRIPTION_NOT_FOUND', `PATCH ${route}`, { key, body: { label: 'late' } });
  await refused('SUBSCRIPTION_NOT_FOUND', `POST ${route}/test`, { key });
  t.deepEqual((await call(`GET ${list}`, { key })).body.subscriptions, []);
});

for (const disabled_reason of ['gone', 'failing', 'by_hand']) {
  test(`an edit enables a ${disabled_reason} subscription and resets its failures`, async (t) => {
    const { edit, db, destination, call, channel, key } = await subscribed(t);
    const failing = {
      consecutive_failures: 9,
      failing_since: new Date(0),
      failing_delivery_id: 7,
      failed_several: true,
    };
    await db('destinations').update({ enabled: false, disabled_reason, standing_since: new Date(0), ...failing });
    const [health] = (await call(`GET /channels/${channel.publicId}/destinations`, { key })).body.destinations;
    t.is(health.disabledReason, disabled_reason);
    t.like(await edit({ enabled: true }), { enabled: true });
    const row = await destination();
    t.like(row, { consecutive_failures: 0, failing_since: null, failing_delivery_id: null, failed_several: false });
    t.true(row.standing_since.getTime() > 0);
  });
}

test('a new URL does not enable a disabled subscription', async (t) => {
  const { edit, destination } = await subscribed(t);
  await edit({ enabled: false });
  t.is((await destination()).disabled_reason, 'by_hand');
  t.like(await edit({ url: otherUrl }), { url: otherUrl, enabled: false });
  t.like(await edit({ url: body.url, enabled: true }), { url: body.url, enabled: true });
});

test('a subscription shows its last success and failure', async (t) => {
  const { db, call, route, key } = await subscribed(t);
  const delivered = '2026-01-02T03:04:05.678Z';
  const failed = '2026-02-03T04:05:06.789Z';
  await db('destinations').update({ last_delivered_at: delivered, last_failure_at: failed });
  const { body: read } = await call(`GET ${route}`, { key });
  t.like(read.subscription, { lastDeliveredAt: delivered, lastFailureAt: failed });
});

for (const [pending, end] of [
  ['follow', { status: ['pending', 'retrying'], url: otherUrl, cancelled: 0 }],
  ['keep', { status: ['pending', 'retrying'], url: body.url, cancelled: 0 }],
  ['cancel', { status: ['cancelled', 'cancelled'], url: body.url, cancelled: 1 }],
] as const) {
  test(`an edited URL applies pending=${pending} to pending deliveries`, async (t) => {
    const { edit, call, key, workspace, waiting, cancelled, created, endVoid } = await subscribed(t);
    const { pending: one, retrying: other } = await waiting();
    await edit({ url: otherUrl, pending });
    await endVoid();
    const show = async (id: string) =>
      (await call(`GET /deliveries/${id}`, { key, workspace: workspace.publicId })).body;
    const shown = [await show(one.publicId), await show(other.publicId)];
    t.deepEqual(fieldsOf(shown, 'status'), [...end.status]);
    for (const { destination } of shown) t.like(destination, { url: end.url, subscriptionId: created.subscriptionId });
    t.is(cancelled.length, end.cancelled);
  });
}

test('a URL is stored and compared as the parser writes it', async (t) => {
  const { call, edit, key, list, destination } = await subscribed(t);
  const spellings = {
    'https:extra.example.com/hook': 'https://extra.example.com/hook',
    'HTTPS://Extra.Example.COM:443/a/../hook': 'https://extra.example.com/hook',
    'https:/extra.example.com': 'https://extra.example.com/',
    'https:///extra.example.com/%7ehook?A=ü': 'https://extra.example.com/%7ehook?A=%C3%BC',
    'https://0xcb007107/': 'https://203.0.113.7/',
    'https://extra.exam\tple.com/': 'https://extra.example.com/',
    'https://b%C3%BCcher.example/': 'https://xn--bcher-kva.example/',
  };
  for (const [given, url] of Object.entries(spellings)) {
    const { status, body: created } = await call(`POST ${list}`, { key, body: { ...body, url: given } });
    if (url.includes('203.0.113.7')) t.is(status, 422, 'a documentation address');
    else t.is(created.subscription?.url, url, `${given}: ${JSON.stringify(created)}`);
  }
  for (const given of ['https:\\extra.example.com', 'https://extra.example.com\\@evil.example'])
    t.true((await call(`POST ${list}`, { key, body: { ...body, url: given } })).status >= 400, given);
  const before = await destination();
  t.is((await edit({ url: before.url.replace('https://', 'HTTPS:') })).url, before.url, 'the same URL changes nothing');
  t.deepEqual((await destination()).standing_since, before.standing_since);
  t.is((await edit({ url: 'https:Other.example.com' })).url, 'https://other.example.com/');
});
