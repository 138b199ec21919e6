import { createHmac } from 'node:crypto';
import test, { type ExecutionContext } from 'ava';
import { createConnectionNoticeActivities } from '../../../activities/channels/connection-notice-activities.ts';
import { receiverOwner, requesterOwner } from '../../../activities/deliveries/receiver-slots.ts';
import { noticeWaitsMs } from '../../../contract/deliveries/notice-schedule.ts';
import { claimDueNotices, insertNotice } from '../../../db/onboarding/connection-notices.ts';
import { findOnboardingLink, insertOnboardingLink } from '../../../db/onboarding/links.ts';
import { readInstallation } from '../../../db/core/installation.ts';
import { sealedContexts } from '../../../db/core/sealed-columns.ts';
import type { EgressRequest } from '../../../egress/client.ts';
import { createWorkerShares } from '../../../worker/worker-shares.ts';
import { testDatabase } from '../../harness/database/database.ts';
import { removeAllExpired } from '../../harness/database/remove-expired.ts';
import { fillShare } from '../../harness/deliveries/fill-share.ts';
import { rememberingLog } from '../../harness/quiet-log.ts';
import { aChannel, aTenant, testSecretBox } from '../../harness/tenants.ts';

async function aNotice(t: ExecutionContext, statuses: readonly (number | null | 'not_sent')[]) {
  const { db } = await testDatabase(t);
  const { organization, workspace, user } = await aTenant(db);
  const keys = { secretBox: testSecretBox, tokenSalt: (await readInstallation(db)).tokenSalt };
  const owner = { organizationId: organization.id, workspaceId: workspace.id, createdBy: user.id };
  const linkId = await insertOnboardingLink(db, keys, {
    ...{ ...owner, label: 'x', channelType: 'chatapp', externalId: 'shop-17' },
    notificationUrl: 'https://shop.example/hook',
  });
  const link = (await findOnboardingLink(db, { ...owner, publicId: linkId }))!;
  const channel = await aChannel(db, workspace);
  await insertNotice(db, { linkId: link.id, channelId: channel.id, isReconnected: false });
  const sent: EgressRequest[] = [];
  const times = { startedAtMs: 0, durationMs: 1 };
  const egress = {
    send: (request: EgressRequest) => {
      const status = statuses[sent.push(request) - 1] ?? null;
      if (status === 'not_sent') return Promise.resolve({ outcome: 'not_sent', reason: 'queue_full' } as const);
      return Promise.resolve(
        status === null
          ? ({ outcome: 'no_response', error: 'timeout', detail: '', ...times } as const)
          : ({
              outcome: 'answered',
              status,
              headers: {},
              body: Buffer.alloc(0),
              bodyTruncated: false,
              bodyError: null,
              ...times,
            } as const),
      );
    },
  };
  const log = rememberingLog();
  const { receivers: receiverShares } = createWorkerShares();
  const deps = { db, secretBox: testSecretBox, log, egress: egress as never, receiverShares };
  const { sendConnectionNotice } = createConnectionNoticeActivities(deps);
  const { public_id: noticeId } = await db('connection_notices').first();
  const context = sealedContexts.onboardingNotificationSecret(linkId);
  const secret = testSecretBox.open(link.sealedNotificationSecret!, context);
  const makeDue = () =>
    db('connection_notices')
      .whereNull('outcome')
      .update({ next_attempt_at: new Date(0) });
  return {
    db,
    sent,
    receiverShares,
    send: () => sendConnectionNotice({ noticeId }),
    organization,
    noticeId,
    linkId,
    channel,
    workspace,
    secret,
    makeDue,
  };
}

test('a notice is signed, sent once and names its channel', async (t) => {
  const { sent, send, noticeId, linkId, channel, workspace, secret, db } = await aNotice(t, [204]);
  // The id of a later customer.
  await db('onboarding_links').update({ external_id: 'shop-18' });
  t.deepEqual([await send(), await send()], ['sent', 'ended']);
  t.is(sent.length, 1);
  const { url, headers, body } = sent[0]!;
  t.is(url, 'https://shop.example/hook');
  const { occurredAt, ...rest } = JSON.parse(String(body));
  t.deepEqual(rest, {
    id: noticeId,
    type: 'channel.connected',
    channelId: channel.publicId,
    channelType: 'chatapp',
    workspaceId: workspace.publicId,
    onboardingLinkId: linkId,
    externalId: 'shop-17',
  });
  t.true(Math.abs(Date.now() - Date.parse(occurredAt)) < 600_000);
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const signed = `${noticeId}.${headers['webhook-timestamp']}.${String(body)}`;
  t.is(headers['webhook-id'], noticeId);
  t.is(headers['webhook-signature'], `v1,${createHmac('sha256', key).update(signed).digest('base64')}`);
  t.like(await db('connection_notices').first(), { outcome: 'sent', attempt_count: 1, last_status: 204 });
});

test('a refused notice is due again until its schedule ends', async (t) => {
  const { db, send, makeDue, noticeId, organization, linkId, channel } = await aNotice(t, [500, 302, 404]);
  const key = { organizationId: organization.id, publicId: linkId };
  const last = async () => (await findOnboardingLink(db, key))!.lastNotification;
  const shown = { channelId: channel.publicId, outcome: null, attemptCount: 0, lastStatus: null };
  t.like(await last(), shown);
  t.deepEqual(await claimDueNotices(db, { limit: 10 }), [noticeId]);
  t.deepEqual(await claimDueNotices(db, { limit: 10 }), [], 'a claimed notice is not due');
  await makeDue();
  t.deepEqual(await claimDueNotices(db, { limit: 10 }), [noticeId], 'a lost claim is due again');
  const results = [];
  for (let count = 0; count <= noticeWaitsMs.length; count++) results.push(await send());
  t.deepEqual(results, [...noticeWaitsMs.map(() => 'retrying'), 'exhausted']);
  t.is(await send(), 'ended');
  t.like(await last(), { ...shown, outcome: 'exhausted', attemptCount: noticeWaitsMs.length + 1 });
  t.like(await db('connection_notices').first(), { outcome: 'exhausted', next_attempt_at: null, last_status: null });
});

test('a notice that the worker could not send is due again', async (t) => {
  const { db, sent, send, organization, receiverShares } = await aNotice(t, ['not_sent', 204]);
  const release = fillShare(receiverShares, { organizationId: organization.id });
  t.is(await send(), 'unsent');
  t.deepEqual(sent, [], 'it waits without a slot');
  release();
  t.is(await send(), 'unsent');
  t.like(await db('connection_notices').first(), { outcome: null, attempt_count: 0 }, 'the receiver is not at fault');
  t.is(await send(), 'sent');
  t.is(receiverShares.count(), 0);
});

test('notices leave slots of their organization for retries', async (t) => {
  const { send, organization, receiverShares } = await aNotice(t, [204]);
  const organizationId = organization.id;
  fillShare(receiverShares, requesterOwner('notices', { organizationId }));
  t.is(await send(), 'unsent');
  t.truthy(receiverShares.tryTake(receiverOwner({ organizationId, destinationId: 1 })));
});

test('a notice of a link without an address sends nothing', async (t) => {
  const { db, sent, send } = await aNotice(t, []);
  await db('onboarding_links').update({ notification_url: null, notification_secret_encrypted: null });
  t.is(await send(), 'retrying');
  t.deepEqual(sent, []);
});

test('old notices are deleted after they end', async (t) => {
  const { db, send } = await aNotice(t, [204]);
  const later = new Date(Date.now() + 60_000);
  const remove = (cutoff: Date) => removeAllExpired(db, 'connection_notices', { cutoff });
  t.is(await remove(later), 0);
  await send();
  t.is(await remove(new Date(0)), 0);
  t.is(await remove(later), 1);
});
