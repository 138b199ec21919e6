import test from 'ava';
import { findChannelAccount } from '../../../db/channels/account.ts';
import { disconnectChannel } from '../../../db/channels/channels.ts';
import { findHealth } from '../../../db/channels/health.ts';
import { findChannelRecord } from '../../../db/channels/records.ts';
import { acceptCredential, refuseCredential } from '../../../db/channels/refused-credentials.ts';
import { testAudit } from '../../harness/audit.ts';
import { aToken, opened } from '../../harness/channels/channel-tokens.ts';
import { aLedgerDelivery, aWebhook } from '../../harness/deliveries/ledger.ts';
import { aChannel, testSecretBox } from '../../harness/tenants.ts';
import { tenantDatabase } from '../../harness/tenant-database.ts';

const reason = 'The platform no longer takes the credential.';

test('a refused credential leaves the channel, its tokens and deliveries alone', async (t) => {
  const { db, organization, workspace } = await tenantDatabase(t);
  const channel = await aChannel(db, workspace);
  const token = await aToken(db, channel);
  const destinationId = await aWebhook(db, channel);
  await aLedgerDelivery(db, channel, { status: 'retrying', destinationId });
  const of = { channelId: channel.id };

  t.true(await refuseCredential(db, { of, reason }));
  t.false(await refuseCredential(db, { of, reason: 'another' }));

  const record = await findChannelRecord(db, { publicId: channel.publicId });
  t.like(record, { connected: true, disconnectedReason: null, credentialRefusedReason: reason });
  t.true(record!.credentialRefusedAt instanceof Date);
  t.like(await findChannelAccount(db, testSecretBox, { id: channel.id }), { refusedReason: reason });
  t.like(await opened(db, token), { channelPublicId: channel.publicId });
  t.deepEqual(await db('deliveries').pluck('status'), ['retrying']);
  t.like(await findHealth(db, channel.id), { status: 'failing', reasons: ['credential_refused'] });
  const entries = await db('audit_entries').where({ action: 'credential.refused' });
  t.is(entries.length, 1);
  t.like(entries[0], { organization_id: organization.id, workspace_id: workspace.id, actor_type: 'system', reason });
});

test('a refusal has the health checked at once', async (t) => {
  const { db, workspace } = await tenantDatabase(t);
  const channel = await aChannel(db, workspace);
  await db('channel_health').update({ next_check_at: new Date(Date.now() + 3_600_000) });
  await refuseCredential(db, { of: { channelId: channel.id }, reason });
  const { next_check_at: next } = await db('channel_health').where({ channel_id: channel.id }).first();
  t.true(next.getTime() <= Date.now() + 60_000);
});

test('the refusal of a replaced token changes nothing', async (t) => {
  const { db, workspace } = await tenantDatabase(t);
  const channel = await aChannel(db, workspace);
  const of = { channelId: channel.id };
  const refuse = (token: string) => refuseCredential(db, { of, reason, refused: { secretBox: testSecretBox, token } });
  t.false(await refuse('another'));
  t.true(await refuse('platform-token'));
  await disconnectChannel(db, { ...channel, audit: testAudit });
  t.false(await refuse('platform-token'), 'a disconnected channel makes no calls');
});

test('a shared credential is refused for exactly its channels', async (t) => {
  const { db, workspace } = await tenantDatabase(t);
  const one = await aChannel(db, workspace);
  const two = await aChannel(db, workspace);
  const apart = await aChannel(db, workspace);
  const { credential_id: shared } = await db('channels').where({ id: one.id }).first();
  await db('channels').where({ id: two.id }).update({ credential_id: shared });
  const { public_id: credentialId } = await db('connection_credentials').where({ id: shared }).first();
  t.true(await refuseCredential(db, { of: { credentialId }, reason }));
  for (const [channel, refused] of [
    [one, reason],
    [two, reason],
    [apart, null],
  ] as const) {
    t.is((await findChannelRecord(db, { publicId: channel.publicId }))!.credentialRefusedReason, refused);
  }
});

test('only the refused token itself is accepted again', async (t) => {
  const { db, workspace } = await tenantDatabase(t);
  const channel = await aChannel(db, workspace);
  await refuseCredential(db, { of: { channelId: channel.id }, reason });
  const { id, token_encrypted: sealedToken } = await db('connection_credentials').first();
  const refusal = async () => (await findChannelRecord(db, { publicId: channel.publicId }))!.credentialRefusedReason;
  await acceptCredential(db, { credentialId: id, sealedToken: 'another' });
  t.is(await refusal(), reason);
  await acceptCredential(db, { credentialId: id, sealedToken });
  await acceptCredential(db, { credentialId: id, sealedToken });
  t.is(await refusal(), null);
});
