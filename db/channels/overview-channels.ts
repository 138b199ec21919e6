import type { Knex } from 'knex';
import { queryRows } from '../core/query-rows.ts';
import { type OverviewView, workspacesSql } from '../deliveries/organization-statistics.ts';
import { receivesEventsSql } from '../ledger/destinations/kept-urls.ts';

export interface OverviewChannels {
  readonly connected: number;
  readonly withDestination: number;
  readonly hasTestEvent: boolean;
  readonly hasDelivery: boolean;
  readonly firstPublicId: string | null;
  readonly firstWorkspacePublicId: string | null;
}

/** More channels are not counted. */
const MAX_COUNTED = 1_000;

export async function countOverviewChannels(db: Knex, view: OverviewView): Promise<OverviewChannels> {
  const [counts] = await queryRows<OverviewChannels>(db, channelsSql, { ...view, maxCounted: MAX_COUNTED });
  return counts!;
}

const channelsSql = `
with seen as materialized (
  select c.id, c.public_id, w.public_id as place from channels c join workspaces w on w.id = c.workspace_id
  where c.workspace_id in (${workspacesSql}) and c.disconnected_at is null
  order by c.id desc limit :maxCounted
)
select (select count(*)::int from seen) as connected,
  (select count(*)::int from seen where exists (
    select from destinations d where d.channel_id = seen.id and ${receivesEventsSql('d')})
  ) as "withDestination",
  exists (select from seen join test_events t on t.channel_id = seen.id where t.outcome = 'accepted') as "hasTestEvent",
  exists (select from seen join destinations d on d.channel_id = seen.id where d.last_delivered_at is not null)
    as "hasDelivery",
  (select public_id from seen order by id desc limit 1) as "firstPublicId",
  (select place from seen order by id desc limit 1) as "firstWorkspacePublicId"`;
