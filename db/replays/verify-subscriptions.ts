import type { Knex } from 'knex';
import type { ReplayPlace } from './plan.ts';
import { receivesEventsSql } from '../ledger/destinations/kept-urls.ts';

/**
 * A verified webhook verifies the organization's subscriptions of the same origin until their URL changes. Requested
 * deliveries reach unverified ones slowly, so that they cannot be aimed at third parties.
 */
const originSql = (url: string) => `lower(substring(${url} from '^[A-Za-z]+://[^/\\x3f#]+'))`;

/**
 * Anything but a plain host name is `other` and shares one rate, so that spellings cannot multiply a host's rate.
 * Contains no question mark, which knex treats as a binding.
 */
export const hostSql = (url: string) =>
  `case when lower(${url}) ~ '^https{0,1}://([a-z0-9_-]+\\.)*[a-z][a-z0-9-]*\\.*(:[0-9]*){0,1}([/\\x3f#]|$)'
    then regexp_replace(lower(substring(${url} from '^[A-Za-z]+://([^/\\x3f#]+)')), '\\.*(:[0-9]*){0,1}$', '')
    else 'other' end`;

export const isUnverifiedSql = (destination: string) =>
  `(${destination}.type = 'subscription' and ${destination}.verified_url is distinct from ${destination}.url)`;

/** Also deletes rates unused for an hour. */
export async function verifySubscriptions(
  db: Knex,
  // Optional destination. Default: all.
  { organizationId, destinationId = null }: { readonly organizationId: number; readonly destinationId?: number | null },
): Promise<void> {
  await db.raw(verifySql, { organizationId, destinationId });
  await db.raw(`delete from replay_paces where paced_at < now() - interval '1 hour'`);
}

/** Locks in id order and skips locked rows, because other writers lock destinations. */
const verifySql = `
with verified as materialized (
  select d.id from destinations d
  join channels c on c.id = d.channel_id
  join workspaces w on w.id = c.workspace_id
  where w.organization_id = :organizationId and d.deleted_at is null and ${isUnverifiedSql('d')}
    and d.id = coalesce(cast(:destinationId as bigint), d.id)
    and ${originSql('d.url')} in (
      select ${originSql('hook.url')} from webhook_configs config
      join destinations hook on hook.id = config.destination_id
      join channels theirs on theirs.id = config.channel_id
      join workspaces place on place.id = theirs.workspace_id
      where place.organization_id = :organizationId and config.verified_at is not null and hook.deleted_at is null
    )
  order by d.id for no key update of d skip locked
)
update destinations set verified_url = url where id in (select id from verified)`;

export async function countUnverified(
  db: Knex,
  { place, destination }: { readonly place: ReplayPlace; readonly destination: string | null },
): Promise<number> {
  const { rows } = await db.raw<{ rows: { count: number }[] }>(
    `select count(*)::int as count from destinations d
     join channels c on c.id = d.channel_id
     join workspaces w on w.id = c.workspace_id
     where w.organization_id = :organizationId and ${receivesEventsSql('d')} and d.enabled
       and ${isUnverifiedSql('d')}
       and (cast(:workspaceId as bigint) is null or w.id = cast(:workspaceId as bigint))
       and (cast(:channelId as bigint) is null or c.id = cast(:channelId as bigint))
       and (cast(:destination as text) is null
         or exists (select from subscriptions s where s.destination_id = d.id and s.public_id = :destination))`,
    { ...place, destination },
  );
  return rows[0]?.count ?? 0;
}
