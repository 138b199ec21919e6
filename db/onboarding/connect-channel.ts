import type { Knex } from 'knex';
import { type AuditEntry, recordAudit } from '../audit/record-audit.ts';
import { findLiveChannel, insertChannel } from '../channels/channels.ts';
import { insertCredential } from '../channels/connection-credentials.ts';
import { requestHealthCheck } from '../channels/health-checks.ts';
import { linkAccounts } from '../channels/link-accounts.ts';
import { queryRows } from '../core/query-rows.ts';
import type { SecretBox } from '../core/secret-box.ts';
import { ChannelModel, ConnectionCredentialModel } from '../models/channel.ts';
import { OnboardingAttemptModel } from '../models/onboarding.ts';
import { WorkspaceModel } from '../models/workspace.ts';
import { enforceOrganizationLimit } from '../organizations/limits.ts';
import { insertWorkspace } from '../organizations/workspaces.ts';
import { moveAttempt } from './attempts.ts';
import { insertNotice } from './connection-notices.ts';
import type { OnboardingLink } from './link-record.ts';
import { countUse, lockLiveLink } from './links.ts';

export interface ConnectedAccount {
  readonly resourceId: string;
  readonly name: string;
  readonly token: string;
  readonly expiresAt: Date | null;
  /** A Page's photo account, or a photo account's Page. */
  readonly linkedResourceId: string | null;
}

export interface ConnectRequest {
  readonly linkId: number;
  readonly attemptId: number;
  readonly account: ConnectedAccount;
  readonly connectionType: string;
  readonly requestId: string;
  readonly clientAddress: string;
}

/**
 * `taken`: the account is connected to another live channel. `ended`: the attempt or its link is no longer valid.
 * `expired` and `used_up`: the link ended during the attempt.
 */
export type ConnectOutcome =
  | { readonly outcome: 'connected' | 'reconnected'; readonly channelPublicId: string }
  | { readonly outcome: 'taken' | 'ended' | 'expired' | 'used_up' };

/** The second try finds the channel that made the first one fail. */
const TRIES = 2;
const UNIQUE_VIOLATION = '23505';
const MAX_NAME_LENGTH = 200;

/** A link with a workspace reconnects channels of that workspace; any other link, channels that it connected. */
export async function connectChannel(db: Knex, secretBox: SecretBox, request: ConnectRequest): Promise<ConnectOutcome> {
  for (let tries = 1; ; tries++) {
    try {
      return await db.transaction((trx) => connectWithin(trx, secretBox, request));
    } catch (error) {
      // The admin command takes no lock on the account, so the unique index decides.
      const isRace = error instanceof Error && 'code' in error && error.code === UNIQUE_VIOLATION;
      if (!isRace || tries === TRIES) throw error;
    }
  }
}

async function connectWithin(trx: Knex, secretBox: SecretBox, request: ConnectRequest): Promise<ConnectOutcome> {
  const { linkId, attemptId, account } = request;
  // Exclusive, so that of two browsers one takes the last use.
  const link = await lockLiveLink(trx, linkId, { how: 'no key update' });
  if (!link || !(await lockWorkspace(trx, link.workspaceId))) return { outcome: 'ended' };
  if (link.isExpired || link.isUsedUp) {
    // A second click finds the attempt that took the last use.
    if (!(await moveAttempt(trx, attemptId, { from: 'granted', to: 'failed' }))) return { outcome: 'ended' };
    return { outcome: link.isExpired ? 'expired' : 'used_up' };
  }
  const { channelType: type } = link;
  // Serializes browsers with the same account: the second finds the channel of the first.
  const lock = { name: `channel/${type}/${account.resourceId}` };
  await queryRows(trx, 'select pg_advisory_xact_lock(hashtextextended(:name, 0))', lock);
  const own = await findOwnChannel(trx, link, account.resourceId);
  const live = await findLiveChannel(trx, { type, resourceId: account.resourceId });
  if (live && live.id !== own?.id) {
    if (!(await moveAttempt(trx, attemptId, { from: 'granted', to: 'failed' }))) return { outcome: 'ended' };
    await audit(trx, { link, request, action: 'onboarding.refused', reason: 'CHANNEL_ALREADY_CONNECTED' });
    return { outcome: 'taken' };
  }
  if (!(await moveAttempt(trx, attemptId, { from: 'granted', to: 'connected' }))) return { outcome: 'ended' };
  const connecting: Connecting = { trx, secretBox, link, request };
  const channel = own ? await reconnect(connecting, own) : await connectNew(connecting);
  await OnboardingAttemptModel.query(trx).findById(attemptId).patch({ channelId: channel.id });
  await recordUse(trx, link, { channelId: channel.id, isReconnected: own !== undefined });
  const { resourceId, linkedResourceId } = account;
  if (type !== 'chatapp') await linkAccounts(trx, { channel, type, resourceId, linkedResourceId });
  const outcome = own ? 'reconnected' : 'connected';
  const { workspaceId, publicId: targetId } = channel;
  await audit(trx, { link, request, action: `channel.${outcome}`, reason: link.publicId, workspaceId, targetId });
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
  const [old] = await queryRows<{ credentialId: number }>(
    trx,
    `update channels c set credential_id = :credentialId, connection_type = :connectionType, display_name = :name,
       disconnected_at = null, disconnected_reason = null, updated_at = now()
     from (select id, credential_id from channels where id = :id for update) old
     where c.id = old.id returning old.credential_id as "credentialId"`,
    { id: own.id, credentialId: credential.id, connectionType, name: account.name },
  );
  if (old) await deleteUnusedCredential(trx, old.credentialId);
  await requestHealthCheck(trx, own.id);
  return own;
}

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
  });
  return { ...channel, workspaceId };
}

async function newCustomer({ trx, link, request }: Connecting): Promise<number> {
  const name = request.account.name.slice(0, MAX_NAME_LENGTH);
  await enforceOrganizationLimit(trx, { organizationId: link.organizationId, limit: 'workspaces' });
  const workspace = await insertWorkspace(trx, { organizationId: link.organizationId, name, kind: 'customer' });
  const { id: workspaceId, publicId: targetId } = workspace;
  await audit(trx, { link, request, action: 'workspace.created', reason: link.publicId, workspaceId, targetId });
  return workspaceId;
}

function credentialOf(workspaceId: number, { token, expiresAt }: ConnectedAccount) {
  return { workspaceId, token, ...(expiresAt && { expiresAt }) };
}

type OnboardingAudit = Pick<AuditEntry, 'action' | 'reason' | 'targetId' | 'workspaceId'> & {
  readonly link: Pick<OnboardingLink, 'organizationId' | 'workspaceId' | 'publicId'>;
  readonly request: Pick<ConnectRequest, 'requestId' | 'clientAddress'>;
};

/** Customers have no user account, so onboarding itself is the actor. */
async function audit(trx: Knex, { link, request, ...entry }: OnboardingAudit): Promise<void> {
  await recordAudit(trx, {
    organizationId: link.organizationId,
    workspaceId: link.workspaceId,
    actor: { type: 'system', id: 'onboarding' },
    targetId: link.publicId,
    requestId: request.requestId,
    clientAddress: request.clientAddress,
    ...entry,
  });
}

export async function refuseAttempt(
  db: Knex,
  refusal: Pick<OnboardingAudit, 'link' | 'request'> & { readonly attemptId: number },
): Promise<boolean> {
  return await db.transaction(async (trx) => {
    if (!(await moveAttempt(trx, refusal.attemptId, { from: 'begun', to: 'refused' }))) return false;
    const { link, request } = refusal;
    await audit(trx, { link, request, action: 'onboarding.refused', reason: 'access_denied' });
    return true;
  });
}
