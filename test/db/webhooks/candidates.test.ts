import test, { type ExecutionContext } from 'ava';
import { commitCandidate, findCandidate, recordCandidateFailure } from '../../../db/webhooks/candidates.ts';
import { clearWebhook, readWebhookConfig, stageCandidate } from '../../../db/webhooks/configs.ts';
import { testAudit } from '../../harness/audit.ts';
import { aChannel, type TestChannel, testSecretBox } from '../../harness/tenants.ts';
import { tenantDatabase } from '../../harness/tenant-database.ts';

type CandidateOptions = Partial<Parameters<typeof stageCandidate>[2]> & { readonly of?: TestChannel };

/** A channel without a webhook. */
async function candidateStage(t: ExecutionContext) {
  const stage = await tenantDatabase(t);
  const { db, workspace } = stage;
  const channel = await aChannel(db, workspace);
  const placeOf = ({ id, publicId }: TestChannel) => ({ channelId: id, channelPublicId: publicId });
  return {
    ...stage,
    channel,
    save: (url: string, { of = channel, ...others }: CandidateOptions = {}) =>
      stageCandidate(db, testSecretBox, { ...placeOf(of), url, verifyToken: 'token', deadlineMs: 600_000, ...others }),
    commit: (candidateId: number) => commitCandidate(db, { candidateId }),
    clear: (on = db) => clearWebhook(on, testSecretBox, { ...placeOf(channel), audit: testAudit }),
    savedUrl: async () => (await readWebhookConfig(db, testSecretBox, placeOf(channel))).webhookUrl,
  };
}

test('a candidate commits once, and a repeat changes nothing', async (t) => {
  const { db, save, commit, savedUrl } = await candidateStage(t);
  const candidateId = await save('https://a.example.com/');
  t.is(await commit(candidateId), 'committed');
  t.is(await commit(candidateId), 'committed');
  t.is(await savedUrl(), 'https://a.example.com/');
  t.is((await db('destinations')).length, 1);
});

test('a later save or clear overtakes an earlier save', async (t) => {
  const { save, commit, clear, savedUrl } = await candidateStage(t);
  const first = await save('https://1.example.com/');
  const second = await save('https://2.example.com/');
  t.is(await commit(second), 'committed');
  t.is(await commit(first), 'overtaken');
  const third = await save('https://3.example.com/');
  await clear();
  t.is(await commit(third), 'overtaken');
  t.is(await savedUrl(), null);
});

test('an expired or abandoned candidate does not commit', async (t) => {
  const { db, save, commit, savedUrl } = await candidateStage(t);
  const late = await save('https://late.example.com/', { deadlineMs: 0 });
  t.is(await commit(late), 'expired');
  t.is((await findCandidate(db, { candidateId: late }))?.status, 'abandoned');
  const dropped = await save('https://dropped.example.com/');
  t.true(await recordCandidateFailure(db, { candidateId: dropped, status: 'failed', failure: 'no' }));
  t.false(await recordCandidateFailure(db, { candidateId: dropped, status: 'abandoned', failure: 'again' }));
  t.is(await commit(dropped), 'expired');
  t.like(await findCandidate(db, { candidateId: dropped }), { status: 'failed', failure: 'no' });
  t.is(await savedUrl(), null);
});

test('a concurrent commit and clear leave no destination', async (t) => {
  const { db, another, save, commit, clear, savedUrl } = await candidateStage(t);
  const other = another();
  for (let round = 0; round < 20; round++) {
    const candidateId = await save(`https://${round}.example.com/`);
    const [result] = await Promise.all([commit(candidateId), clear(other)]);
    t.true(['committed', 'overtaken'].includes(result));
    t.is(await savedUrl(), null);
    t.is((await db('destinations').whereNull('deleted_at')).length, 0);
  }
});

test('an edit re-enables the destination and keeps its shard', async (t) => {
  const { db, workspace, channel, save, commit } = await candidateStage(t);
  for (let index = 0; index < 24; index++) {
    await commit(await save('https://a.example.com/', { of: await aChannel(db, workspace) }));
  }
  await commit(await save('https://a.example.com/'));
  const shards = new Set((await db('destinations').select('shard')).map(({ shard }) => shard));
  t.is(shards.size, 25);

  const before = await db('destinations').where({ channel_id: channel.id }).first();
  await db('destinations').where({ id: before.id }).update({ enabled: false, disabled_reason: 'gone' });
  await commit(await save('https://b.example.com/'));
  t.like(await db('destinations').where({ id: before.id }).first(), {
    url: 'https://b.example.com/',
    enabled: true,
    disabled_reason: null,
    shard: before.shard,
  });
});

test("a commit writes one audit entry in the requester's name", async (t) => {
  const { db, organization, workspace, channel, save, commit } = await candidateStage(t);
  const requestedBy = {
    actor: { type: 'user', id: 'usr_00000001' },
    requestId: 'r1',
    clientAddress: '192.0.2.1',
  } as const;
  const candidateId = await save('https://1.example.com/', { requestedBy });
  t.is((await db('audit_entries')).length, 0);
  for (let repeat = 0; repeat < 2; repeat++) await commit(candidateId);

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
