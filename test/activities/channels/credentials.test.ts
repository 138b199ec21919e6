import test, { type ExecutionContext } from 'ava';
import { createCredentialActivities } from '../../../activities/channels/credential-activities.ts';
import { findRefresh } from '../../../db/channels/credentials.ts';
import { findHealth } from '../../../db/channels/health.ts';
import { findChannelAccount } from '../../../db/channels/account.ts';
import { findChannelRecord } from '../../../db/channels/records.ts';
import type { OutboundCall } from '../../../db/operations/outbound-calls.ts';
import { sealedContexts } from '../../../db/core/sealed-columns.ts';
import { createPlatformCredentials, type PlatformCredentials } from '../../../platform/oauth/credentials.ts';
import { createConsentTokens } from '../../../simulator/consent/tokens.ts';
import { startPlatform } from '../../../simulator/platform.ts';
import { inActivity } from '../../harness/temporal/activity.ts';
import { overdueRows } from '../../harness/database/overdue-rows.ts';
import { rememberingLog } from '../../harness/quiet-log.ts';
import { aChannel, testSecretBox } from '../../harness/tenants.ts';
import { tenantDatabase } from '../../harness/tenant-database.ts';

const appSecret = 'app secret';
const DAY_MS = 86_400_000;
const withinMs = 10 * DAY_MS;

async function stage(t: ExecutionContext, { secretOfApp = appSecret }: { readonly secretOfApp?: string } = {}) {
  const platform = await startPlatform({ port: 0, appSecret, webhookUrl: 'http://127.0.0.1:1/' });
  const platformCredentials = createPlatformCredentials({
    apiUrl: platform.url,
    version: 'v23.0',
    clientId: 'demo-app',
    appSecret: secretOfApp,
    timeoutMs: 120_000,
  });
  t.teardown(() => Promise.all([platformCredentials.close(), platform.stop()]));
  const { db, workspace } = await tenantDatabase(t);
  const channel = await aChannel(db, workspace);
  const { credential_id: id } = await db('channels').where({ id: channel.id }).first();
  const { public_id: credentialId } = await db('connection_credentials').where({ id }).first();
  const log = rememberingLog();
  const calls: OutboundCall[] = [];
  const activities = createCredentialActivities({
    db,
    secretBox: testSecretBox,
    platformCredentials,
    log,
    outbound: { record: (call: OutboundCall) => void calls.push(call) },
    credentialRefreshMs: withinMs,
  });
  const hold = async (token: string, expiresAtMs: number): Promise<void> => {
    const sealed = testSecretBox.seal(token, sealedContexts.credentialToken(credentialId));
    const expires_at = new Date(expiresAtMs);
    await db('connection_credentials').where({ id }).update({ token_encrypted: sealed, expires_at });
  };
  const issue = (expiresAtMs: number): string =>
    createConsentTokens(appSecret).issueToken({ type: 'chatapp', accountIds: [], kind: 'long', expiresAtMs });
  const exchange = () => inActivity(() => activities.exchangeCredential({ credentialId }));
  /** Exchanges with a platform that answers otherwise, and returns the outcome and the token that is held then. */
  const exchangedAs = async (exchange: PlatformCredentials['exchange']) => {
    const inspect = () => Promise.reject(new Error('unexpected call'));
    const others = { exchange, inspect, close: () => Promise.resolve() };
    const deps = { db, secretBox: testSecretBox, platformCredentials: others, credentialRefreshMs: withinMs, log };
    const { exchangeCredential } = createCredentialActivities(deps);
    const { outcome } = await inActivity(() => exchangeCredential({ credentialId }));
    return { outcome, token: (await findChannelAccount(db, testSecretBox, { id: channel.id }))?.token };
  };
  const held = { credentialId, id, hold, issue, exchange, exchangedAs };
  return { db, platform, channel, workspace, activities, log, calls, ...held };
}

test('a credential that expires soon is exchanged once', async (t) => {
  const { db, channel, id, hold, issue, exchange, log } = await stage(t);
  const old = issue(Date.now() + 3 * DAY_MS);
  await hold(old, Date.now() + 3 * DAY_MS);

  t.deepEqual(await exchange(), { outcome: 'refreshed' });

  const account = await findChannelAccount(db, testSecretBox, { id: channel.id });
  t.not(account!.token, old);
  const row = await db('connection_credentials').where({ id }).first();
  t.true(Math.abs(row.expires_at.getTime() - Date.now() - 60 * DAY_MS) < 600_000);
  t.truthy(row.refreshed_at);
  t.deepEqual(await exchange(), { outcome: 'not_due' }, 'a repeat has nothing to do');
  t.is((await findChannelAccount(db, testSecretBox, { id: channel.id }))!.token, account!.token);
  t.false(JSON.stringify(log.lines).includes(account!.token));
});

test('a refreshed credential shows its new end without a warning', async (t) => {
  const { db, channel, hold, issue, exchange } = await stage(t);
  const endsAtMs = Date.now() + DAY_MS;
  await hold(issue(endsAtMs), endsAtMs);
  await db('channel_health')
    .where({ channel_id: channel.id })
    .update({
      status: 'warning',
      reasons: ['credential_ending'],
      checked_at: new Date(),
      credential_expires_at: new Date(endsAtMs),
      next_check_at: new Date(Date.now() + DAY_MS),
    });
  t.deepEqual(await exchange(), { outcome: 'refreshed' });
  const health = await findHealth(db, channel.id);
  t.like(health, { status: 'healthy', reasons: [] });
  t.true((health?.credentialExpiresAt?.getTime() ?? 0) > endsAtMs + DAY_MS);
  const { next_check_at: next } = await db('channel_health').where({ channel_id: channel.id }).first();
  t.true(next.getTime() <= Date.now() + 60_000, 'a check is due');
});

test('a dead credential is refused once and its channels stay connected', async (t) => {
  const { db, channel, credentialId, activities, hold, issue, exchange } = await stage(t);
  await hold(issue(Date.now() - 1), Date.now() - 1);

  t.deepEqual(await exchange(), { outcome: 'dead', code: 190, subcode: null });
  const dead = { credentialId, code: 190, subcode: null };
  await inActivity(() => activities.disconnectChannels(dead));
  await inActivity(() => activities.disconnectChannels(dead));

  const record = await findChannelRecord(db, { publicId: channel.publicId });
  t.true(record!.connected);
  t.regex(record!.credentialRefusedReason ?? '', /code 190/);
  t.is((await db('audit_entries').where({ action: 'credential.refused' })).length, 1);
  t.deepEqual(await exchange(), { outcome: 'not_due' }, 'no refresh can help');
});

test('every call for a credential is recorded without its token', async (t) => {
  const { db, channel, workspace, credentialId, id, calls, hold, issue, exchange } = await stage(t);
  const old = issue(Date.now() + DAY_MS);
  await hold(old, Date.now() + DAY_MS);
  await exchange();
  const fresh = (await findChannelAccount(db, testSecretBox, { id: channel.id }))!.token;
  const sibling = await aChannel(db, workspace);
  await db('channels').where({ id: sibling.id }).update({ credential_id: id });
  const dead = issue(Date.now() - 1);
  await hold(dead, Date.now() - 1);
  await exchange();

  const ids = { via: 'workflow', caller: `credential/${credentialId}`, requestId: credentialId, method: 'GET' };
  const shared = { ...ids, workspaceId: workspace.id, channelId: null };
  t.like(calls, {
    0: { ...shared, channelId: channel.id, operation: 'exchangeCredential', path: 'oauth/access_token', status: 200 },
    1: { ...shared, operation: 'exchangeCredential', path: 'oauth/access_token', error: '190' },
    2: { ...shared, operation: 'inspectCredential', path: 'debug_token', status: 200, error: null },
    length: 3,
  });
  for (const secret of [old, fresh, dead, appSecret]) t.false(JSON.stringify(calls).includes(secret));
});

test('a platform error does not disconnect a channel', async (t) => {
  const { platform, hold, issue, exchange } = await stage(t);
  await hold(issue(Date.now() + DAY_MS), Date.now() + DAY_MS);
  platform.consent({ fault: { at: 'exchange', status: 500 } });
  t.deepEqual(await exchange(), { outcome: 'unavailable' });
  platform.consent({ fault: { at: 'exchange', status: 400 } });
  t.like(await exchange(), { outcome: 'refused', code: 100 });
  await platform.stop();
  t.deepEqual(await exchange(), { outcome: 'unavailable' });
});

test('a refusal of the app secret does not disconnect a channel', async (t) => {
  const { db, channel, hold, issue, exchange } = await stage(t, { secretOfApp: 'wrong' });
  await hold(issue(Date.now() + DAY_MS), Date.now() + DAY_MS);
  t.like(await exchange(), { outcome: 'refused', code: 1 });
  t.true((await findChannelRecord(db, { publicId: channel.publicId }))!.connected);
});

test('a token replaced during its exchange is kept', async (t) => {
  const { exchangedAs, hold, issue } = await stage(t);
  await hold(issue(Date.now() + DAY_MS), Date.now() + DAY_MS);
  const exchange = async () => {
    await hold('another', Date.now() + 2 * DAY_MS);
    return { token: 'too late', expiresAt: null };
  };
  t.deepEqual(await exchangedAs(exchange), { outcome: 'not_due', token: 'another' });
});

test('a token that expires no later is not stored', async (t) => {
  const { exchangedAs, hold } = await stage(t);
  const expiresAt = new Date(Date.now() + DAY_MS);
  await hold('the one so far', expiresAt.getTime());
  const exchange = () => Promise.resolve({ token: 'the same again', expiresAt });
  t.deepEqual(await exchangedAs(exchange), { outcome: 'unchanged', token: 'the one so far' });
});

test('a credential of a connected channel is due before it ends', async (t) => {
  const { db, channel, credentialId, hold, issue, workspace } = await stage(t);
  const due = () => overdueRows(db, 'refreshCredential', { credentialRefreshMs: withinMs });
  const workspaceId = () => findRefresh(db, { publicId: credentialId, withinMs });
  await hold(issue(Date.now() + 11 * DAY_MS), Date.now() + 11 * DAY_MS);
  t.deepEqual(await due(), [], 'not due yet');
  t.is(await workspaceId(), undefined);
  await hold(issue(Date.now() + 9 * DAY_MS), Date.now() + 9 * DAY_MS);
  t.deepEqual(await due(), [credentialId]);
  t.is(await workspaceId(), workspace.publicId);
  await db('channels').where({ id: channel.id }).update({ disconnected_at: new Date() });
  t.deepEqual(await due(), []);
  t.is(await workspaceId(), undefined);
});
