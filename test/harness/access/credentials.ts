import type { Knex } from 'knex';
import { routes } from '../../../openapi/route-table.ts';
import {
  type GuardedAccess,
  neededScopes,
  type RouteDefinition,
} from '../../../openapi/definitions/route-definition.ts';
import { type PortalRight, portalRights } from '../../../contract/identity/portal.ts';
import { type Scope, scopes } from '../../../contract/identity/scopes.ts';
import type { User } from '../../../db/people/users.ts';
import type { Caller } from './access-expectation.ts';
import type { SampledTenant } from './id-samples.ts';
import { aPortal } from './portals.ts';
import { aSession } from '../people/sessions.ts';
import { aStaffKey } from '../people/staff.ts';
import { aKey, aMember } from '../tenants.ts';

export type GuardedRoute = RouteDefinition & { readonly access: GuardedAccess };

export type Headers = Readonly<Record<string, string>>;

export interface Credential {
  readonly name: string;
  readonly headersFor: (route: GuardedRoute) => Headers;
  readonly as: 'AUTH_REQUIRED' | 'CREDENTIAL_NOT_ACCEPTED_HERE' | ((route: GuardedRoute) => Caller);
}

export async function everyCredential(db: Knex, mine: SampledTenant, theirs: SampledTenant): Promise<Credential[]> {
  // Invalid credentials come first: creating them ends all existing sessions.
  const invalid = await invalidCredentials(db, mine);
  return [...invalid, ...(await keys(db, mine)), ...(await sessions(db, mine, theirs)), await staffKey(db)];
}

const bearer = (token: string): Headers => ({ authorization: `Bearer ${token}` });
const nobody = { organizationRole: null, workspaceRole: null } as const;
const admin = { organizationRole: 'admin', workspaceRole: null } as const;
const developer = { organizationRole: 'member', workspaceRole: 'developer' } as const;
const member = { organizationRole: 'member', workspaceRole: 'member' } as const;

const pastLife = { created_at: new Date(Date.now() - 7_200_000), expires_at: new Date(Date.now() - 1000) };

async function anEndedPortal(db: Knex, tenant: SampledTenant, ended: object): Promise<string> {
  const { publicId, accessToken } = await aPortal(db, tenant);
  await db('portal_links').where({ public_id: publicId }).update(ended);
  return accessToken;
}

async function invalidCredentials(db: Knex, mine: SampledTenant): Promise<Credential[]> {
  const { organization, user } = mine;
  const expired = await aKey(db, { organization, user });
  const revoked = await aKey(db, { organization, user });
  const [last, ...before] = await db('api_keys').orderBy('id', 'desc').limit(2);
  await db('api_keys')
    .where({ id: before[0].id })
    .update({ expires_at: new Date(Date.now() - 1000) });
  await db('api_keys').where({ id: last.id }).update({ revoked_at: new Date() });
  const ended = await aSession(db, user);
  await db('sessions').update({ revoked_at: new Date() });
  const late = await aSession(db, user);
  await db('sessions')
    .whereNull('revoked_at')
    .update({ expires_at: new Date(Date.now() - 1000) });
  const refused = (name: string, headers: Headers): Credential => ({
    name,
    headersFor: () => headers,
    as: 'AUTH_REQUIRED',
  });
  return [
    refused('no credential', {}),
    refused('a malformed header', { authorization: 'hmok_' }),
    refused('another scheme', { authorization: 'Basic dXNlcjpwYXNzd29yZA==' }),
    refused('an unknown key', bearer(`hmok_${'x'.repeat(43)}`)),
    refused('an expired key', bearer(expired)),
    refused('a revoked key', bearer(revoked)),
    refused('a malformed JWT', bearer('eyJhbGciOiJub25lIn0.eyJzdWIiOiJ1c3JfMDAwMDAwMDAifQ.')),
    refused('an ended session', ended.headers),
    refused('the access token of an ended session', bearer(ended.accessToken)),
    refused('an expired session', late.headers),
    refused('the access token of an expired session', bearer(late.accessToken)),
    refused('a revoked portal link', bearer(await anEndedPortal(db, mine, { revoked_at: new Date() }))),
    refused('an expired portal link', bearer(await anEndedPortal(db, mine, pastLife))),
    refused('an unknown session', {
      cookie: `__Host-service_session=${'x'.repeat(43)}`,
      'sec-fetch-site': 'same-origin',
    }),
    { name: 'a channel token', headersFor: () => bearer('hmat_x'), as: 'CREDENTIAL_NOT_ACCEPTED_HERE' },
  ];
}

async function keys(db: Knex, tenant: SampledTenant): Promise<Credential[]> {
  const { organization, user, member: plain, developer: revealing, apiKey } = tenant;
  const exactly = (who: User) =>
    keysByScopes(scopesOfRoutes(), (needed) => aKey(db, { organization, user: who, scopes: needed }));
  const without = await keysByScopes(
    scopes.map((scope) => [scope]),
    ([lacking]) => aKey(db, { organization, user, scopes: scopes.filter((scope) => scope !== lacking) }),
  );
  const agent = (name: string, tokens: Awaited<ReturnType<typeof exactly>>, roles: Roles): Credential => ({
    name,
    headersFor: ({ access }) => bearer(tokens(neededOrAny(access))),
    as: ({ access }) => ({ kind: 'agent', scopes: neededOrAny(access), ...roles }),
  });
  const lacking = (name: string, which: (access: GuardedAccess) => Scope | null | undefined): Credential => ({
    name,
    headersFor: ({ access }) => bearer(without([which(access) ?? access.scope ?? 'channel.read'])),
    as: () => ({ kind: 'agent', scopes: [], ...admin }),
  });
  return [
    { name: 'a full key', headersFor: () => bearer(apiKey), as: () => ({ kind: 'api_key', scopes: null, ...admin }) },
    agent("an agent's key with exactly the scopes", await exactly(user), admin),
    lacking("an agent's key with every other scope", ({ scope }) => scope),
    lacking("an agent's key without the second scope", ({ alsoScope }) => alsoScope),
    agent("an agent's key of a developer", await exactly(revealing), developer),
    agent("an agent's key of a plain member", await exactly(plain), member),
    await limitedKey(db, tenant),
    await portalCredential(db, tenant),
    await portalCredential(db, tenant, ['channels.read']),
    await portalCredential(db, tenant, ['channels.read', 'deliveries.read', 'subscriptions.read', 'replays.read']),
  ];
}

/** @param rights Optional. Default: all. */
export async function portalCredential(
  db: Knex,
  tenant: SampledTenant,
  rights: readonly PortalRight[] = portalRights,
): Promise<Credential> {
  const headers = bearer((await aPortal(db, tenant, { rights })).accessToken);
  const roles = { organizationRole: 'member', workspaceRole: 'admin', isLimited: true } as const;
  const as = (): Caller => ({ kind: 'portal', scopes: null, rights, ...roles });
  return { name: `a portal with ${rights.length} rights`, headersFor: () => headers, as };
}

export async function limitedKey(db: Knex, { organization, user, workspace }: SampledTenant): Promise<Credential> {
  const headers = bearer(await aKey(db, { organization, user, workspaceIds: [workspace.id] }));
  const rights = { organizationRole: 'member', workspaceRole: 'admin', isLimited: true } as const;
  const as = (): Caller => ({ kind: 'api_key', scopes: null, ...rights });
  return { name: 'a key of one workspace', headersFor: () => headers, as };
}

type Roles = Pick<Caller, 'organizationRole' | 'workspaceRole'>;

function neededOrAny(access: GuardedAccess): readonly Scope[] {
  const needed = neededScopes(access);
  return needed.length > 0 ? needed : ['channel.read'];
}

function scopesOfRoutes(): (readonly Scope[])[] {
  const guarded = routes.flatMap(({ access }) => (access.auth === 'credential' ? [neededOrAny(access)] : []));
  return [...new Map(guarded.map((needed) => [needed.join(), needed])).values()];
}

async function staffKey(db: Knex): Promise<Credential> {
  const { token } = await aStaffKey(db);
  const as = (): Caller => ({ kind: 'staff', scopes: null, ...nobody });
  return { name: 'a key of staff', headersFor: () => bearer(token), as };
}

async function keysByScopes(
  combinations: readonly (readonly Scope[])[],
  make: (scopes: readonly Scope[]) => Promise<string>,
): Promise<(scopes: readonly Scope[]) => string> {
  const made = new Map<string, string>();
  for (const combination of combinations) made.set(combination.join(), await make(combination));
  return (wanted) => made.get(wanted.join()) ?? '';
}

async function sessions(db: Knex, mine: SampledTenant, theirs: SampledTenant): Promise<Credential[]> {
  const outsider = await aMember(db, theirs.organization, 'admin');
  await db('organization_members').where({ user_id: outsider.id }).delete();
  const people: readonly (readonly [string, User, Roles])[] = [
    ['an organization admin', mine.user, admin],
    ['a workspace member', mine.member, member],
    ['a workspace developer', mine.developer, developer],
    ['a member of no workspace', mine.bystander, { ...member, workspaceRole: null }],
    ['an outsider', outsider, nobody],
  ];
  const made: Credential[] = [];
  for (const [name, user, roles] of people) {
    const { headers, accessToken } = await aSession(db, user);
    const as = (): Caller => ({ kind: 'user', scopes: null, ...roles });
    made.push({ name: `the cookie of ${name}`, headersFor: () => headers, as });
    made.push({ name: `the access token of ${name}`, headersFor: () => bearer(accessToken), as });
  }
  return made;
}
