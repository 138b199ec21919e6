import type { Knex } from 'knex';
import { findLiveChannel, insertChannel } from '../channels/channels.ts';
import { insertCredential } from '../channels/credentials.ts';
import { requestHealthCheck } from '../channels/health-checks.ts';
import { linkAccounts } from '../channels/link-accounts.ts';
import { markRegistered, markUnregistered } from '../channels/registration.ts';
import { ledgerTransaction } from '../core/ledger-transaction.ts';
import { queryRows } from '../core/query-rows.ts';
import type { SecretBox } from '../core/secret-box.ts';
import { endVoidBeforeUse } from '../ledger/end-void-deliveries.ts';
import { ChannelModel, ConnectionCredentialModel } from '../models/channel.ts';
import { OnboardingAttemptModel } from '../models/onboarding.ts';
import { WorkspaceModel } from '../models/workspace.ts';
import { enforceOrganizationLimit, LimitReached } from '../organizations/limits.ts';
import { insertWorkspace } from '../organizations/workspaces.ts';
import { moveAttempt } from './attempts.ts';
import { insertNotice } from '../notifications/notifications.ts';
import type { OnboardingLink } from './link-record.ts';
import { countUse, lockLiveLink } from './links.ts';
import { auditOnboarding, refuseAtEnd, refuseAtLimit, type Refusal } from './refuse-attempt.ts';

export interface ConnectedAccount {
  readonly resourceId: string;
  readonly name: string;
  readonly token: string;
  readonly expiresAt: Date | null;
  /** A Page's photo account, or a photo account's Page. */
  readonly linkedResourceId: string | null;
  /** Of a number; null for other accounts. */
  readonly businessAccountId: string | null;
  /** False for a number that receives nothing until it is registered. */
  readonly isRegistered: boolean;
}

export interface ConnectRequest {
  readonly linkId: number;
  readonly attemptId: number;
  readonly account: ConnectedAccount;
  readonly connectionType: string;
  readonly requestId: string;
  readonly clientAddress: string;
}

export type ConnectOutcome =
  { readonly outcome: 'connected' | 'reconnected'; readonly channelPublicId: string } | Refusal;

/** The second try finds the channel that made the first one fail. */
const TRIES = 2;
const UNIQUE_VIOLATION = '23505';
const MAX_NAME_LENGTH = 200;

/** A link with a workspace reconnects channels of that workspace; any other link, channels that it connected. */
export async function connectChannel(db: Knex, secretBox: SecretBox, request: ConnectRequest): Promise<ConnectOutcome> {
  for (let tries = 1; ; tries++) {
    try {
      return await ledgerTransaction(db, async (trx) => await connectWithin(trx, secretBox, request));
    } catch (error) {
      if (error instanceof LimitReached) return await refuseAtLimit(db, request);
      // The admin command takes no lock on the account, so the unique index decides.
      const isRace = error instanceof Error && 'code' in error && error.code === UNIQUE_VIOLATION;
      if (!isRace || tries === TRIES) throw error;
    }
  }
}

/**
 * Refuses an attempt that would fail now, so that nothing changes at the platform in vain. Returns undefined if
 * `connectChannel` is expected to succeed; it decides under its own locks.
 */
export async function refuseEarly(db: Knex, request: ConnectRequest): Promise<Refusal | undefined> {
  const { linkId, attemptId, account } = request;
  try {
    return await db.transaction(async (trx) => {
      const link = await lockLiveLink(trx, linkId);
      if (!link) return { outcome: 'ended' };
      const refusal = await refuseAtEnd(trx, { link, attemptId });
      if (refusal) return refusal;
      const isNew = link.workspaceId === null && !(await findOwnChannel(trx, link, account.resourceId));
      if (isNew) await enforceOrganizationLimit(trx, { organizationId: link.organizationId, limit: 'workspaces' });
      return undefined;
    });
  } catch (error) {
    if (error instanceof LimitReached) return await refuseAtLimit(db, request);
    throw error;
  }
}

async function connectWithin(trx: Knex, secretBox: SecretBox, request: ConnectRequest): Promise<ConnectOutcome> {
  const { linkId, attemptId, account } = request;
  // Exclusive, so that of two browsers one takes the last use.
  const link = await lockLiveLink(trx, linkId, { how: 'no key update' });
  if (!link || !(await lockWorkspace(trx, link.workspaceId))) return { outcome: 'ended' };
  const refusal = await refuseAtEnd(trx, { link, attemptId });
  if (refusal) return refusal;
  const { channelType: type } = link;
  // Serializes browsers with the same account: the second finds the channel of the first.
  const lock = { name: `channel/${type}/${account.resourceId}` };
  await queryRows(trx, 'select pg_advisory_xact_lock(hashtextextended(:name, 0))', lock);
  const own = await findOwnChannel(trx, link, account.resourceId);
  const live = await findLiveChannel(trx, { type, resourceId: account.resourceId });
  if (live && live.id !== own?.id) {
    if (!(await moveAttempt(trx, attemptId, { from: 'granted', to: 'failed' }))) return { outcome: 'ended' };
    await auditOnboarding(trx, { link, request, action: 'onboarding.refused', reason: 'CHANNEL_ALREADY_CONNECTED' });
    return { outcome: 'taken' };
  }
  if (!(await moveAttempt(trx, attemptId, { from: 'granted', to: 'connected' }))) return { outcome: 'ended' };
  const connecting: Connecting = { trx, secretBox, link, request };
  const channel = own ? await reconnect(connecting, own) : await connectNew(connecting);
  await (account.isRegistered ? markRegistered : markUnregistered)(trx, channel.id);
  await OnboardingAttemptModel.query(trx).findById(attemptId).patch({ channelId: channel.id });
  await recordUse(trx, link, { channelId: channel.id, isReconnected: own !== undefined });
  const { resourceId, linkedResourceId } = account;
  if (type !== 'chatapp') await linkAccounts(trx, { channel, type, resourceId, linkedResourceId });
  const outcome = own ? 'reconnected' : 'connected';
  const { workspaceId, publicId: targetId } = channel;
  await auditOnboarding(trx, {
    link,
    request,
    action: `channel.${outcome}`,
    reason: link.publicId,
    workspaceId,
    targetId,
  });
  return { outcome, channelPublicId: channel.publicId };
}

async function recordUse(
  trx: Knex,
  { id: linkId, notificationUrl }: OnboardingLink,
  { channelId, isReconnected }: { readonly channelId: number; readonly isReconnected: boolean },
): Promise<void> {
  await countUse(trx, linkId);
  await ChannelModel.query(trx).findById(channelId).patch({ onboardingLinkId: linkId });
  if (notificationUrl !== null) await insertNotice(trx, { linkId, channelId, isReconnected });
}

async function lockWorkspace(trx: Knex, id: number | null): Promise<boolean> {
  if (id === null) return true;
  const workspace = await WorkspaceModel.query(trx).select('id').findById(id).whereNull('deleted_at').forShare();
  return workspace !== undefined;
}

interface OwnChannel {
  readonly id: number;
  readonly publicId: string;
  readonly workspaceId: number;
}

async function findOwnChannel(trx: Knex, link: OnboardingLink, resourceId: string): Promise<OwnChannel | undefined> {
  const { channelType: type, organizationId, workspaceId, id: linkId } = link;
  const [channel] = await queryRows<OwnChannel>(
    trx,
    `select c.id, c.public_id as "publicId", c.workspace_id as "workspaceId" from channels c
     join workspaces w on w.id = c.workspace_id and w.deleted_at is null
     where c.type = :type and c.resource_id = :resourceId and w.organization_id = :organizationId
       and case when cast(:workspaceId as bigint) is not null then c.workspace_id = cast(:workspaceId as bigint)
         else exists (select 1 from onboarding_attempts a
           where a.channel_id = c.id and a.onboarding_link_id = :linkId and a.status = 'connected') end
     order by (c.disconnected_at is null) desc, c.id desc limit 1 for share of w`,
    { type, resourceId, organizationId, workspaceId, linkId },
  );
  return channel;
}

interface Connecting {
  readonly trx: Knex;
  readonly secretBox: SecretBox;
  readonly link: OnboardingLink;
  readonly request: ConnectRequest;
}

async function reconnect({ trx, secretBox, request }: Connecting, own: OwnChannel): Promise<OwnChannel> {
  const { account, connectionType } = request;
  const credential = await insertCredential(trx, secretBox, credentialOf(own.workspaceId, account));
  await endVoidBeforeUse(trx, { channelId: own.id });
  const [old] = await queryRows<{ credentialId: number }>(
    trx,
    `update channels c set credential_id = :credentialId, connection_type = :connectionType, display_name = :name,
       disconnected_at = null, disconnected_reason = null, updated_at = now(), kept_since = ${keptSinceSql}
     from (select id, type, resource_id, credential_id, disconnected_at, kept_since from channels where id = :id for update) old
     where c.id = old.id returning old.credential_id as "credentialId"`,
    { id: own.id, credentialId: credential.id, connectionType, name: account.name },
  );
  if (old) await deleteUnusedCredential(trx, old.credentialId);
  await requestHealthCheck(trx, { channelId: own.id, businessAccountId: account.businessAccountId });
  return own;
}

/**
 * What arrived since the channel was disconnected is sent on, unless it arrived for another workspace: because the account
 * was connected elsewhere meanwhile, or before the channel moved.
 */
const keptSinceSql = `case
  when old.disconnected_at is null then old.kept_since
  when exists (select from channels o where o.type = old.type and o.resource_id = old.resource_id and o.id <> old.id
    and o.disconnected_at > old.disconnected_at) then null
  else greatest(coalesce(old.kept_since, old.disconnected_at),
    (select max(m.created_at) from channel_moves m where m.channel_id = old.id)) end`;

async function deleteUnusedCredential(trx: Knex, id: number): Promise<void> {
  await ConnectionCredentialModel.query(trx)
    .deleteById(id)
    .whereNotExists(ChannelModel.query().where({ credential_id: id }));
}

async function connectNew(connecting: Connecting): Promise<OwnChannel> {
  const { trx, secretBox, link, request } = connecting;
  const { account, connectionType } = request;
  const workspaceId = link.workspaceId ?? (await newCustomer(connecting));
  const credential = await insertCredential(trx, secretBox, credentialOf(workspaceId, account));
  const channel = await insertChannel(trx, secretBox, {
    workspaceId,
    credentialId: credential.id,
    type: link.channelType,
    resourceId: account.resourceId,
    displayName: account.name,
    connectionType,
    businessAccountId: account.businessAccountId,
  });
  return { ...channel, workspaceId };
}

async function newCustomer({ trx, link, request }: Connecting): Promise<number> {
  const name = Array.from(request.account.name).slice(0, MAX_NAME_LENGTH).join('').toWellFormed();
  await enforceOrganizationLimit(trx, { organizationId: link.organizationId, limit: 'workspaces' });
  const workspace = await insertWorkspace(trx, { organizationId: link.organizationId, name, kind: 'customer' });
  const { id: workspaceId, publicId: targetId } = workspace;
  await auditOnboarding(trx, {
    link,
    request,
    action: 'workspace.created',
    reason: link.publicId,
    workspaceId,
    targetId,
  });
  return workspaceId;
}

function credentialOf(workspaceId: number, { token, expiresAt }: ConnectedAccount) {
  return { workspaceId, token, ...(expiresAt && { expiresAt }) };
}
