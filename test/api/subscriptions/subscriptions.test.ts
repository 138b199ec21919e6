import test from 'ava';
import type { WorkflowStarts } from '../../../workflow-starts/workflow-starts.ts';
import { tenantStage, channelStage } from '../../harness/api/stages.ts';
import { aChannel, aTenant } from '../../harness/tenants.ts';

const allowing: Partial<WorkflowStarts> = {
  checkDestination: () => Promise.resolve({ state: 'ended', result: 'allowed' }),
};
const body = { url: 'https://extra.example.com/hook', events: ['chatapp.message.received'] };

test('a subscription is created and shown with all its fields', async (t) => {
  const { call, key, channel, at } = await channelStage(t, { starts: allowing });
  const route = `/channels/${channel.publicId}/subscriptions`;
  const created = await call(`POST ${route}`, { key, body: { ...body, label: 'Audit', enabled: false } });
  t.is(created.status, 201);
  t.like(created.body.subscription, {
    ...body,
    label: 'Audit',
    enabled: false,
    lastDeliveredAt: null,
    lastFailureAt: null,
  });
  const { subscriptionId } = created.body.subscription;
  t.deepEqual((await call(`GET ${route}/${subscriptionId}`, at)).body, created.body);
});

test("a workspace header must match the channel's workspace", async (t) => {
  const { db, refused, key, channel } = await channelStage(t, { starts: allowing });
  const other = await aTenant(db);
  const route = `POST /channels/${channel.publicId}/subscriptions`;
  await refused('WORKSPACE_ORG_MISMATCH', route, { key, workspace: other.workspace.publicId, body });
  await refused('VALIDATION_ERROR', route, { key, workspace: 'ws_', body });
  t.is((await db('destinations')).length, 0);
});

test('a subscription of another channel or a deleted destination is not found', async (t) => {
  const { db, call, refused, workspace, channel, key } = await channelStage(t, { starts: allowing });
  const neighbor = await aChannel(db, workspace);
  const created = await call(`POST /channels/${channel.publicId}/subscriptions`, { key, body });
  const id = created.body.subscription.subscriptionId;
  await refused('SUBSCRIPTION_NOT_FOUND', `GET /channels/${neighbor.publicId}/subscriptions/${id}`, { key });
  await db('destinations').update({ deleted_at: new Date() });
  await refused('SUBSCRIPTION_NOT_FOUND', `GET /channels/${channel.publicId}/subscriptions/${id}`, { key });
});

test("events must match the channel's type", async (t) => {
  const { db, refused, workspace, key } = await tenantStage(t, { starts: allowing });
  const chatapp = `POST /channels/${(await aChannel(db, workspace)).publicId}/subscriptions`;
  const pageapp = `POST /channels/${(await aChannel(db, workspace, { type: 'pageapp' })).publicId}/subscriptions`;
  await refused('VALIDATION_ERROR', chatapp, { key, body: { ...body, events: ['photoapp.message.received'] } });
  await refused('VALIDATION_ERROR', pageapp, { key, body });
  await refused('VALIDATION_ERROR', chatapp, { key, body: { ...body, events: [] } });
  await refused('VALIDATION_ERROR', chatapp, { key, body: { ...body, events: ['pageapp.message.received'] } });
  await refused('VALIDATION_ERROR', chatapp, { key, body: { ...body, label: 'a\u0000b' } });
});

test('a URL with a private address creates no subscription', async (t) => {
  const temporal: Partial<WorkflowStarts> = {
    ...allowing,
    checkDestination: () => Promise.resolve({ state: 'ended', result: 'blocked' }),
  };
  const { db, refused, workspace, key } = await tenantStage(t, { starts: temporal });
  const route = `POST /channels/${(await aChannel(db, workspace)).publicId}/subscriptions`;
  await refused('URL_NOT_ALLOWED', route, { key, body });
  t.is((await db('subscriptions')).length, 0);
  t.is((await db('destinations').whereNull('deleted_at')).length, 0);
});

test('an unavailable or unresponsive Temporal creates no subscription', async (t) => {
  let state: 'not_started' | 'unknown' = 'not_started';
  const temporal: Partial<WorkflowStarts> = { checkDestination: () => Promise.resolve({ state, cause: null }) };
  const { db, refused, workspace, key } = await tenantStage(t, { starts: temporal });
  const route = `POST /channels/${(await aChannel(db, workspace)).publicId}/subscriptions`;
  await refused('WORKFLOW_UNAVAILABLE', route, { key, body });
  state = 'unknown';
  await refused('PLATFORM_OUTCOME_UNKNOWN', route, { key, body });
  t.is((await db('destinations').whereNull('deleted_at')).length, 0);
});

test('concurrent requests create at most twenty subscriptions per channel', async (t) => {
  const { db, call, refused, workspace, key } = await tenantStage(t, { starts: allowing });
  const route = `POST /channels/${(await aChannel(db, workspace)).publicId}/subscriptions`;
  const answers = await Promise.all(Array.from({ length: 24 }, () => call(route, { key, body })));
  t.is(answers.filter(({ status }) => status === 201).length, 20);
  await refused('VALIDATION_ERROR', route, { key, body });
});
