import test, { type ExecutionContext } from 'ava';
import { createHealthActivities } from '../../../activities/channels/health-activities.ts';
import type { HealthReading } from '../../../contract/channels/health.ts';
import type { ChannelType } from '../../../contract/event-types.ts';
import { reconcileAlerts } from '../../../db/alerts/reconcile-alerts.ts';
import { findCheckedChannel, storeHealth } from '../../../db/channels/health-checks.ts';
import { findHealth } from '../../../db/channels/health.ts';
import { findChannelRecord } from '../../../db/channels/records.ts';
import { sealedContexts } from '../../../db/core/sealed-columns.ts';
import type { OutboundCall } from '../../../db/operations/outbound-calls.ts';
import { pageFields } from '../../../platform/client/oauth-vocabulary.ts';
import { createPlatformHealth, type PlatformHealth } from '../../../platform/health/health.ts';
import { createConsentTokens } from '../../../simulator/consent/tokens.ts';
import { startPlatform } from '../../../simulator/platform.ts';
import { overdueRows } from '../../harness/database/overdue-rows.ts';
import { rememberingLog } from '../../harness/quiet-log.ts';
import { inActivity } from '../../harness/temporal/activity.ts';
import { aChannel, testSecretBox } from '../../harness/tenants.ts';
import { tenantDatabase } from '../../harness/tenant-database.ts';

const appSecret = 'app secret';
const HOUR_MS = 3_600_000;
const resourceIds: Readonly<Record<ChannelType, string>> = {
  chatapp: '100000000000011',
  photoapp: '200000000000011',
  pageapp: '300000000000011',
};

async function stage(t: ExecutionContext, { intervalMs = 6 * HOUR_MS, callsPerMinute = 600_000 } = {}) {
  const platform = await startPlatform({ port: 0, appSecret, webhookUrl: 'http://127.0.0.1:1/' });
  const platformHealth = createPlatformHealth({
    apiUrl: platform.url,
    clientId: 'demo-app',
    appSecret,
    timeoutMs: 120_000,
  });
  t.teardown(() => Promise.all([platformHealth.close(), platform.stop()]));
  const { db, workspace } = await tenantDatabase(t);
  const log = rememberingLog();
  const calls: OutboundCall[] = [];
  const activities = createHealthActivities({
    db,
    secretBox: testSecretBox,
    platformHealth,
    log,
    outbound: { record: (call: OutboundCall) => void calls.push(call) },
    health: { intervalMs, callsPerMinute },
    alertLimits: { credentialEndsMs: 72 * HOUR_MS },
    stopping: new AbortController().signal,
  });
  const channel = (type: ChannelType = 'chatapp', resourceId = resourceIds[type]) =>
    aChannel(db, workspace, { type, resourceId });
  const check = (channelId: string) => inActivity(() => activities.checkChannelHealth({ channelId }));
  const checkDue = () => inActivity(() => activities.checkDueHealth());
  const health = (id: number) => findHealth(db, id);
  const row = (id: number) => db('channel_health').where({ channel_id: id }).first();
  return { db, platform, workspace, log, calls, channel, check, checkDue, health, row };
}

const emptyReading: HealthReading = {
  quality: null,
  tier: null,
  throughput: null,
  accountStatus: null,
  nameStatus: null,
  name: null,
  username: null,
  pictureUrl: null,
  businessAccountId: null,
  permissions: null,
  subscription: null,
  credentialExpiresAt: null,
};

type Stage = Awaited<ReturnType<typeof stage>>;

async function credentialOf({ db }: Stage, channelId: number) {
  const { credential_id: id } = await db('channels').where({ id: channelId }).first();
  return await db('connection_credentials').where({ id }).first();
}

async function hold(at: Stage, channelId: number, token: string): Promise<void> {
  const { id, public_id } = await credentialOf(at, channelId);
  const sealed = testSecretBox.seal(token, sealedContexts.credentialToken(public_id));
  await at.db('connection_credentials').where({ id }).update({ token_encrypted: sealed });
}

test('a number shows rating, limit, review, business account and permissions', async (t) => {
  const { platform, channel, check, health, calls, log } = await stage(t);
  const { id, publicId } = await channel();
  t.is(await check(publicId), 'checked');
  t.like(await health(id), {
    status: 'healthy',
    reasons: [],
    quality: 'high',
    tier: '1k',
    throughput: 'standard',
    accountStatus: 'connected',
    nameStatus: 'approved',
    name: 'Sunrise Bakery',
    businessAccountId: '400000000000001',
    permissionsMissing: [],
    failure: null,
  });

  const facts = {
    quality: 'RED',
    tier: 'TIER_UNLIMITED',
    status: 'FLAGGED',
    nameStatus: 'DECLINED',
    throughput: 'HIGH',
  };
  platform.consent({ numberFacts: { [resourceIds.chatapp]: facts } });
  await check(publicId);
  t.like(await health(id), {
    status: 'failing',
    quality: 'low',
    tier: 'unlimited',
    throughput: 'high',
    reasons: ['quality_low', 'account_flagged', 'name_declined'],
  });
  const ids = { via: 'workflow', operation: 'checkHealth', channelId: id, caller: `channel-health-check/${publicId}` };
  t.true(calls.length <= 10);
  for (const call of calls) t.like(call, ids);
  t.false(JSON.stringify([calls, log.lines]).includes('platform-token'));
});

test('photo accounts and Pages show names, user names and pictures', async (t) => {
  const { channel, check, health } = await stage(t);
  const photo = await channel('photoapp');
  const page = await channel('pageapp');
  await check(photo.publicId);
  await check(page.publicId);
  t.like(await health(photo.id), { status: 'healthy', username: 'harbour.books', quality: null, tier: null });
  t.regex((await health(photo.id))?.pictureUrl ?? '', /^https:.*profile\.jpg$/);
  t.like(await health(page.id), { status: 'healthy', name: 'Harbour Books', businessAccountId: null });
  t.regex((await health(page.id))?.pictureUrl ?? '', /^https:.*picture\.jpg$/);
});

test('missing permissions and an ending credential are warnings', async (t) => {
  const at = await stage(t);
  const { id, publicId } = await at.channel('pageapp');
  const expiresAtMs = Math.floor(Date.now() / 1000) * 1000 + 24 * HOUR_MS;
  const grant = { type: 'pageapp', accountIds: [resourceIds.pageapp], kind: 'long', expiresAtMs } as const;
  await hold(at, id, createConsentTokens(appSecret).issueToken(grant));
  at.platform.consent({ scopes: ['pages_messaging'] });
  await at.check(publicId);
  const health = await at.health(id);
  t.like(health, { status: 'warning', reasons: ['permissions_missing', 'credential_ending'] });
  t.deepEqual(health?.permissionsGranted, ['pages_messaging']);
  t.true(health?.permissionsMissing?.includes('pages_manage_posts'));
  t.is(health?.credentialExpiresAt?.getTime(), expiresAtMs);
  t.is((await at.row(id)).alert_reason, 'permissions_missing');
  t.is((await credentialOf(at, id)).expires_at.getTime(), expiresAtMs);
  await reconcileAlerts(at.db, { circuitOpenMs: 0, credentialEndsMs: 72 * HOUR_MS });
  t.like(await at.db('alerts').where({ kind: 'credential.expiring' }).first(), { channel_id: id });
  const due = await overdueRows(at.db, 'refreshCredential', { credentialRefreshMs: 240 * HOUR_MS });
  t.deepEqual(due, [], 'the token of a Page cannot be exchanged');
});

test('a check does not store the end of a replaced token', async (t) => {
  const at = await stage(t);
  const { id, publicId } = await at.channel();
  const checked = (await findCheckedChannel(at.db, testSecretBox, publicId))!;
  await hold(at, id, 'another');
  const reading = { ...emptyReading, credentialExpiresAt: new Date() };
  const result = { outcome: 'read', reading, reasons: [] } as const;
  await storeHealth(at.db, { channel: checked, startedAt: new Date(), nextCheckMs: 1_000, result });
  t.is((await credentialOf(at, id)).expires_at, null);
});

test('an invalid credential is refused until a check succeeds', async (t) => {
  const at = await stage(t);
  const { id, publicId } = await at.channel();
  const grant = { type: 'chatapp', accountIds: [], kind: 'long', expiresAtMs: Date.now() - 1 } as const;
  await hold(at, id, createConsentTokens(appSecret).issueToken(grant));
  for (let count = 1; count <= 4; count++) t.is(await at.check(publicId), 'checked');
  const record = await findChannelRecord(at.db, { publicId });
  t.true(record?.connected);
  t.regex(record?.credentialRefusedReason ?? '', /code 190/);
  t.like(await at.health(id), { status: 'failing', reasons: ['credential_refused'], failure: 'credential_refused' });
  t.true((await at.row(id)).next_check_at.getTime() < Date.now() + 2 * HOUR_MS, 'it is checked again soon');
  await hold(at, id, createConsentTokens(appSecret).issueToken({ ...grant, expiresAtMs: Date.now() + HOUR_MS }));
  t.is((await findChannelRecord(at.db, { publicId }))?.credentialRefusedReason, record?.credentialRefusedReason);
  t.is(await at.check(publicId), 'checked');
  t.is((await findChannelRecord(at.db, { publicId }))?.credentialRefusedAt, null);
  t.deepEqual((await at.health(id))?.reasons.includes('credential_refused'), false);
});

test('a disconnected channel is never due', async (t) => {
  const at = await stage(t);
  const { id, publicId } = await at.channel();
  await at.db('channels').where({ id }).update({ disconnected_at: new Date() });
  t.is(await at.check(publicId), 'not_connected');
  await at.checkDue();
  t.is((await at.checkDue()).checkedCount, 0);
});

test('channels are due once, and again when they are connected again', async (t) => {
  const { channel, checkDue, row, db, calls } = await stage(t);
  const channels = [await channel(), await channel('photoapp'), await channel('pageapp')];
  t.like(await checkDue(), { checkedCount: 3, failedCount: 0, isDone: true });
  const count = calls.length;
  t.like(await checkDue(), { checkedCount: 0, isDone: true });
  t.is(calls.length, count);
  const { next_check_at: next, checked_at: checked } = await row(channels[0]!.id);
  const waitMs = next.getTime() - checked.getTime();
  t.true(waitMs > 5.3 * HOUR_MS && waitMs < 6.7 * HOUR_MS);
  await db('channel_health')
    .where({ channel_id: channels[0]!.id })
    .update({ next_check_at: new Date(0) });
  t.like(await checkDue(), { checkedCount: 1 });
});

test('concurrent pages check each channel once', async (t) => {
  const { channel, checkDue } = await stage(t);
  for (let index = 0; index < 12; index++) await channel('chatapp', `1000000000001${String(index).padStart(2, '0')}`);
  const pages = await Promise.all([checkDue(), checkDue()]);
  t.is(
    pages.reduce((sum, { checkedCount }) => sum + checkedCount, 0),
    12,
  );
});

test('a page asks for a pause that keeps the rate of calls', async (t) => {
  const { channel, checkDue, calls } = await stage(t, { callsPerMinute: 1 });
  for (let index = 0; index < 11; index++) await channel('chatapp', `1000000000001${String(index).padStart(2, '0')}`);
  const { isDone, waitMs, checkedCount } = await checkDue();
  t.is(checkedCount, 10);
  t.false(isDone);
  t.true(waitMs > 60_000 && waitMs <= calls.length * 60_000);
});

test('checks that are disabled make no calls', async (t) => {
  const { channel, checkDue, check, calls } = await stage(t, { intervalMs: 0 });
  const { publicId } = await channel();
  t.like(await checkDue(), { checkedCount: 0, isDone: true });
  t.is(calls.length, 0);
  t.is(await check(publicId), 'checked', 'on request');
});

test("one channel's failure keeps its last result and stops no other", async (t) => {
  const { platform, channel, checkDue, health, row, db } = await stage(t);
  const lost = await channel('photoapp');
  const other = await channel('pageapp');
  await checkDue();
  const failing = { code: 17, match: { account: resourceIds.photoapp }, at: 'read', times: 9 } as const;
  platform.content.control({ faults: [failing] });
  for (let round = 1; round <= 3; round++) {
    await db('channel_health').update({ next_check_at: new Date(0) });
    t.like(await checkDue(), { checkedCount: 2, failedCount: 1 });
    t.like(await health(other.id), { status: 'healthy', failure: null });
    t.like(await health(lost.id), { failure: 'platform_limited', username: 'harbour.books' });
    t.is((await health(lost.id))?.status, round < 3 ? 'healthy' : 'unknown');
  }
  t.true((await row(lost.id)).next_check_at.getTime() > Date.now() + 5 * HOUR_MS);
  platform.content.control({ faults: [] });
  await db('channel_health').update({ next_check_at: new Date(0) });
  await checkDue();
  t.like(await health(lost.id), { status: 'healthy', failure: null, reasons: [] });
});

test('an outage ends the page and keeps the channels due soon', async (t) => {
  const { platform, channel, checkDue, health, db, log } = await stage(t);
  const channels = [];
  for (let index = 0; index < 5; index++) channels.push(await channel('chatapp', `10000000000010${index}`));
  await platform.stop();
  t.like(await checkDue(), { checkedCount: 3, failedCount: 3, isDone: true });
  t.like(await health(channels[0]!.id), {
    status: 'unknown',
    reasons: ['check_failed'],
    failure: 'platform_unavailable',
  });
  const due = await db('channel_health').pluck('next_check_at');
  for (const at of due) t.true(at.getTime() < Date.now() + HOUR_MS);
  t.true(JSON.stringify(log.lines).includes('channelHealth.checkFailed'));
  t.false(JSON.stringify(log.lines).includes('platform-token'));
});

test('a limit of the whole app ends the page', async (t) => {
  const { platform, channel, checkDue } = await stage(t);
  await channel('photoapp');
  await channel('pageapp');
  platform.content.control({ faults: [{ code: 4, at: 'read', times: 5 }] });
  t.like(await checkDue(), { checkedCount: 1, failedCount: 1, isDone: true });
});

test('a result for a replaced credential is not stored', async (t) => {
  const { db, channel, row, log } = await stage(t);
  const changed = await channel('photoapp');
  const other = await channel('pageapp');
  const platformHealth: PlatformHealth = {
    read: async () => {
      const { credential_id } = await db('channels').where({ id: other.id }).first();
      await db('channels').where({ id: changed.id }).update({ credential_id });
      return { outcome: 'not_found' };
    },
    close: () => Promise.resolve(),
  };
  const { checkChannelHealth } = createHealthActivities({
    db,
    secretBox: testSecretBox,
    platformHealth,
    log,
    stopping: new AbortController().signal,
    health: { intervalMs: HOUR_MS, callsPerMinute: 60 },
    alertLimits: { credentialEndsMs: HOUR_MS },
  });
  t.is(await inActivity(() => checkChannelHealth({ channelId: changed.publicId })), 'checked');
  t.like(await row(changed.id), { checked_at: null, status: 'unknown' });
});

test('an account that two checks do not show is failing', async (t) => {
  const { platform, channel, check, health, row } = await stage(t);
  const { id, publicId } = await channel('photoapp');
  await check(publicId);
  platform.content.control({ faults: [{ code: 100, subcode: 33, at: 'read', times: 1 }] });
  await check(publicId);
  t.like(await health(id), { status: 'healthy', reasons: [], failure: 'account_hidden' });
  await check(publicId);
  t.like(await health(id), { status: 'healthy', failure: null });
  platform.content.control({ faults: [{ code: 100, subcode: 33, at: 'read', times: 2 }] });
  await check(publicId);
  t.is((await row(id)).alert_reason, null);
  t.true((await row(id)).next_check_at.getTime() < Date.now() + HOUR_MS, 'it is checked again soon');
  await check(publicId);
  t.like(await health(id), { status: 'failing', reasons: ['account_not_found'], username: 'harbour.books' });
  t.is((await row(id)).alert_reason, 'account_not_found');
});

test('fields that the platform refuses are left out', async (t) => {
  const { platform, channel, check, health } = await stage(t);
  const { id, publicId } = await channel();
  platform.messaging.control({ faults: [{ code: 100, at: 'number', times: 1 }] });
  t.is(await check(publicId), 'checked');
  t.like(await health(id), { quality: 'high', tier: null, status: 'healthy' });
});

test('a credential that no key opens fails alone', async (t) => {
  const { db, channel, checkDue, health } = await stage(t);
  const broken = await channel('photoapp');
  const other = await channel('pageapp');
  const { credential_id: id } = await db('channels').where({ id: broken.id }).first();
  await db('connection_credentials').where({ id }).update({ token_encrypted: 'nothing' });
  t.like(await checkDue(), { checkedCount: 2, failedCount: 1 });
  t.like(await health(broken.id), { failure: 'credential_unreadable', status: 'unknown' });
  t.like(await health(other.id), { status: 'healthy' });
});

test('a check subscribes a Page to all fields that are read', async (t) => {
  const { platform, channel, check, health, calls } = await stage(t);
  const { id, publicId } = await channel('pageapp');
  await check(publicId);
  t.deepEqual(platform.subscriptions.get('me'), [...pageFields]);
  t.like(await health(id), { status: 'healthy', missingFields: [], subscribedFields: [...pageFields].sort() });

  platform.subscriptions.set('me', ['messages', 'an_own_field']);
  await check(publicId);
  t.deepEqual(platform.subscriptions.get('me')?.toSorted(), ['an_own_field', ...pageFields].sort());
  const count = calls.length;
  await check(publicId);
  t.is(calls.slice(count).filter(({ method }) => method === 'POST').length, 0, 'a complete subscription is left alone');
});

test('a field that the platform refuses costs only itself', async (t) => {
  const { platform, channel, check, health, calls } = await stage(t);
  const { id, publicId } = await channel('photoapp');
  platform.consent({ refusedFields: ['mention', 'standby'] });
  await check(publicId);
  const others = pageFields.filter((field) => field !== 'mention' && field !== 'standby');
  t.deepEqual(platform.subscriptions.get('me')?.toSorted(), others.toSorted());
  t.like(await health(id), { status: 'warning', reasons: ['events_missing'], missingFields: ['standby', 'mention'] });
  const count = calls.length;
  await check(publicId);
  t.is(calls.slice(count).filter(({ method }) => method === 'POST').length, 0, 'it is not asked for again at once');
  t.like(await health(id), { reasons: ['events_missing'], missingFields: ['standby', 'mention'] });
});

test('the business account of a number is subscribed again', async (t) => {
  const { platform, channel, check, health } = await stage(t);
  const { id, publicId } = await channel();
  await check(publicId);
  t.true(platform.subscriptions.has('400000000000001'));
  t.like(await health(id), { status: 'healthy', missingFields: [], subscribedFields: [] });
  platform.consent({ fault: { at: 'subscribe', status: 400 } });
  await check(publicId);
  t.like(await health(id), { status: 'healthy', subscribedFields: null }, 'what is not shown is not known');
});
