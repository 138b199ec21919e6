import { randomBytes } from 'node:crypto';
import test, { type ExecutionContext } from 'ava';
import { insertChannel } from '../../../db/channels/channels.ts';
import { findChannelRecord } from '../../../db/channels/records.ts';
import { insertCredential } from '../../../db/channels/credentials.ts';
import { beginAttempt, findAttempt, moveAttempt, openChoice, storeChoice } from '../../../db/onboarding/attempts.ts';
import {
  findLinkByToken,
  findOnboardingLink,
  insertOnboardingLink,
  linkToken,
  revokeOnboardingLink,
} from '../../../db/onboarding/links.ts';
import { newOpaqueToken } from '../../../db/core/opaque-tokens.ts';
import { createSecretBox } from '../../../db/core/secret-box.ts';
import { connectChannel } from '../../../db/onboarding/connect-channel.ts';
import { setOrganizationLimit } from '../../../db/organizations/limits.ts';
import { reencrypt } from '../../../db/upkeep/reencrypt.ts';
import { untilBlockedByLock } from '../../harness/deliveries/hot-ledger.ts';
import { aTenant, testSecretBox } from '../../harness/tenants.ts';
import { tenantDatabase } from '../../harness/tenant-database.ts';

const tokenSalt = randomBytes(32);
const account = {
  resourceId: '4711',
  name: 'Bakery',
  token: 'a token',
  expiresAt: null,
  linkedResourceId: null,
  isRegistered: true,
  businessAccountId: '4000',
};
const request = { account, connectionType: 'cloud_api', requestId: 'req_1', clientAddress: '127.0.0.1' };

/** A link, which browsers open. */
async function stage(t: ExecutionContext, secretBox = testSecretBox) {
  const { db, organization, user, workspace } = await tenantDatabase(t);
  const organizationId = organization.id;
  const link = { organizationId, workspaceId: workspace.id, label: 'x', createdBy: user.id };
  const publicId = await insertOnboardingLink(db, { secretBox, tokenSalt }, { ...link, channelType: 'chatapp' });
  const key = { organizationId, publicId };
  const { id: linkId } = (await findOnboardingLink(db, key))!;
  const begun = async () => {
    const browser = newOpaqueToken();
    const opened = { tokenSalt, state: (await beginAttempt(db, { linkId, tokenSalt, browser }))!, browser };
    return { id: (await findAttempt(db, opened))!.id, opened };
  };
  const granted = async (): Promise<number> => {
    const { id } = await begun();
    await moveAttempt(db, id, { from: 'begun', to: 'granted' });
    return id;
  };
  const connect = (attemptId: number) => connectChannel(db, testSecretBox, { ...request, linkId, attemptId });
  return { db, workspace, key, begun, granted, connect };
}

test('an expired attempt can only be refused or fail', async (t) => {
  const { db, begun, granted } = await stage(t);
  const begunId = (await begun()).id;
  const grantedId = await granted();
  const refusedId = (await begun()).id;
  await db('onboarding_attempts').update({ expires_at: db.fn.now() });
  t.false(await moveAttempt(db, begunId, { from: 'begun', to: 'granted' }));
  t.false(await moveAttempt(db, grantedId, { from: 'granted', to: 'connected' }));
  t.true(await moveAttempt(db, grantedId, { from: 'granted', to: 'failed' }));
  t.true(await moveAttempt(db, refusedId, { from: 'begun', to: 'refused' }));
});

test('re-encryption reseals links and pending choices with the new key', async (t) => {
  const oldKey = { id: 'old', bytes: randomBytes(32) };
  const newKey = { id: 'new', bytes: randomBytes(32) };
  const secretBox = createSecretBox([oldKey]);
  const { db, key, begun } = await stage(t, secretBox);
  // The tenant's own key was sealed by another box.
  await db('api_keys').delete();
  const token = linkToken(secretBox, (await findOnboardingLink(db, key))!);
  const { id, opened } = await begun();
  await moveAttempt(db, id, { from: 'begun', to: 'granted' });
  await storeChoice(db, secretBox, { id, choice: 'the accounts' });

  const counts = await reencrypt(db, createSecretBox([newKey, oldKey]));
  t.like(counts, { 'onboarding_links.token_encrypted': 1, 'onboarding_attempts.token_encrypted': 1 });
  const only = createSecretBox([newKey]);
  t.is(linkToken(only, (await findOnboardingLink(db, key))!), token);
  t.is((await findLinkByToken(db, { tokenSalt, token }))?.publicId, key.publicId);
  const attempt = await findAttempt(db, opened);
  t.is(openChoice(only, { id, sealed: attempt!.sealedChoice! }), 'the accounts');
});

test('concurrent completions of an attempt connect one channel', async (t) => {
  const { db, granted, connect } = await stage(t);
  const attemptId = await granted();
  const outcomes = await Promise.all([connect(attemptId), connect(attemptId), connect(attemptId)]);
  t.deepEqual(outcomes.map(({ outcome }) => outcome).sort(), ['connected', 'ended', 'ended']);
  t.is((await db('channels')).length, 1);
  t.is((await db('connection_credentials')).length, 1);
});

test('a connected number has its business account in its record', async (t) => {
  const { db, granted, connect } = await stage(t);
  const outcome = await connect(await granted());
  if (outcome.outcome !== 'connected') return t.fail(outcome.outcome);
  const publicId = outcome.channelPublicId;
  t.is((await findChannelRecord(db, { publicId }))?.businessAccountId, '4000');
});

test('a concurrent connection of the account elsewhere makes it taken', async (t) => {
  const { db, granted, connect } = await stage(t);
  const other = await aTenant(db);
  const attemptId = await granted();
  const rival = await db.transaction();
  const credential = await insertCredential(rival, testSecretBox, { workspaceId: other.workspace.id, token: 'theirs' });
  await insertChannel(rival, testSecretBox, {
    workspaceId: other.workspace.id,
    credentialId: credential.id,
    type: 'chatapp',
    resourceId: account.resourceId,
    displayName: 'Theirs',
    connectionType: 'manual',
  });
  const ours = connect(attemptId);
  await untilBlockedByLock(db, '%into "channels"%');
  await rival.commit();
  t.deepEqual(await ours, { outcome: 'taken' });
  t.is((await db('channels')).length, 1);
  t.is((await db('connection_credentials')).length, 1);
  t.deepEqual(await db('onboarding_attempts').pluck('status'), ['failed']);
});

test('a link revoked during completion ends the attempt without a channel', async (t) => {
  const { db, granted, connect, key } = await stage(t);
  const attemptId = await granted();
  const revoking = await db.transaction();
  await revokeOnboardingLink(revoking, key);
  const ended = connect(attemptId);
  await untilBlockedByLock(db, '%as "organizationName"%');
  await revoking.commit();
  t.deepEqual(await ended, { outcome: 'ended' });
  t.is((await db('channels')).length, 0);
});

test('a second click on a single-use link finds its own connection', async (t) => {
  const { db, granted, connect } = await stage(t);
  await db('onboarding_links').update({ max_uses: 1 });
  const attemptId = await granted();
  const rivalId = await granted();
  const outcomes = await Promise.all([connect(attemptId), connect(attemptId)]);
  t.deepEqual(outcomes.map(({ outcome }) => outcome).sort(), ['connected', 'ended']);
  t.deepEqual(await connect(rivalId), { outcome: 'used_up' });
  t.is((await db('onboarding_links').first()).use_count, 1);
});

test('the limit of customers ends the attempt without a channel', async (t) => {
  const { db, granted, connect, key } = await stage(t);
  await db('onboarding_links').update({ workspace_id: null });
  await setOrganizationLimit(db, { organizationId: key.organizationId, limit: 'workspaces', max: 1 });
  const attemptId = await granted();
  t.deepEqual(await connect(attemptId), { outcome: 'limit_reached' });
  t.deepEqual(await connect(attemptId), { outcome: 'ended' });
  t.deepEqual(await db('onboarding_attempts').pluck('status'), ['failed']);
  t.is((await db('channels')).length, 0);
});
