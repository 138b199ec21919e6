import { randomBytes, randomUUID } from 'node:crypto';
import test, { type ExecutionContext } from 'ava';
import { erasuresOf } from '../../harness/erasures.ts';
import type { Knex } from 'knex';
import { eraseEndedContainers } from '../../../db/containers/erase-ended.ts';
import { insertDestination } from '../../../db/ledger/destinations/destinations.ts';
import { aContainer, imageBody, setContainer } from '../../harness/containers/containers.ts';
import { removeAllExpired } from '../../harness/database/remove-expired.ts';
import { tablesWith } from '../../harness/database/tables-with.ts';
import { aChannel, aTenant } from '../../harness/tenants.ts';
import { tenantDatabase } from '../../harness/tenant-database.ts';

const PERSON = 'canary7f3e';
const named = { ...imageBody, caption: `Hello @${PERSON}!` };

async function stage(t: ExecutionContext) {
  const { db, organization, user, workspace } = await tenantDatabase(t);
  const channel = await aChannel(db, workspace);
  const account = await db('channels').where({ id: channel.id }).first('type', 'resource_id');
  const place = { channel, workspace };
  const { erase } = erasuresOf(db, organization.id);
  const unrouted = async (resourceId: string, body: string) =>
    await db('unrouted_events').insert({
      type: account.type,
      resource_id: resourceId,
      key: randomUUID(),
      body: Buffer.from(body),
    });
  return { db, organization, user, workspace, channel, account, place, erase, unrouted };
}

test('the texts of ended posts that name a person are erased', async (t) => {
  const { db, place, erase } = await stage(t);
  await aContainer(db, { ...place, body: named, status: 'published' });
  const other = await aContainer(db, { ...place, body: { ...imageBody, caption: `${PERSON}2` }, status: 'published' });
  t.is((await erase({ kind: 'sender', sender: PERSON })).containers, 1);
  const requests = await db('media_containers').orderBy('id').pluck('request');
  t.false('caption' in requests[0]);
  t.is(requests[0].imageUrl, imageBody.imageUrl);
  t.is(requests[1].caption, `${PERSON}2`, other.publicId);
  t.is((await erase({ kind: 'sender', sender: PERSON })).containers, 0);
});

test('the texts of a post under way are erased after its end', async (t) => {
  const { db, place, erase } = await stage(t);
  const { publicId } = await aContainer(db, { ...place, body: named });
  await erase({ kind: 'sender', sender: PERSON });
  t.is(await eraseEndedContainers(db), 0);
  t.deepEqual(await tablesWith(db, PERSON), ['media_containers.request']);
  await setContainer(db, publicId, { status: 'published' });
  t.is(await eraseEndedContainers(db), 1);
  t.deepEqual(await tablesWith(db, PERSON), []);
  t.is(await eraseEndedContainers(db), 0);
});

test('events from before an account was connected are erased', async (t) => {
  const { db, account, erase, unrouted } = await stage(t);
  await unrouted(account.resource_id, `{"from":"${PERSON}"}`);
  await unrouted(account.resource_id, `{"from":"${PERSON}2"}`);
  await unrouted('999', `{"from":"${PERSON}"}`);
  t.is((await erase({ kind: 'sender', sender: PERSON })).unroutedEvents, 1);
  t.is((await db('unrouted_events')).length, 2);
});

test('events for the account of a disconnected channel are erased', async (t) => {
  const { db, account, channel, erase, unrouted, workspace } = await stage(t);
  const erasures = async () => (await erase({ kind: 'workspace', workspaceId: workspace.id })).unroutedEvents;
  await db('channels').where({ id: channel.id }).update({ disconnected_at: new Date() });
  const other = await aChannel(db, (await aTenant(db)).workspace, { resourceId: account.resource_id });
  await unrouted(account.resource_id, `{"from":"${PERSON}"}`);
  t.is(await erasures(), 0, 'another organization has the account now');
  await db('channels').where({ id: other.id }).update({ disconnected_at: new Date() });
  t.is(await erasures(), 1);
});

test('an erased workspace keeps no answers to tests and probes', async (t) => {
  const { db, workspace, channel, place, erase } = await stage(t);
  await aContainer(db, { ...place, body: named, status: 'published' });
  const echo = { responseHeaders: { 'x-echo': PERSON } };
  await db('webhook_candidates').insert({
    channel_id: channel.id,
    url: 'https://example.com',
    status: 'failed',
    probes: { get: echo },
    verify_token_encrypted: 'sealed',
    revision: 1,
    deadline_at: new Date(),
  });
  const counts = await erase({ kind: 'workspace', workspaceId: workspace.id });
  t.like(counts, { probes: 1, containers: 1 });
  t.deepEqual(await tablesWith(db, PERSON), []);
});

test('an erased workspace loses its names once it is deleted', async (t) => {
  const { db, workspace, channel, organization, user, erase } = await stage(t);
  const workspaceId = workspace.id;
  await db('channels').where({ id: channel.id }).update({ display_name: PERSON });
  await db('channel_health').update({
    name: PERSON,
    username: PERSON,
    picture_url: PERSON,
    business_account_id: PERSON,
  });
  await db('alerts').insert({
    public_id: 'alr_00000001',
    organization_id: organization.id,
    workspace_id: workspaceId,
    channel_id: channel.id,
    kind: 'channel.disconnected',
    severity: 'critical',
    cause_key: channel.id,
    subject_type: 'channel',
    subject_id: channel.publicId,
    subject_label: PERSON,
  });
  await insertNamedLinks(db, { organizationId: organization.id, workspaceId, userId: user.id });
  const destinationId = await insertDestination(db, {
    channelId: channel.id,
    type: 'webhook',
    url: 'https://example.com',
  });
  const test = { channel_id: channel.id, destination_id: destinationId, event_type: 'chatapp.message.received' };
  await db('test_events').insert({
    ...test,
    url: 'https://example.com',
    body: Buffer.from('{}'),
    request: Buffer.from(PERSON),
  });
  await db('workspaces').where({ id: workspaceId }).update({ name: PERSON, kind: 'customer', external_id: PERSON });
  t.like(await erase({ kind: 'workspace', workspaceId }), { testEvents: 1, channels: 0, workspaces: 0 });
  t.true((await tablesWith(db, PERSON)).includes('channels.display_name'), 'names in use are settings');
  await db('channels').update({ disconnected_at: new Date() });
  await db('workspaces').where({ id: workspaceId }).update({ deleted_at: new Date() });
  t.like(await erase({ kind: 'workspace', workspaceId }), { testEvents: 0, channels: 1, workspaces: 1 });
  t.deepEqual(await tablesWith(db, PERSON), []);
  t.like(await erase({ kind: 'workspace', workspaceId }), { channels: 0, workspaces: 0 });
});

interface LinkPlace {
  readonly organizationId: number;
  readonly workspaceId: number;
  readonly userId: number;
}

async function insertNamedLinks(db: Knex, { organizationId, workspaceId, userId }: LinkPlace): Promise<void> {
  await db('onboarding_links').insert({
    public_id: 'ol_00000001',
    organization_id: organizationId,
    workspace_id: workspaceId,
    created_by: userId,
    label: PERSON,
    external_id: PERSON,
    display_name: PERSON,
    logo_url: PERSON,
    channel_type: 'chatapp',
    token_hash: randomBytes(32),
    token_encrypted: 'sealed',
  });
  await db('portal_links').insert({
    public_id: 'ptl_00000001',
    organization_id: organizationId,
    workspace_id: workspaceId,
    created_by: userId,
    name: PERSON,
    rights: ['channels'],
    secret_hash: randomBytes(32),
    expires_at: new Date(Date.now() + 1_000),
  });
}

test('old reports of erasures are deleted', async (t) => {
  const { db, erase } = await stage(t);
  await erase({ kind: 'sender', sender: PERSON });
  t.is(await removeAllExpired(db, 'erasures', { cutoff: new Date(0) }), 0);
  t.is(await removeAllExpired(db, 'erasures', { cutoff: new Date(Date.now() + 60_000) }), 1);
});
