import { CONTAINER_LIFE_MS } from '../../contract/containers/status.ts';
import type { HotPool } from '../core/hot-pool.ts';

/** The containers that a channel has created. All gateway processes share these records. */
export interface GatewayContainers {
  record(containers: ContainerOwner & { readonly platformIds: readonly string[] }): Promise<void>;
  /** Includes containers created through the management API. */
  isOwn(container: ContainerOwner & { readonly platformId: string }): Promise<boolean>;
}

export interface ContainerOwner {
  readonly channelId: number;
  readonly accountId: string;
}

export function createGatewayContainers(pool: HotPool): GatewayContainers {
  return {
    async record({ channelId, accountId, platformIds }) {
      const values = [channelId, accountId, platformIds, CONTAINER_LIFE_MS, REMOVED_PER_INSERT];
      await pool.query({ name: 'record-gateway-containers', text: recordSql, values });
    },
    async isOwn({ channelId, accountId, platformId }) {
      const values = [channelId, accountId, platformId];
      const { rows } = await pool.query<{ found: boolean }>({ name: 'find-own-container', text: isOwnSql, values });
      return rows[0]?.found === true;
    },
  };
}

/** Exceeds what one insert adds, so that the table shrinks. */
const REMOVED_PER_INSERT = 100;

const recordSql = `
with expired as (
  select channel_id, account_id, platform_id from gateway_containers
  where expires_at < clock_timestamp() order by expires_at limit $5::int for update skip locked
),
removed as (
  delete from gateway_containers g using expired e
  where g.channel_id = e.channel_id and g.account_id = e.account_id and g.platform_id = e.platform_id
)
insert into gateway_containers (channel_id, account_id, platform_id, expires_at)
select $1::bigint, $2::text, platform_id, clock_timestamp() + $4::double precision * interval '1 millisecond'
from unnest($3::text[]) platform_id
on conflict (channel_id, account_id, platform_id) do nothing`;

const isOwnSql = `
select exists (
  select from gateway_containers
  where channel_id = $1 and account_id = $2 and platform_id = $3 and expires_at > clock_timestamp()
) or exists (
  select from container_parts p
  join media_containers m on m.id = p.container_id
  join channels c on c.id = m.channel_id
  where p.platform_id = $3 and m.channel_id = $1 and c.resource_id = $2
) as found`;
