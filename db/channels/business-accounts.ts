import type { HotPool } from '../core/hot-pool.ts';

/** A connected number of a business account. */
export interface AccountChannel {
  readonly id: number;
  readonly publicId: string;
  readonly organizationId: number;
  readonly workspacePublicId: string;
  readonly businessAccountId: string;
  readonly resourceId: string;
}

/** Far more numbers than the platform allows in one account. */
const MAX_CHANNELS = 5_000;

/**
 * The account is stored only if the channel's credential was granted for it: the platform listed it when the number was
 * connected, or a health check found it.
 */
export async function channelsOfBusinessAccounts(
  pool: HotPool,
  businessAccountIds: readonly string[],
): Promise<AccountChannel[]> {
  const values = [businessAccountIds, MAX_CHANNELS];
  const { rows } = await pool.query<AccountChannel>({
    name: 'channels-of-business-accounts',
    text: channelsSql,
    values,
  });
  return rows;
}

const channelsSql = `
  select c.id, c.public_id as "publicId", w.organization_id as "organizationId", w.public_id as "workspacePublicId",
    h.business_account_id as "businessAccountId", c.resource_id as "resourceId"
  from channel_health h
  join channels c on c.id = h.channel_id and c.type = 'chatapp' and c.disconnected_at is null
  join workspaces w on w.id = c.workspace_id
  where h.business_account_id = any ($1::text[]) order by c.id limit $2`;

/** Makes their checks due, so that a check that does not start now is made by the schedule. */
export async function requestHealthChecks(pool: HotPool, channelIds: readonly number[]): Promise<void> {
  await pool.query({
    name: 'request-health-checks',
    text: `update channel_health set next_check_at = now() where channel_id in (
      select channel_id from channel_health where channel_id = any ($1::bigint[]) order by channel_id for no key update)`,
    values: [channelIds],
  });
}
