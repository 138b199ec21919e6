import { portalRights, scopesOfRights } from '../../contract/identity/portal.ts';
import { timingSafeEqual } from 'node:crypto';
import type { Knex } from 'knex';
import { raw } from 'objection';
import { type Columns, insertWithFreshId } from '../core/model.ts';
import { newOpaqueToken, opaqueTokenHash } from '../core/opaque-tokens.ts';
import { queryRows } from '../core/query-rows.ts';
import { PortalLinkModel } from '../models/portal.ts';

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
const creatorGrantsSql = `((k.id is null or (k.revoked_at is null
    and (k.workspace_ids is null or p.workspace_id = any (k.workspace_ids))
    and (k.scopes is null or not exists (select from (values ${neededSql}) as needed (right_name, scope)
      where needed.right_name = any (p.rights) and needed.scope <> all (k.scopes)))))
    and (not ${isByPersonSql} or ${isAdminSql}))`;

export interface NewPortalLink extends Columns<
  PortalLinkModel,
  'organizationId' | 'workspaceId' | 'channelIds' | 'name' | 'rights' | 'createdBy' | 'apiKeyId'
> {
  readonly lifetimeSeconds: number;
}

/** A link that has not ended. */
export interface LivePortalLink extends Columns<
  PortalLinkModel,
  'id' | 'publicId' | 'name' | 'organizationId' | 'workspaceId' | 'rights' | 'createdBy' | 'expiresAt'
> {
  readonly organizationPublicId: string;
  readonly organizationName: string;
  readonly workspacePublicId: string;
  readonly workspaceName: string;
  /** Null for all channels of the workspace. */
  readonly channelPublicIds: readonly string[] | null;
}

const secretHash = (salt: Uint8Array, secret: string): Buffer => opaqueTokenHash(salt, 'portal-link', secret);

/** Returns the secret, which is stored nowhere. */
export async function insertPortalLink(
  trx: Knex,
  tokenSalt: Uint8Array,
  { lifetimeSeconds, ...link }: NewPortalLink,
): Promise<{ readonly publicId: string; readonly secret: string }> {
  const secret = newOpaqueToken();
  const expiresAt = raw('now() + make_interval(secs => ?)', [lifetimeSeconds]);
  const { publicId } = await insertWithFreshId(trx, PortalLinkModel, {
    kind: 'portalLink',
    values: { ...link, secretHash: secretHash(tokenSalt, secret), expiresAt },
  });
  return { publicId, secret };
}

/** Null only for a link that is not limited to channels. */
const channelsSql = `case when p.channel_ids is null then null else coalesce((select jsonb_agg(c.public_id order by c.id)
    from channels c where c.id = any (p.channel_ids)), '[]') end`;

/** SQL, because it runs on every request of a portal. */
const liveSql = `
select p.id, p.public_id as "publicId", p.name, p.organization_id as "organizationId",
  o.public_id as "organizationPublicId", o.name as "organizationName", p.workspace_id as "workspaceId",
  w.public_id as "workspacePublicId", w.name as "workspaceName", ${channelsSql} as "channelPublicIds",
  to_jsonb(p.rights) as rights, p.created_by as "createdBy", p.expires_at as "expiresAt", p.secret_hash as "secretHash"
from portal_links p
join organizations o on o.id = p.organization_id
join workspaces w on w.id = p.workspace_id and w.deleted_at is null
left join api_keys k on k.id = p.api_key_id
where p.public_id = :publicId and p.revoked_at is null and p.expires_at > now()
  and ${creatorGrantsSql} and (k.expires_at is null or k.expires_at > now())`;

type FoundLink = LivePortalLink & { readonly secretHash: Buffer };

export async function findLivePortalLink(db: Knex, publicId: string): Promise<LivePortalLink | undefined> {
  const [found] = await queryRows<FoundLink>(db, liveSql, { publicId });
  return found && withoutHash(found);
}

export async function findPortalLinkBySecret(
  db: Knex,
  { tokenSalt, publicId, secret }: { tokenSalt: Uint8Array; publicId: string; secret: string },
): Promise<LivePortalLink | undefined> {
  const [found] = await queryRows<FoundLink>(db, liveSql, { publicId });
  return found && timingSafeEqual(found.secretHash, secretHash(tokenSalt, secret)) ? withoutHash(found) : undefined;
}

function withoutHash({ secretHash: _hash, ...link }: FoundLink): LivePortalLink {
  return link;
}

/** Returns whether the link was not used in the last hour, so that reloads do not fill the audit log. */
export async function countPortalUse(trx: Knex, id: number): Promise<boolean> {
  const [before] = await queryRows<{ isFirst: boolean }>(
    trx,
    `update portal_links p set use_count = p.use_count + 1, last_used_at = now()
     from (select id, coalesce(last_used_at < now() - interval '1 hour', true) as "isFirst"
       from portal_links where id = :id for update) old
     where p.id = old.id returning old."isFirst"`,
    { id },
  );
  return before?.isFirst ?? false;
}

export interface PortalLinkRecord extends Columns<
  PortalLinkModel,
  'id' | 'publicId' | 'name' | 'rights' | 'useCount' | 'lastUsedAt' | 'createdAt' | 'expiresAt'
> {
  /** Null for all channels of the workspace. */
  readonly channelPublicIds: readonly string[] | null;
  readonly status: 'active' | 'expired' | 'revoked';
}

export interface PortalLinkPage {
  readonly workspaceId: number;
  readonly before?: number | undefined;
  readonly limit: number;
}

const recordSql = `
select p.id, p.public_id as "publicId", p.name, to_jsonb(p.rights) as rights, p.use_count as "useCount",
  ${channelsSql} as "channelPublicIds",
  case when p.revoked_at is not null or not ${creatorGrantsSql} then 'revoked'
    when p.expires_at <= now() or k.expires_at <= now() then 'expired' else 'active' end as status,
  p.last_used_at as "lastUsedAt", p.created_at as "createdAt", p.expires_at as "expiresAt"
from portal_links p
left join api_keys k on k.id = p.api_key_id
where p.workspace_id = :workspaceId`;

export async function listPortalLinks(
  db: Knex,
  { workspaceId, before, limit }: PortalLinkPage,
): Promise<PortalLinkRecord[]> {
  return await queryRows<PortalLinkRecord>(
    db,
    `${recordSql} and (cast(:before as bigint) is null or p.id < cast(:before as bigint))
     order by p.id desc limit :limit`,
    { workspaceId, before: before ?? null, limit },
  );
}

interface PortalLinkKey {
  readonly workspaceId: number;
  readonly publicId: string;
}

export async function findPortalLink(
  db: Knex,
  { workspaceId, publicId }: PortalLinkKey,
): Promise<PortalLinkRecord | undefined> {
  const sql = `${recordSql} and p.public_id = :publicId`;
  const [link] = await queryRows<PortalLinkRecord>(db, sql, { workspaceId, publicId });
  return link;
}

/** Takes effect immediately, because every request of a session reads its link. Returns false if it had ended. */
export async function revokePortalLink(trx: Knex, { workspaceId, publicId }: PortalLinkKey): Promise<boolean> {
  const count = await PortalLinkModel.query(trx)
    .where({ workspace_id: workspaceId, public_id: publicId })
    .whereNull('revoked_at')
    .where('expires_at', '>', raw('now()'))
    .patch({ revokedAt: raw('now()') });
  return count === 1;
}
