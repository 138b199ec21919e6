import type { Knex } from 'knex';
import { queryRows } from '../core/query-rows.ts';

const MAX_REMEMBERED = 10_000;

/** Looks organizations up by public ids. Remembers them, because a workspace never changes its organization. */
export function createOrganizationOf(db: Knex): (workspaceId: string) => Promise<string | undefined> {
  const remembered = new Map<string, string>();
  return async (workspaceId) => {
    const known = remembered.get(workspaceId);
    if (known !== undefined) return known;
    const [row] = await queryRows<{ organizationId: string }>(
      db,
      `select o.public_id as "organizationId" from workspaces w join organizations o on o.id = w.organization_id
       where w.public_id = :workspaceId`,
      { workspaceId },
    );
    if (!row) return undefined;
    remembered.set(workspaceId, row.organizationId);
    if (remembered.size > MAX_REMEMBERED) remembered.delete(remembered.keys().next().value!);
    return row.organizationId;
  };
}
