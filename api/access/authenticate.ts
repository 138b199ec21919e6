import type { Scope } from '../../contract/identity/scopes.ts';
import { isAllowed, parseCidrs } from '../../contract/addresses/classify-address.ts';
import { resourceMetadataUrl } from '../../contract/identity/resource-metadata.ts';
import { recordRefusedAddress } from '../../db/audit/record-refused-address.ts';
import { opaqueTokenHash } from '../../db/core/opaque-tokens.ts';
import { findKeyHolder } from '../../db/people/key-holder.ts';
import { findStaffKeyHolder } from '../../db/staff/keys.ts';
import { findLiveSession, type LiveSession } from '../../db/people/sessions.ts';
import type { ApiDeps } from '../requests/deps.ts';
import {
  AddressNotAllowed,
  AuthRequired,
  CredentialNotAcceptedHere,
  ScopeInsufficient,
  Forbidden,
} from '../requests/errors.ts';
import { shareOwner } from '../requests/api-shares.ts';
import { setOwner } from '../requests/request-tenant.ts';
import type { ApiContext, Principal } from '../requests/state.ts';
import { principalOfPortal } from './portal-tokens.ts';
import type { Caller } from '../requests/rate-limits.ts';
import { readSessionCookie } from './session-cookie.ts';
import { readAccessToken } from './session-tokens.ts';

const BEARER = /^Bearer +(\S+) *$/i;
const noCredential =
  'A valid credential is required: an API key (Authorization: Bearer hmok_…) or a session. ' +
  'This one is missing, unknown, revoked or expired.';
const wrongToken = 'A channel token (hmat_…) is valid at the gateway only. Use an API key (hmok_…) here.';

const challenge = (baseUrl: string) => ({
  headers: { 'www-authenticate': `Bearer resource_metadata="${resourceMetadataUrl(baseUrl)}"` },
});

export function authRequired({ baseUrl }: { baseUrl: string }): AuthRequired {
  return new AuthRequired(noCredential, challenge(baseUrl));
}

/** An Authorization header takes precedence over a cookie, even if it is invalid. */
export async function authenticate(ctx: ApiContext, deps: ApiDeps): Promise<Principal> {
  const caller: Caller = { clientAddress: ctx.ip, setHeader: (name, value) => ctx.set(name, value) };
  const header = ctx.get('authorization');
  const token = BEARER.exec(header)?.[1];
  const principal = header === '' ? await byCookie(ctx, deps) : token && (await byBearer(ctx, deps, token));
  if (!principal) {
    await deps.rateLimits?.countFailure(caller);
    if (token?.startsWith('hmat_')) throw new CredentialNotAcceptedHere(wrongToken, challenge(deps.baseUrl));
    throw authRequired(deps);
  }
  await deps.rateLimits?.countCredential(caller, principal.credentialId);
  if (header === '') refuseForeignPages(ctx, deps);
  setOwner(ctx, shareOwner({ principal }));
  return principal;
}

async function byBearer(ctx: ApiContext, deps: ApiDeps, token: string): Promise<Principal | undefined> {
  if (token.startsWith('hmok_')) return await principalOfKey(ctx, deps, token);
  const claims = await readAccessToken(deps, token);
  if (!claims) return await principalOfPortal(ctx, deps, token);
  const session = await findLiveSession(deps.db, claims.tokenHash);
  return session && session.userPublicId === claims.userPublicId ? bySession(ctx, session) : undefined;
}

async function byCookie(ctx: ApiContext, deps: ApiDeps): Promise<Principal | undefined> {
  const { db, tokenSalt } = deps;
  const token = readSessionCookie(ctx, deps);
  const session = token && (await findLiveSession(db, opaqueTokenHash(tokenSalt, 'session', token)));
  return session ? bySession(ctx, session) : undefined;
}

export async function principalOfKey(ctx: ApiContext, deps: ApiDeps, token: string): Promise<Principal | undefined> {
  const holder = await findKeyHolder(deps.db, { tokenSalt: deps.tokenSalt, token });
  if (!holder) return await byStaffKey(ctx, deps, token);
  const { scopes, workspaceIds, allowedCidrs } = holder;
  if (allowedCidrs && !isAllowed(ctx.ip, allowedCidrs.flatMap(parseCidrs))) {
    await deps.rateLimits?.countFailure({ clientAddress: ctx.ip, setHeader: (name, value) => ctx.set(name, value) });
    const { organizationId, agentCredentialId, keyId } = holder;
    const type = scopes === null ? 'api_key' : 'agent';
    const { requestId, callerRequestId } = ctx.state;
    await recordRefusedAddress(deps.db, {
      organizationId,
      actor: { type, id: agentCredentialId ?? keyId },
      requestId,
      callerRequestId,
      clientAddress: ctx.ip,
    });
    throw new AddressNotAllowed();
  }
  deps.lastUsed?.touch(holder.keyId);
  ctx.state.logFields.organizationId = holder.organizationPublicId;
  ctx.state.logFields.keyId = holder.keyId;
  return {
    kind: scopes === null ? 'api_key' : 'agent',
    userId: holder.userId,
    credentialId: holder.agentCredentialId ?? holder.keyId,
    apiKeyId: holder.id,
    scopes,
    workspaceIds,
    allowedCidrs,
    expiresAt: holder.expiresAt,
    portal: null,
    organization: { id: holder.organizationId, role: holder.organizationRole },
    sessionId: null,
  };
}

async function byStaffKey(ctx: ApiContext, { db, tokenSalt }: ApiDeps, token: string): Promise<Principal | undefined> {
  const holder = await findStaffKeyHolder(db, { tokenSalt, token });
  if (!holder) return undefined;
  ctx.state.logFields.userId = holder.userPublicId;
  ctx.state.logFields.keyId = holder.keyId;
  const { keyId: credentialId, userId } = holder;
  return { kind: 'staff', userId, credentialId, apiKeyId: null, ...unlimited, organization: null, sessionId: null };
}

function bySession(ctx: ApiContext, { id, userId, userPublicId }: LiveSession): Principal {
  ctx.state.logFields.userId = userPublicId;
  const person = { kind: 'user', userId, credentialId: userPublicId } as const;
  return { ...person, apiKeyId: null, ...unlimited, organization: null, sessionId: id };
}

const unlimited = { scopes: null, workspaceIds: null, allowedCidrs: null, expiresAt: null, portal: null } as const;

export function requireScope({ scopes }: Principal, scope: Scope): void {
  if (scopes !== null && !scopes.includes(scope)) throw new ScopeInsufficient(scope);
}

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);
/** `none` is a request that no page initiated. */
const OWN_SITES = new Set(['same-origin', 'none']);

/**
 * Refuses a cookie-authenticated change unless a page of this service sent it. Pages can't forge `Sec-Fetch-Site`;
 * older browsers send `Origin`. Signing in needs no check: foreign pages can't send its JSON body.
 */
function refuseForeignPages(ctx: ApiContext, { baseUrl }: { baseUrl: string }): void {
  if (SAFE_METHODS.has(ctx.method) || comesFromOwnPage(ctx, baseUrl)) return;
  throw new Forbidden('A session cookie can change data only from a page of this service.');
}

export function comesFromOwnPage(ctx: ApiContext, baseUrl: string): boolean {
  const site = ctx.get('sec-fetch-site');
  return site === '' ? ctx.get('origin') === new URL(baseUrl).origin : OWN_SITES.has(site);
}
