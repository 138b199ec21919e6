import { portalRights, scopesOfRights } from '../../contract/identity/portal.ts';

/** Pairs of a right and a scope that it needs. Constants of the contract, so that they need no escaping. */
const neededSql = portalRights
  .flatMap((right) => scopesOfRights([right]).map((scope) => `('${right}', '${scope}')`))
  .join(', ');

/** An agent's key has the role of its person; other keys belong to the organization. */
const isByPersonSql = '(k.id is null or (k.scopes is not null and not k.owned_by_organization))';

const isAdminSql = `exists (select from organization_members m
    where m.organization_id = p.organization_id and m.user_id = p.created_by and (m.role = 'admin'
      or exists (select from workspace_members wm where wm.workspace_id = p.workspace_id
        and wm.user_id = p.created_by and wm.role = 'admin')))`;

/**
 * Whether the creator of the link `p` could still create it, except for an end of the key `k`. Read with the link, so that
 * no change of a key or a role has to find its links.
 */
export const creatorGrantsSql = `((k.id is null or (k.revoked_at is null
    and (k.workspace_ids is null or p.workspace_id = any (k.workspace_ids))
    and (k.scopes is null or not exists (select from (values ${neededSql}) as needed (right_name, scope)
      where needed.right_name = any (p.rights) and needed.scope <> all (k.scopes)))))
    and (not ${isByPersonSql} or ${isAdminSql}))`;
