import { randomUUID } from 'node:crypto';
import test from 'ava';
import { eraseEndedContainers } from '../../../db/containers/erase-ended.ts';
import { eraseSlice } from '../../../db/erasures/erase-slice.ts';
import { deleteOldErasures, type ErasureScope, findErasure, insertErasure } from '../../../db/erasures/erasures.ts';
import { aContainer, imageBody, setContainer } from '../../harness/containers/containers.ts';
import { testDatabase } from '../../harness/database/database.ts';
import { tablesWith } from '../../harness/database/tables-with.ts';
import { aChannel, aTenant } from '../../harness/tenants.ts';

const PERSON = 'canary7f3e';
const named = { ...imageBody, caption: `Hello @${PERSON}!` };

async function stage(t: Parameters<typeof testDatabase>[0]) {
  const { db } = await testDatabase(t);
  const { organization, workspace } = await aTenant(db);
  const channel = await aChannel(db, workspace);
  const account = await db('channels').where({ id: channel.id }).first('type', 'resource_id');
  const place = { channel, workspace };
  const none = { eventId: null, sender: null, workspaceId: null, channelId: null };
  const organizationId = organization.id;
  const erase = async (scope: Partial<ErasureScope> & Pick<ErasureScope, 'kind'>) => {
    const publicId = await insertErasure(db, { organizationId, ...none, ...scope, reason: 'asked for' });
    while ((await eraseSlice(db, publicId, { lateMs: 0 }))?.status !== 'completed');
    return (await findErasure(db, { organizationId, publicId }))!.counts;
  };
  const unrouted = async (resourceId: string, body: string) =>
    await db('unrouted_events').insert({
      ...{ type: account.type, resource_id: resourceId, key: randomUUID(), body: Buffer.from(body) },
    });
  return { db, workspace, channel, account, place, erase, unrouted };
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
    ...{ channel_id: channel.id, url: 'https://example.com', status: 'failed', probes: { get: echo } },
    ...{ verify_token_encrypted: 'sealed', revision: 1, deadline_at: new Date() },
  });
  const counts = await erase({ kind: 'workspace', workspaceId: workspace.id });
  t.like(counts, { probes: 1, containers: 1 });
  t.deepEqual(await tablesWith(db, PERSON), []);
});

test('old reports of erasures are deleted', async (t) => {
  const { db, erase } = await stage(t);
  await erase({ kind: 'sender', sender: PERSON });
  t.is(await deleteOldErasures(db, new Date(0)), 0);
  t.is(await deleteOldErasures(db, new Date(Date.now() + 60_000)), 1);
  t.is(await deleteOldErasures(db, new Date(Date.now() + 60_000)), 0);
});
