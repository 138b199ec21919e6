import type { Knex } from 'knex';
import type {
  AccountStatus,
  HealthFailure,
  HealthReason,
  HealthStatus,
  NameStatus,
  QualityRating,
} from '../../contract/channels/health.ts';
import type { PageAfter } from '../core/model.ts';
import { queryRows } from '../core/query-rows.ts';

export interface HealthRecord {
  readonly channelId: number;
  readonly channelPublicId: string;
  readonly connected: boolean;
  readonly status: HealthStatus;
  readonly reasons: readonly HealthReason[];
  readonly quality: QualityRating | null;
  readonly tier: string | null;
  readonly throughput: string | null;
  readonly accountStatus: AccountStatus | null;
  readonly nameStatus: NameStatus | null;
  readonly name: string | null;
  readonly username: string | null;
  readonly pictureUrl: string | null;
  readonly businessAccountId: string | null;
  readonly permissionsGranted: readonly string[] | null;
  readonly permissionsMissing: readonly string[] | null;
  readonly subscribedFields: readonly string[] | null;
  readonly missingFields: readonly string[] | null;
  readonly credentialExpiresAt: Date | null;
  readonly checkedAt: Date | null;
  readonly failure: HealthFailure | null;
  readonly failedAt: Date | null;
}

export async function findHealth(db: Knex, channelId: number): Promise<HealthRecord | undefined> {
  const [health] = await queryRows<HealthRecord>(db, `${healthSql} where c.id = :channelId`, { channelId });
  return health;
}

export interface HealthPageRequest extends PageAfter {
  readonly workspaceId: number;
  readonly status?: HealthStatus | undefined;
}

/** Newest channels first. Returns undefined if `after` does not exist. */
export async function listHealth(
  db: Knex,
  { workspaceId, status, after, limit }: HealthPageRequest,
): Promise<HealthRecord[] | undefined> {
  const [last] = await queryRows<{ id: number }>(
    db,
    'select id from channels where public_id = :after and workspace_id = :workspaceId',
    { after: after ?? null, workspaceId },
  );
  if (after !== undefined && !last) return undefined;
  return await queryRows<HealthRecord>(
    db,
    `${healthSql}
     where c.workspace_id = :workspaceId and (cast(:last as bigint) is null or c.id < cast(:last as bigint))
       and (cast(:status as text) is null or ${statusSql} = cast(:status as text))
     order by c.id desc limit :limit`,
    { workspaceId, last: last?.id ?? null, status: status ?? null, limit },
  );
}

/** A disconnected channel and one with a refused credential fail, even if the last check found no reason. */
const statusSql = `case when c.disconnected_at is not null or credential.refused_at is not null then 'failing'
  else coalesce(h.status, 'unknown') end`;

const healthSql = `
select c.id as "channelId", c.public_id as "channelPublicId", c.disconnected_at is null as connected,
  ${statusSql} as status,
  case when c.disconnected_at is not null then '{disconnected}' when credential.refused_at is not null then
    array_prepend('credential_refused', array_remove(h.reasons, 'check_failed')) else coalesce(h.reasons, '{}') end as reasons,
  h.quality, h.tier, h.throughput, h.account_status as "accountStatus", h.name_status as "nameStatus", h.name, h.username,
  h.picture_url as "pictureUrl", h.business_account_id as "businessAccountId",
  h.permissions_granted as "permissionsGranted", h.permissions_missing as "permissionsMissing",
  h.subscribed_fields as "subscribedFields", h.missing_fields as "missingFields",
  coalesce(h.credential_expires_at, credential.expires_at) as "credentialExpiresAt", h.checked_at as "checkedAt",
  h.failure, h.failed_at as "failedAt"
from channels c
join connection_credentials credential on credential.id = c.credential_id
left join channel_health h on h.channel_id = c.id`;
