import type { Knex } from 'knex';
import type { Scope, Standing } from '../../contract/identity/scopes.ts';
import { insertApiKey } from '../organizations/api-keys.ts';
import { withFreshId } from '../core/fresh-id.ts';
import { requirePersonRoom, requireRoom } from '../organizations/limits.ts';
import type { SecretBox } from '../core/secret-box.ts';
import { isDeveloperSql, type OrganizationRole } from './users.ts';

export interface NewAgentCredential {
  readonly organizationId: number;
  readonly userId: number;
  readonly scopes: readonly Scope[];
}

/** Makes an API key with scopes that is known by an id of its own; runs in the transaction of the code's completion. */
export async function insertAgentCredential(
  trx: Knex.Transaction,
  keys: { readonly secretBox: SecretBox; readonly tokenSalt: Uint8Array },
  credential: NewAgentCredential,
): Promise<{ credentialId: string; token: string }> {
  await requirePersonRoom(trx, { userId: credential.userId, limit: 'agentCredentials' });
  await requireRoom(trx, { organizationId: credential.organizationId, limit: 'agentCredentials' });
  const key = await insertApiKey(trx, keys, { ...credential, name: 'Agent, by e-mail code' });
  const credentialId = await withFreshId('agentCredential', async (publicId) => {
    const { rows } = await trx.raw<{ rows: { public_id: string }[] }>(
      `insert into agent_credentials (public_id, api_key_id) select ?, id from api_keys where public_id = ?
       on conflict (public_id) do nothing returning public_id`,
      [publicId, key.publicId],
    );
    return rows[0]?.public_id;
  });
  return { credentialId, token: key.token };
}

/**
 * Whose credentials somebody may see and end: a person their own in every organization and all of those that they
 * administer; a key those of its organization, all of them or its person's only.
 */
export type CredentialViewer =
  | { readonly kind: 'person'; readonly userId: number }
  | { readonly kind: 'key'; readonly organizationId: number; readonly userId: number | null };

export interface AgentCredential {
  readonly publicId: string;
  readonly organizationId: number;
  readonly organizationPublicId: string;
  readonly email: string;
  readonly scopes: readonly Scope[];
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
  readonly expiresAt: Date | null;
}

interface CredentialRow {
  public_id: string;
  organization_id: number;
  organization_public_id: string;
  email: string;
  scopes: Scope[] | null;
  created_at: Date;
  last_used_at: Date | null;
  expires_at: Date | null;
}

export interface CredentialPage {
  readonly viewer: CredentialViewer;
  /** Public id of the last one on the page before. */
  readonly after?: string | undefined;
  readonly limit: number;
}

/** The valid credentials that the viewer may see, newest first; undefined when `after` names none that they may. */
export async function listAgentCredentials(
  db: Knex,
  { viewer, after, limit }: CredentialPage,
): Promise<AgentCredential[] | undefined> {
  const query = visibleTo(db, viewer).where(valid).orderBy('a.id', 'desc').limit(limit);
  if (after !== undefined) {
    const last = await visibleTo(db, viewer).where('a.public_id', after).first('a.id');
    if (!last) return undefined;
    query.where('a.id', '<', last.id);
  }
  return (await query.select<CredentialRow[]>(columns)).map(fromRow);
}

/** Ends a credential; undefined where the viewer may see none of this id that is valid. */
export async function revokeAgentCredential(
  trx: Knex.Transaction,
  { viewer, publicId }: { viewer: CredentialViewer; publicId: string },
): Promise<{ organizationId: number } | undefined> {
  const ids = visibleTo(trx, viewer).where('a.public_id', publicId).where(valid).select('k.id');
  const [revoked] = await trx<{ id: number; organization_id: number; revoked_at: Date | null }>('api_keys')
    .whereIn('id', ids)
    .whereNull('revoked_at')
    .update({ revoked_at: trx.fn.now() }, ['organization_id']);
  return revoked && { organizationId: revoked.organization_id };
}

/** Returns a credential that the viewer may see, also if it has ended. */
export async function findCredential(
  db: Knex,
  { viewer, publicId }: { viewer: CredentialViewer; publicId: string },
): Promise<{ apiKeyId: number; organizationId: number } | undefined> {
  return await visibleTo(db, viewer)
    .where('a.public_id', publicId)
    .first<{ apiKeyId: number; organizationId: number } | undefined>({
      apiKeyId: 'k.id',
      organizationId: 'k.organization_id',
    });
}

export interface RolesPage {
  readonly userId: number;
  /** Null: all that they belong to. */
  readonly organizationId: number | null;
  /** Public id of the last organization of the page before. */
  readonly after: string | undefined;
  readonly limit: number;
}

/**
 * What the person is in the organizations that they belong to, newest first, or in one of them: it bounds what agents
 * are given. Undefined where there is no organization to go on after.
 */
export async function listRoles(
  db: Knex,
  { userId, organizationId, after, limit }: RolesPage,
): Promise<({ organizationPublicId: string } & Standing)[] | undefined> {
  const last = after === undefined ? undefined : await db('organizations').where({ public_id: after }).first('id');
  if (after !== undefined && !last) return undefined;
  const { rows } = await db.raw<{ rows: { public_id: string; role: OrganizationRole; is_developer: boolean }[] }>(
    `select o.public_id, m.role, ${isDeveloperSql} as is_developer from organization_members m join organizations o on o.id = m.organization_id
     where m.user_id = :userId and (:organizationId::bigint is null or o.id = :organizationId)
       and (:before::bigint is null or o.id < :before)
     order by o.id desc limit :limit`,
    { userId, organizationId, before: last?.id ?? null, limit },
  );
  return rows.map((row) => ({ organizationPublicId: row.public_id, role: row.role, isDeveloper: row.is_developer }));
}

const columns = [
  'a.public_id',
  'k.organization_id',
  'o.public_id as organization_public_id',
  'u.email',
  'k.scopes',
  'a.created_at',
  'k.last_used_at',
  'k.expires_at',
];

function visibleTo(db: Knex, viewer: CredentialViewer) {
  const query = db('agent_credentials as a')
    .join('api_keys as k', 'k.id', 'a.api_key_id')
    .join('organizations as o', 'o.id', 'k.organization_id')
    .join('users as u', 'u.id', 'k.user_id');
  if (viewer.kind === 'key') {
    query.where('k.organization_id', viewer.organizationId);
    return viewer.userId === null ? query : query.where('k.user_id', viewer.userId);
  }
  const administered = db('organization_members').where({ user_id: viewer.userId, role: 'admin' });
  return query.where((either) =>
    either.where('k.user_id', viewer.userId).orWhereIn('k.organization_id', administered.select('organization_id')),
  );
}

function valid(query: Knex.QueryBuilder): void {
  query.whereNull('k.revoked_at').whereRaw('(k.expires_at is null or k.expires_at > now())');
}

function fromRow(row: CredentialRow): AgentCredential {
  return {
    publicId: row.public_id,
    organizationId: row.organization_id,
    organizationPublicId: row.organization_public_id,
    email: row.email,
    scopes: row.scopes ?? [],
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
    expiresAt: row.expires_at,
  };
}
