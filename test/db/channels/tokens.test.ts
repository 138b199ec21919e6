import { createHash, randomBytes } from 'node:crypto';
import test, { type ExecutionContext } from 'ava';
import { disconnectChannel } from '../../../db/channels/channels.ts';
import { reencrypt } from '../../../db/upkeep/reencrypt.ts';
import { linkAccounts } from '../../../db/channels/link-accounts.ts';
import { createOpenToken } from '../../../db/channels/open-token.ts';
import { createSecretBox } from '../../../db/core/secret-box.ts';
import { abandonRotation, endOverlap, findRotatedToken, makeRotation } from '../../../db/channels/token-rotations.ts';
import { testAudit } from '../../harness/audit.ts';
import { aStagedRotation, aToken, opened, tokenKeys } from '../../harness/channels/channel-tokens.ts';
import { testHotPool } from '../../harness/database/hot-pool.ts';
import { aChannel, aTenant, testSecretBox } from '../../harness/tenants.ts';
import { isWaitedFor } from '../../harness/time/waits.ts';
import { tenantDatabase } from '../../harness/tenant-database.ts';

async function stage(t: ExecutionContext) {
  const { db, url, another, workspace } = await tenantDatabase(t);
  const channel = await aChannel(db, workspace, { type: 'pageapp', resourceId: '4711' });
  const keys = await tokenKeys(db);
  const rotate = async (overlapSeconds: number) => {
    const id = await aStagedRotation(db, channel, { overlapSeconds });
    const standing = await makeRotation(db, keys, { rotationId: id });
    const rotated = await findRotatedToken(db, testSecretBox, { id, channelPublicId: channel.publicId });
    return { ...standing!, ...rotated!, id };
  };
  const link = (to: { readonly linkedResourceId: string | null }) =>
    linkAccounts(db, {
      channel: { ...channel, workspaceId: workspace.id },
      type: 'pageapp',
      resourceId: '4711',
      ...to,
    });
  return { db, url, another, workspace, channel, keys, rotate, link };
}

test('a token opens its channel and is not stored in plaintext', async (t) => {
  const { db, workspace, channel, link } = await stage(t);
  await link({ linkedResourceId: '4712' });
  const token = await aToken(db, channel);
  t.regex(token, /^hmat_[A-Za-z0-9_-]{43}$/);
  t.like(await opened(db, token), {
    channelId: channel.id,
    channelPublicId: channel.publicId,
    type: 'pageapp',
    resourceId: '4711',
    workspaceId: workspace.id,
    workspacePublicId: workspace.publicId,
    linkedResourceId: '4712',
  });
  t.is(await opened(db, `${token.slice(0, -1)}_`), undefined);
  t.is(await opened(db, ''), undefined);
  const [row] = await db('channel_tokens');
  t.false(JSON.stringify(row).includes(token));
  t.false(row.token_hash.equals(createHash('sha256').update(token).digest()), 'the hash is keyed');
});

test("a Page's token names its photo account in any connection state", async (t) => {
  const { db, workspace, channel, link } = await stage(t);
  await link({ linkedResourceId: '4712' });
  const token = await aToken(db, channel);
  t.is((await opened(db, token))?.linkedResourceId, '4712');
  const photo = await aChannel(db, workspace, { type: 'photoapp', resourceId: '4712' });
  await disconnectChannel(db, { ...photo, audit: testAudit });
  await aChannel(db, (await aTenant(db)).workspace, { type: 'photoapp', resourceId: '4712' });
  t.is((await opened(db, token))?.linkedResourceId, '4712');
  await link({ linkedResourceId: null });
  t.is((await opened(db, token))?.linkedResourceId, null);
});

test("a photo account's token does not name its Page", async (t) => {
  const { db, workspace } = await stage(t);
  const photo = await aChannel(db, workspace, { type: 'photoapp', resourceId: '4712' });
  await linkAccounts(db, {
    channel: { ...photo, workspaceId: workspace.id },
    type: 'photoapp',
    resourceId: '4712',
    linkedResourceId: '4711',
  });
  t.is((await opened(db, await aToken(db, photo)))?.linkedResourceId, null);
});

test('concurrent first requests return the same token', async (t) => {
  const { db, another, channel } = await stage(t);
  const other = another();
  const tokens = await Promise.all(Array.from({ length: 12 }, (_, index) => aToken(index % 2 ? db : other, channel)));
  t.is(new Set(tokens).size, 1);
  t.is((await db('channel_tokens')).length, 1);
  t.is((await db('audit_entries').where({ action: 'channelToken.minted' })).length, 1);
});

test('both tokens open the channel until the overlap ends', async (t) => {
  const { db, channel, rotate } = await stage(t);
  const old = await aToken(db, channel);
  const sinceMs = Date.now();
  const { token, overlapMs, previousExpiresAt } = await rotate(3_600);
  t.true(overlapMs! > 3_000_000 && overlapMs! <= 3_600_000);
  isWaitedFor(t, previousExpiresAt!, { waitMs: 3_600_000, sinceMs });
  t.truthy(await opened(db, old));
  t.truthy(await opened(db, token));
  t.is(await aToken(db, channel), token, 'returns the new token');

  await db('channel_tokens')
    .whereNotNull('expires_at')
    .update({ expires_at: new Date(Date.now() - 1) });
  t.is(await opened(db, old), undefined, 'expires without a workflow');
  t.truthy(await opened(db, token));
  t.is(await endOverlap(db, { channelId: channel.publicId }), null);
  t.is((await db('channel_tokens').whereNotNull('revoked_at')).length, 1);
  t.truthy(await opened(db, token));
});

test('endOverlap returns the time left and keeps an unexpired token', async (t) => {
  const { db, channel, rotate } = await stage(t);
  const old = await aToken(db, channel);
  await rotate(3_600);
  t.true((await endOverlap(db, { channelId: channel.publicId }))! > 3_000_000);
  t.truthy(await opened(db, old));
});

test('a second rotation ends the earlier overlap immediately', async (t) => {
  const { db, channel, rotate } = await stage(t);
  const first = await aToken(db, channel);
  const second = (await rotate(604_800)).token;
  const { token: third, overlapMs } = await rotate(60);
  t.is(await opened(db, first), undefined);
  t.truthy(await opened(db, second));
  t.truthy(await opened(db, third));
  t.true(overlapMs! <= 60_000);
});

test('an overlap of 0 ends the current token immediately', async (t) => {
  const { db, channel, rotate } = await stage(t);
  const old = await aToken(db, channel);
  const { token, overlapMs, previousExpiresAt } = await rotate(0);
  t.is(overlapMs, null);
  t.is(previousExpiresAt, null);
  t.is(await opened(db, old), undefined);
  t.truthy(await opened(db, token));
});

test('a rotation can create the first token', async (t) => {
  const { db, rotate } = await stage(t);
  const { token, overlapMs, previousExpiresAt } = await rotate(3600);
  t.deepEqual({ overlapMs, previousExpiresAt }, { overlapMs: null, previousExpiresAt: null });
  t.truthy(await opened(db, token));
});

test('a repeated rotation creates one token and one audit entry', async (t) => {
  const { db, channel, keys, rotate } = await stage(t);
  await aToken(db, channel);
  const { id, token } = await rotate(60);
  const again = await Promise.all([1, 2, 3].map(() => makeRotation(db, keys, { rotationId: id })));
  t.deepEqual(
    again.map((standing) => standing?.result),
    ['rotated', 'rotated', 'rotated'],
  );
  t.is(await aToken(db, channel), token);
  t.is((await db('channel_tokens')).length, 2);
  const [entry, ...others] = await db('audit_entries').where({ action: 'channelToken.rotated' });
  t.like(entry, { target_id: channel.publicId, actor_id: 'test', reason: 'overlap of 60 s' });
  t.is(others.length, 0);
});

test('concurrent rotations leave one current token and at most one overlap', async (t) => {
  const { db, another, channel, keys } = await stage(t);
  const other = another();
  await aToken(db, channel);
  const ids = await Promise.all(Array.from({ length: 8 }, () => aStagedRotation(db, channel, { overlapSeconds: 60 })));
  await Promise.all(ids.map((rotationId, index) => makeRotation(index % 2 ? db : other, keys, { rotationId })));
  const live = await db('channel_tokens').whereNull('revoked_at').orderBy('id');
  t.is(live.filter((row) => row.expires_at === null).length, 1);
  t.is(live.length, 2);
  t.is((await db('channel_tokens')).length, 9);
});

test('abandoned, late and disconnected rotations create no token', async (t) => {
  const { db, channel, keys } = await stage(t);
  const token = await aToken(db, channel);
  const make = (rotationId: number) => makeRotation(db, keys, { rotationId });
  const givenUp = await aStagedRotation(db, channel);
  t.true(await abandonRotation(db, { id: givenUp }));
  t.false(await abandonRotation(db, { id: givenUp }));
  t.like(await make(givenUp), { result: 'given_up' });
  t.like(await make(await aStagedRotation(db, channel, { deadlineMs: -1 })), { result: 'given_up' });
  t.is(await aToken(db, channel), token);
  const late = await aStagedRotation(db, channel);
  await disconnectChannel(db, { ...channel, audit: testAudit });
  t.like(await make(late), { result: 'disconnected' });
  t.is((await db('channel_tokens')).length, 1);
  t.is(await make(987_654), undefined);
});

test('a disconnection revokes all tokens of the channel', async (t) => {
  const { db, channel, rotate } = await stage(t);
  const tokens = [await aToken(db, channel), (await rotate(60)).token];
  await disconnectChannel(db, { ...channel, audit: testAudit });
  for (const token of tokens) t.is(await opened(db, token), undefined);
  await t.throwsAsync(aToken(db, channel), { message: /disconnected/ });

  await db('channels').where({ id: channel.id }).update({ disconnected_at: null });
  for (const token of tokens) t.is(await opened(db, token), undefined, 'also after a reconnection');
  t.truthy(await opened(db, await aToken(db, channel)));
});

test('only tokens valid until the disconnection name it as the reason', async (t) => {
  const { db, url, channel, keys, rotate } = await stage(t);
  const ended = await aToken(db, channel);
  const { token: current } = await rotate(60);
  await db('channel_tokens')
    .whereNotNull('expires_at')
    .update({ expires_at: new Date(Date.now() - 1_000) });
  await disconnectChannel(db, { ...channel, audit: testAudit });
  const openToken = createOpenToken({ pool: testHotPool(t, url), ...keys });
  t.is(await openToken(current), 'disconnected');
  t.is(await openToken(ended), undefined);
});

test('tokens stay valid after re-encryption with a new key', async (t) => {
  const { db, channel } = await stage(t);
  const token = await aToken(db, channel);
  const ring = [
    { id: 'next', bytes: randomBytes(32) },
    { id: 'test', bytes: Buffer.alloc(32, 7) },
  ];
  const secretBox = createSecretBox(ring);
  t.is((await reencrypt(db, secretBox))['channel_tokens.token_encrypted'], 1);
  t.truthy(await opened(db, token, secretBox));
});
