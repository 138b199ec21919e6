import type { Knex } from 'knex';
import { BoundedMap } from '../../process/bounded-map.ts';
import { queryRows } from '../core/query-rows.ts';

const MAX_REMEMBERED = 10_000;

/**
 * Looks organizations up by public ids of what belongs to them: workspaces, invitations, connection notices, calls of
 * alert webhooks, rollouts, and erasures. Remembers those of workspaces, which never change their organization.
 */
export function createOrganizationOf(db: Knex): (id: string) => Promise<string | undefined> {
  const remembered = new BoundedMap<string, string>(MAX_REMEMBERED);
  return async (id) => {
    const known = remembered.get(id);
    if (known !== undefined) return known;
    const [row] = await queryRows<{ organizationId: string }>(db, findSql, { id });
    if (!row) return undefined;
    if (id.startsWith('ws_')) remembered.set(id, row.organizationId);
    return row.organizationId;
  };
}

const findSql = `
select o.public_id as "organizationId" from organizations o where o.id in (
  select organization_id from workspaces where public_id = :id
  union all select organization_id from invitations where public_id = :id
  union all select organization_id from erasures where public_id = :id
  union all select organization_id from webhook_rollouts where public_id = :id
  union all
  select coalesce(h.organization_id, w.organization_id) from notifications n
  left join alert_webhooks h on h.id = n.alert_webhook_id
  left join channels c on c.id = n.channel_id left join workspaces w on w.id = c.workspace_id
  where n.public_id = :id)`;
