import { randomBytes } from 'node:crypto';
import test, { type ExecutionContext } from 'ava';
import { insertChannel } from '../../../db/channels/channels.ts';
import { findChannelRecord } from '../../../db/channels/records.ts';
import { insertCredential } from '../../../db/channels/connection-credentials.ts';
import { beginAttempt, findAttempt, moveAttempt } from '../../../db/onboarding/attempts.ts';
import { findOnboardingLink, insertOnboardingLink, revokeOnboardingLink } from '../../../db/onboarding/links.ts';
import { newOpaqueToken } from '../../../db/core/opaque-tokens.ts';
import { connectChannel } from '../../../db/onboarding/connect-channel.ts';
import { setOrganizationLimit } from '../../../db/organizations/limits.ts';
import { testDatabase } from '../../harness/database/database.ts';
import { eventually } from '../../harness/eventually.ts';
import { aTenant, testSecretBox } from '../../harness/tenants.ts';

const tokenSalt = randomBytes(32);
const account = {
  ...{ resourceId: '4711', name: 'Bakery', token: 'a token', expiresAt: null, linkedResourceId: null },
  isRegistered: true,
  businessAccountId: '4000',
};
const request = { account, connectionType: 'cloud_api', requestId: 'req_1', clientAddress: '127.0.0.1' };

async function stage(t: ExecutionContext) {
  const { db } = await testDatabase(t);
  const { organization, user, workspace } = await aTenant(db);
  const keys = { secretBox: testSecretBox, tokenSalt };
  const organizationId = organization.id;
  const link = { organizationId, workspaceId: workspace.id, label: 'x', createdBy: user.id };
  const publicId = await insertOnboardingLink(db, keys, { ...link, channelType: 'chatapp' });
  const { id: linkId } = (await findOnboardingLink(db, { organizationId, publicId }))!;
  const granted = async (): Promise<number> => {
    const browser = newOpaqueToken();
    const state = (await beginAttempt(db, { linkId, tokenSalt, browser }))!;
    const { id } = (await findAttempt(db, { tokenSalt, state, browser }))!;
    await moveAttempt(db, id, { from: 'begun', to: 'granted' });
    return id;
  };
  const connect = (attemptId: number) => connectChannel(db, testSecretBox, { ...request, linkId, attemptId });
  return { db, workspace, key: { organizationId, publicId }, granted, connect };
}

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
  await eventually(async () => {
    const { rows } = await db.raw(`select 1 from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like '%into "channels"%'`);
    return rows.length > 0;
  });
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
  await eventually(async () => {
    // PostgreSQL shows the beginning of a long query.
    const { rows } = await db.raw(`select 1 from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like '%as "organizationName"%'`);
    return rows.length > 0;
  });
  await revoking.commit();
  t.deepEqual(await ended, { outcome: 'ended' });
  t.is((await db('channels')).length, 0);
});

test('a second click on a single-use link finds its own connection', async (t) => {
  const { db, granted, connect } = await stage(t);
  await db('onboarding_links').update({ max_uses: 1 });
  const [attemptId, rivalId] = [await granted(), await granted()];
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
