import type { Knex } from 'knex';
import { type AuditEntry, recordAudit } from '../audit/record-audit.ts';
import { findLiveChannel, insertChannel } from '../channels/channels.ts';
import { insertCredential } from '../channels/connection-credentials.ts';
import { requireRoom } from '../organizations/limits.ts';
import { moveAttempt } from './attempts.ts';
import { lockLiveLink, type OnboardingLink } from './links.ts';
import type { SecretBox } from '../core/secret-box.ts';
import { insertWorkspace } from '../organizations/workspaces.ts';
import { linkAccounts } from '../channels/link-accounts.ts';

export interface ConnectedAccount {
  readonly resourceId: string;
  readonly name: string;
  readonly token: string;
  readonly expiresAt: Date | null;
  /** Of a Page its photo account, of a photo account its Page. */
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
 * `taken`: the account is a live channel somewhere else. `ended`: the attempt was used up, its time is over, or its
 * link is no longer valid.
 */
export type ConnectOutcome =
  | { readonly outcome: 'connected' | 'reconnected'; readonly channelPublicId: string }
  | { readonly outcome: 'taken' | 'ended' };

/** A second try meets the channel that made the first one fail. */
const TRIES = 2;
const UNIQUE_VIOLATION = '23505';
const MAX_NAME_LENGTH = 200;

/**
 * Makes the granted account a channel, or connects the channel that it was before again: one transaction from the
 * attempt to the audit entry. A link with a workspace finds its channel there; one without finds those that came
 * through it. Whatever else holds the account keeps it.
 */
export async function connectChannel(db: Knex, secretBox: SecretBox, request: ConnectRequest): Promise<ConnectOutcome> {
  for (let tries = 1; ; tries++) {
    try {
      return await db.transaction((trx) => connectWithin(trx, secretBox, request));
    } catch (error) {
      // Whoever connects by a command takes no lock on the account; the index has the last word.
      const isRace = error instanceof Error && 'code' in error && error.code === UNIQUE_VIOLATION;
      if (!isRace || tries === TRIES) throw error;
    }
  }
}

async function connectWithin(trx: Knex, secretBox: SecretBox, request: ConnectRequest): Promise<ConnectOutcome> {
  const { linkId, attemptId, account } = request;
  const link = await lockLiveLink(trx, linkId);
  if (!link || !(await lockWorkspace(trx, link.workspaceId))) return { outcome: 'ended' };
  const { channelType: type } = link;
  // Two browsers with the same account queue here, and the second sees what the first has made.
  await trx.raw('select pg_advisory_xact_lock(hashtextextended(?, 0))', [`channel/${type}/${account.resourceId}`]);
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
  await trx('onboarding_attempts').where({ id: attemptId }).update({ channel_id: channel.id });
  const { resourceId, linkedResourceId } = account;
  if (type !== 'chatapp') await linkAccounts(trx, { channel, type, resourceId, linkedResourceId });
  const outcome = own ? 'reconnected' : 'connected';
  const { workspaceId, publicId: targetId } = channel;
  await audit(trx, { link, request, action: `channel.${outcome}`, reason: link.publicId, workspaceId, targetId });
  return { outcome, channelPublicId: channel.publicId };
}

/** False when the workspace is deleted; else it can't be until the transaction ends. */
async function lockWorkspace(trx: Knex, id: number | null): Promise<boolean> {
  if (id === null) return true;
  const sql = 'select 1 from workspaces where id = ? and deleted_at is null for share';
  return (await trx.raw<{ rows: unknown[] }>(sql, [id])).rows.length === 1;
}

interface OwnChannel {
  readonly id: number;
  readonly publicId: string;
  readonly workspaceId: number;
}

/** The channel that a new consent of the account renews: the live one first, else the latest. */
async function findOwnChannel(trx: Knex, link: OnboardingLink, resourceId: string): Promise<OwnChannel | undefined> {
  const { rows } = await trx.raw<{ rows: { id: number; public_id: string; workspace_id: number }[] }>(
    `select c.id, c.public_id, c.workspace_id from channels c
     join workspaces w on w.id = c.workspace_id and w.deleted_at is null
     where c.type = :type and c.resource_id = :resourceId and w.organization_id = :organizationId
       and case when cast(:workspaceId as bigint) is not null then c.workspace_id = cast(:workspaceId as bigint)
         else exists (select 1 from onboarding_attempts a
           where a.channel_id = c.id and a.onboarding_link_id = :linkId and a.status = 'connected') end
     order by (c.disconnected_at is null) desc, c.id desc limit 1 for share of w`,
    {
      type: link.channelType,
      resourceId,
      organizationId: link.organizationId,
      workspaceId: link.workspaceId,
      linkId: link.id,
    },
  );
  const [row] = rows;
  return row && { id: row.id, publicId: row.public_id, workspaceId: row.workspace_id };
}

interface Connecting {
  readonly trx: Knex;
  readonly secretBox: SecretBox;
  readonly link: OnboardingLink;
  readonly request: ConnectRequest;
}

/** Puts a fresh credential behind a channel and forgets the old one; webhook, secret and subscriptions stay. */
async function reconnect({ trx, secretBox, request }: Connecting, own: OwnChannel): Promise<OwnChannel> {
  const { account, connectionType } = request;
  const credential = await insertCredential(trx, secretBox, credentialOf(own.workspaceId, account));
  const { rows } = await trx.raw<{ rows: { old_credential_id: number }[] }>(
    `update channels c set credential_id = ?, connection_type = ?, display_name = ?, disconnected_at = null, disconnected_reason = null,
       updated_at = now()
     from (select id, credential_id from channels where id = ? for update) old
     where c.id = old.id returning old.credential_id as old_credential_id`,
    [credential.id, connectionType, account.name, own.id],
  );
  await trx.raw(
    'delete from connection_credentials d where d.id = ? and not exists (select 1 from channels c where c.credential_id = d.id)',
    [rows[0]?.old_credential_id ?? null],
  );
  return own;
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

/** A customer workspace named after the account. */
async function newCustomer({ trx, link, request }: Connecting): Promise<number> {
  const name = request.account.name.slice(0, MAX_NAME_LENGTH);
  await requireRoom(trx, { organizationId: link.organizationId, limit: 'workspaces' });
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

/** The customer has no account here: what they do is the link's doing. */
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

/** Ends an attempt that the customer, or the platform, has refused; false when it had ended before. */
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
