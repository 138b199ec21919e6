import type { Knex } from 'knex';
import type { HealthFailure, HealthReading, HealthReason } from '../../contract/channels/health.ts';
import { alertReasonOf, statusOfReasons } from '../../contract/channels/judge-health.ts';
import { type Bindings, queryRows } from '../core/query-rows.ts';
import { sealedContexts } from '../core/sealed-columns.ts';
import { acceptCredential } from './refused-credentials.ts';
import type { SecretBox } from '../core/secret-box.ts';
import type { ChannelModel } from '../models/channel.ts';
import type { Columns } from '../core/model.ts';

export interface CheckedChannel extends Columns<
  ChannelModel,
  'id' | 'publicId' | 'workspaceId' | 'type' | 'resourceId' | 'credentialId'
> {
  /** As stored, so that what was read of it is not recorded for another one. */
  readonly sealedToken: string;
  /** Throws if no key opens the stored token. */
  readonly openToken: () => string;
  readonly businessAccountId: string | null;
  readonly failedCount: number;
  /** Why the last check had no result. Null if it had one. */
  readonly failure: HealthFailure | null;
}

/** A check that a killed worker has claimed is repeated after this time. Longer than an activity for one page. */
const CLAIM_MS = 15 * 60_000;
/** After this many checks without an answer, the last result counts no longer. */
const MAX_FAILED_CHECKS = 3;

export interface HealthRequest {
  readonly channelId: number;
  /** Optional. Of a number, if the platform has just reported it. Default: the known one. */
  readonly businessAccountId?: string | null | undefined;
}

/** Makes a check due now, for example because the channel was connected again. */
export async function requestHealthCheck(
  trx: Knex,
  { channelId, businessAccountId = null }: HealthRequest,
): Promise<void> {
  await queryRows(
    trx,
    `insert into channel_health as h (channel_id, business_account_id) values (:channelId, :businessAccountId)
     on conflict (channel_id) do update
       set next_check_at = now(), business_account_id = coalesce(excluded.business_account_id, h.business_account_id)`,
    { channelId, businessAccountId },
  );
}

/** A disconnected channel has no checks until it is connected again. */
export async function postponeDisconnected(db: Knex): Promise<void> {
  await queryRows(
    db,
    `update channel_health h set next_check_at = 'infinity', alert_reason = null from channels c
     where c.id = h.channel_id and c.disconnected_at is not null and h.next_check_at <= now()`,
  );
}

/** Claims the channels whose checks are most overdue. */
export async function claimDueHealth(db: Knex, secretBox: SecretBox, limit: number): Promise<CheckedChannel[]> {
  const claimed = await queryRows<{ id: number }>(
    db,
    `with due as (
       select h.channel_id from channel_health h
       join channels c on c.id = h.channel_id and c.disconnected_at is null
       where h.next_check_at <= now() order by h.next_check_at limit :limit for no key update of h skip locked
     )
     update channel_health h set next_check_at = now() + :claimMs * interval '1 millisecond' from due
     where h.channel_id = due.channel_id returning h.channel_id as id`,
    { limit, claimMs: CLAIM_MS },
  );
  return await openChannels(db, secretBox, {
    where: 'c.id = any(cast(:ids as bigint[]))',
    ids: claimed.map(({ id }) => id),
  });
}

/** Returns undefined if the channel is disconnected. */
export async function findCheckedChannel(
  db: Knex,
  secretBox: SecretBox,
  publicId: string,
): Promise<CheckedChannel | undefined> {
  const [channel] = await openChannels(db, secretBox, { where: 'c.public_id = :publicId', publicId });
  if (channel) {
    const { id } = channel;
    await queryRows(db, 'insert into channel_health (channel_id) values (:id) on conflict do nothing', { id });
  }
  return channel;
}

interface SealedChannel extends Omit<CheckedChannel, 'openToken'> {
  readonly credentialPublicId: string;
}

async function openChannels(
  db: Knex,
  secretBox: SecretBox,
  { where, ...bindings }: { readonly where: string } & Bindings,
): Promise<CheckedChannel[]> {
  const channels = await queryRows<SealedChannel>(
    db,
    `select c.id, c.public_id as "publicId", c.workspace_id as "workspaceId", c.type, c.resource_id as "resourceId",
       k.id as "credentialId", k.public_id as "credentialPublicId", k.token_encrypted as "sealedToken",
       h.business_account_id as "businessAccountId", coalesce(h.failed_count, 0) as "failedCount", h.failure
     from channels c join connection_credentials k on k.id = c.credential_id
     left join channel_health h on h.channel_id = c.id
     where ${where} and c.disconnected_at is null order by c.id`,
    bindings,
  );
  return channels.map(({ credentialPublicId, ...channel }) => ({
    ...channel,
    openToken: () => secretBox.open(channel.sealedToken, sealedContexts.credentialToken(credentialPublicId)),
  }));
}

export type CheckResult =
  | { readonly outcome: 'read'; readonly reading: HealthReading; readonly reasons: readonly HealthReason[] }
  /** The platform does not show the account. The last reading is kept. */
  | { readonly outcome: 'not_found' }
  | { readonly outcome: 'failed'; readonly failure: HealthFailure };

export interface EndedCheck {
  readonly channel: Pick<CheckedChannel, 'id' | 'credentialId' | 'sealedToken'>;
  readonly startedAt: Date;
  readonly nextCheckMs: number;
  readonly result: CheckResult;
}

/** Returns false if the channel got another credential meanwhile, or if a later check has ended. */
export async function storeHealth(db: Knex, { channel, startedAt, nextCheckMs, result }: EndedCheck): Promise<boolean> {
  const { assignments, ...values } = changeOf(result);
  const stored = await queryRows(
    db,
    `update channel_health h set ${assignments}, next_check_at = now() + :nextCheckMs * interval '1 millisecond'
     where h.channel_id = :id and (h.checked_at is null or h.checked_at <= :startedAt)
       and exists (select from channels c
         where c.id = h.channel_id and c.credential_id = :credentialId and c.disconnected_at is null)
     returning 1`,
    { id: channel.id, credentialId: channel.credentialId, startedAt, nextCheckMs, ...values },
  );
  if (stored.length === 0) return false;
  if (result.outcome === 'read') await acceptCredential(db, channel);
  const endsAt = result.outcome === 'read' ? result.reading.credentialExpiresAt : null;
  if (endsAt !== null) await storeCredentialEnd(db, channel, endsAt);
  return true;
}

/**
 * The platform may have kept the end to itself when it gave the token. The credential's own end opens the alert and makes
 * it due for a refresh. A statement of its own, so that its locks have no order.
 */
async function storeCredentialEnd(
  db: Knex,
  { credentialId, sealedToken }: EndedCheck['channel'],
  endsAt: Date,
): Promise<void> {
  await queryRows(
    db,
    `update connection_credentials k set expires_at = :endsAt
     where k.id = :credentialId and k.token_encrypted = :sealedToken
       and (k.expires_at is null or abs(extract(epoch from (k.expires_at - :endsAt))) > :toleranceSeconds)`,
    { credentialId, sealedToken, endsAt, toleranceSeconds: END_TOLERANCE_SECONDS },
  );
}

/** A new token's end is computed from its life, so it may differ by the time of the call. */
const END_TOLERANCE_SECONDS = 60;

/** Shows the end of a credential that was refreshed, without waiting for the checks, which are due now. */
export async function showRefreshedEnd(
  trx: Knex,
  { credentialPublicId, expiresAt }: { readonly credentialPublicId: string; readonly expiresAt: Date | null },
): Promise<void> {
  await queryRows(
    trx,
    `update channel_health h set credential_expires_at = :expiresAt, next_check_at = least(h.next_check_at, now()),
       reasons = array_remove(h.reasons, 'credential_ending'),
       status = case when h.reasons = '{credential_ending}' then 'healthy' else h.status end
     where h.channel_id in (
       select locked.channel_id from channel_health locked join channels c on c.id = locked.channel_id
       join connection_credentials k on k.id = c.credential_id
       where k.public_id = :credentialPublicId and c.disconnected_at is null
       order by locked.channel_id for no key update of locked)`,
    { credentialPublicId, expiresAt },
  );
}

function changeOf(result: CheckResult): { readonly assignments: string } & Bindings {
  switch (result.outcome) {
    case 'read':
      return { assignments: `${answeredSql}, ${readingSql}`, ...judged(result.reasons), ...readingOf(result.reading) };
    case 'not_found':
      return { assignments: answeredSql, ...judged(['account_not_found']) };
    case 'failed':
      return { assignments: failedSql, failure: result.failure, lastKept: MAX_FAILED_CHECKS - 1 };
  }
}

function judged(reasons: readonly HealthReason[]) {
  return { status: statusOfReasons(reasons), reasons, alertReason: alertReasonOf(reasons) };
}

function readingOf({ permissions, subscription, ...reading }: HealthReading) {
  return {
    ...reading,
    granted: permissions?.granted ?? null,
    missing: permissions?.missing ?? null,
    ...fieldsOf(subscription),
  };
}

const answeredSql = `status = :status, reasons = cast(:reasons as text[]), alert_reason = :alertReason,
  checked_at = now(), failed_count = 0, failure = null, failed_at = null`;

function fieldsOf(subscription: HealthReading['subscription']) {
  return { subscribedFields: subscription?.fields ?? null, missingFields: subscription?.missing ?? null };
}

const readingSql = `quality = :quality, tier = :tier, throughput = :throughput, account_status = :accountStatus,
  name_status = :nameStatus, name = :name, username = :username, picture_url = :pictureUrl,
  business_account_id = coalesce(:businessAccountId, h.business_account_id),
  permissions_granted = cast(:granted as text[]), permissions_missing = cast(:missing as text[]),
  subscribed_fields = cast(:subscribedFields as text[]), missing_fields = cast(:missingFields as text[]),
  credential_expires_at = :credentialExpiresAt`;

const failedSql = `failed_count = h.failed_count + 1, failure = :failure, failed_at = now(),
  status = case when h.checked_at is null or h.failed_count >= :lastKept then 'unknown' else h.status end,
  reasons = case when h.checked_at is null or h.failed_count >= :lastKept then '{check_failed}' else h.reasons end`;

/** Makes the checks of a page that ended early due again. */
export async function releaseHealth(
  db: Knex,
  { channelIds, afterMs }: { readonly channelIds: readonly number[]; readonly afterMs: number },
): Promise<void> {
  await queryRows(
    db,
    `update channel_health set next_check_at = now() + :afterMs * interval '1 millisecond'
     where channel_id = any(cast(:channelIds as bigint[]))`,
    { channelIds, afterMs },
  );
}
