import test from 'ava';
import type { Knex } from 'knex';
import { commitCandidate, findCandidate, recordCandidateFailure } from '../../../db/webhooks/candidates.ts';
import { clearWebhook, readWebhookConfig, stageCandidate } from '../../../db/webhooks/configs.ts';
import { testAudit } from '../../harness/audit.ts';
import { connectPatiently } from '../../harness/database/connect-patiently.ts';
import { testDatabase } from '../../harness/database/database.ts';
import { aChannel, aTenant, type TestChannel, testSecretBox } from '../../harness/tenants.ts';

const stage = (
  db: Knex,
  channel: TestChannel,
  { url, deadlineMs = 600_000 }: { url: string; deadlineMs?: number },
): Promise<number> =>
  stageCandidate(db, testSecretBox, {
    channelId: channel.id,
    channelPublicId: channel.publicId,
    url,
    verifyToken: 'token',
    deadlineMs,
  });
const keyOf = ({ id, publicId }: TestChannel) => ({ channelId: id, channelPublicId: publicId, audit: testAudit });
const urlOf = async (db: Knex, channel: TestChannel): Promise<string | null> =>
  (await readWebhookConfig(db, testSecretBox, { channelId: channel.id, channelPublicId: channel.publicId })).webhookUrl;

test('a candidate commits once, and a repeat changes nothing', async (t) => {
  const { db } = await testDatabase(t);
  const channel = await aChannel(db, (await aTenant(db)).workspace);
  const candidateId = await stage(db, channel, { url: 'https://a.example.com/' });
  t.is(await commitCandidate(db, { candidateId }), 'committed');
  t.is(await commitCandidate(db, { candidateId }), 'committed');
  t.is(await urlOf(db, channel), 'https://a.example.com/');
  t.is((await db('destinations')).length, 1);
});

test('a later save or clear overtakes an earlier save', async (t) => {
  const { db } = await testDatabase(t);
  const channel = await aChannel(db, (await aTenant(db)).workspace);
  const [first, second] = [
    await stage(db, channel, { url: 'https://1.example.com/' }),
    await stage(db, channel, { url: 'https://2.example.com/' }),
  ];
  t.is(await commitCandidate(db, { candidateId: second }), 'committed');
  t.is(await commitCandidate(db, { candidateId: first }), 'overtaken');
  const third = await stage(db, channel, { url: 'https://3.example.com/' });
  await clearWebhook(db, testSecretBox, keyOf(channel));
  t.is(await commitCandidate(db, { candidateId: third }), 'overtaken');
  t.is(await urlOf(db, channel), null);
});

test('an expired or abandoned candidate does not commit', async (t) => {
  const { db } = await testDatabase(t);
  const channel = await aChannel(db, (await aTenant(db)).workspace);
  const late = await stage(db, channel, { url: 'https://late.example.com/', deadlineMs: 0 });
  t.is(await commitCandidate(db, { candidateId: late }), 'expired');
  t.is((await findCandidate(db, { candidateId: late }))?.status, 'abandoned');
  const dropped = await stage(db, channel, { url: 'https://dropped.example.com/' });
  t.true(await recordCandidateFailure(db, { candidateId: dropped, status: 'failed', failure: 'no' }));
  t.false(await recordCandidateFailure(db, { candidateId: dropped, status: 'abandoned', failure: 'again' }));
  t.is(await commitCandidate(db, { candidateId: dropped }), 'expired');
  t.like(await findCandidate(db, { candidateId: dropped }), { status: 'failed', failure: 'no' });
  t.is(await urlOf(db, channel), null);
});

test('a concurrent commit and clear leave no destination', async (t) => {
  const { db, url } = await testDatabase(t);
  const other = connectPatiently({ url, applicationName: 'test-other' });
  t.teardown(() => other.destroy());
  const channel = await aChannel(db, (await aTenant(db)).workspace);
  for (let round = 0; round < 20; round++) {
    const candidateId = await stage(db, channel, { url: `https://${round}.example.com/` });
    const [result] = await Promise.all([
      commitCandidate(db, { candidateId }),
      clearWebhook(other, testSecretBox, keyOf(channel)),
    ]);
    t.true(['committed', 'overtaken'].includes(result));
    t.is(await urlOf(db, channel), null);
    t.is((await db('destinations').whereNull('deleted_at')).length, 0);
  }
});

test('an edit re-enables the destination and keeps its shard', async (t) => {
  const { db } = await testDatabase(t);
  const { workspace } = await aTenant(db);
  for (let index = 0; index < 24; index++) {
    const channel = await aChannel(db, workspace);
    await commitCandidate(db, { candidateId: await stage(db, channel, { url: 'https://a.example.com/' }) });
  }
  const shards = new Set((await db('destinations').select('shard')).map(({ shard }) => shard));
  t.true(shards.size > 1 && [...shards].every((shard) => shard >= 0 && shard < 4));
  const channel = await aChannel(db, workspace);
  await commitCandidate(db, { candidateId: await stage(db, channel, { url: 'https://a.example.com/' }) });
  const before = await db('destinations').where({ channel_id: channel.id }).first();
  await db('destinations').where({ id: before.id }).update({ enabled: false, disabled_reason: 'gone' });
  await commitCandidate(db, { candidateId: await stage(db, channel, { url: 'https://b.example.com/' }) });
  t.like(await db('destinations').where({ id: before.id }).first(), {
    url: 'https://b.example.com/',
    enabled: true,
    disabled_reason: null,
    shard: before.shard,
  });
});

test("a commit writes one audit entry in the requester's name", async (t) => {
  const { db } = await testDatabase(t);
  const { organization, workspace } = await aTenant(db);
  const channel = await aChannel(db, workspace);
  const candidateId = await stageCandidate(db, testSecretBox, {
    channelId: channel.id,
    channelPublicId: channel.publicId,
    url: 'https://1.example.com/',
    verifyToken: 'token',
    deadlineMs: 600_000,
    requestedBy: { actor: { type: 'user', id: 'usr_00000001' }, requestId: 'r1', clientAddress: '192.0.2.1' },
  });
  t.is((await db('audit_entries')).length, 0);
  for (let repeat = 0; repeat < 2; repeat++) await commitCandidate(db, { candidateId });
  const entries = await db('audit_entries');
  t.is(entries.length, 1);
  t.like(entries[0], {
    organization_id: organization.id,
    workspace_id: workspace.id,
    actor_type: 'user',
    actor_id: 'usr_00000001',
    action: 'webhook.set',
    target_id: channel.publicId,
    request_id: 'r1',
    client_address: '192.0.2.1',
  });
});
