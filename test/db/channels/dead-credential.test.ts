import test from 'ava';
import { disconnectChannel, disconnectCredential, disconnectForCredential } from '../../../db/channels/channels.ts';
import { findChannelRecord } from '../../../db/channels/records.ts';
import { testAudit } from '../../harness/audit.ts';
import { aToken, opened } from '../../harness/channels/channel-tokens.ts';
import { testDatabase } from '../../harness/database/database.ts';
import { aLedgerDelivery, aWebhook } from '../../harness/deliveries/ledger.ts';
import { aChannel, aTenant, testSecretBox } from '../../harness/tenants.ts';

const reason = 'The platform no longer takes the credential.';

test('a rejected credential disconnects the channel and cancels its pending deliveries', async (t) => {
  const { db } = await testDatabase(t);
  const { organization, workspace } = await aTenant(db);
  const channel = await aChannel(db, workspace);
  const token = await aToken(db, channel);
  const destinationId = await aWebhook(db, channel);
  await aLedgerDelivery(db, channel, { status: 'retrying', destinationId });

  const { retrying } = await disconnectForCredential(db, { channelId: channel.id, reason });

  t.is(retrying.length, 1);
  t.like(await findChannelRecord(db, { publicId: channel.publicId }), { connected: false, disconnectedReason: reason });
  t.is(await opened(db, token), undefined);
  t.deepEqual(await db('deliveries').pluck('status'), ['cancelled']);
  t.like(await db('audit_entries').where({ action: 'channel.disconnected' }).first(), {
    organization_id: organization.id,
    workspace_id: workspace.id,
    actor_type: 'system',
    target_id: channel.publicId,
    reason,
  });
});

test('a disconnected channel keeps its original disconnection reason', async (t) => {
  const { db } = await testDatabase(t);
  const { workspace } = await aTenant(db);
  const channel = await aChannel(db, workspace);
  await disconnectChannel(db, { ...channel, audit: testAudit });
  await disconnectForCredential(db, { channelId: channel.id, reason });
  t.like(await findChannelRecord(db, { publicId: channel.publicId }), { connected: false, disconnectedReason: null });
  t.is((await db('audit_entries').where({ action: 'channel.disconnected' })).length, 1);
});

test('the rejection of a replaced token disconnects no channel', async (t) => {
  const { db } = await testDatabase(t);
  const { workspace } = await aTenant(db);
  const channel = await aChannel(db, workspace);
  const dead = (token: string) => ({ channelId: channel.id, reason, refused: { secretBox: testSecretBox, token } });
  await disconnectForCredential(db, dead('another'));
  t.like(await findChannelRecord(db, { publicId: channel.publicId }), { connected: true });
  await disconnectForCredential(db, dead('platform-token'));
  t.like(await findChannelRecord(db, { publicId: channel.publicId }), { connected: false });
});

test('a rejected shared credential disconnects exactly the channels that use it', async (t) => {
  const { db } = await testDatabase(t);
  const { workspace } = await aTenant(db);
  const [one, two, apart] = [
    await aChannel(db, workspace),
    await aChannel(db, workspace),
    await aChannel(db, workspace),
  ];
  const { credential_id: shared } = await db('channels').where({ id: one.id }).first();
  await db('channels').where({ id: two.id }).update({ credential_id: shared });
  const { public_id: credentialId } = await db('connection_credentials').where({ id: shared }).first();
  const { channelIds } = await disconnectCredential(db, { credentialId, reason });
  t.deepEqual(channelIds, [one.publicId, two.publicId]);
  t.like(await findChannelRecord(db, { publicId: apart.publicId }), { connected: true });
  t.deepEqual((await disconnectCredential(db, { credentialId, reason })).channelIds, []);
});
