import type { Scope } from '../../contract/scopes.ts';
import { findKeyHolder } from '../../db/api-keys.ts';
import type { ApiDeps } from '../deps.ts';
import { AuthRequired, CredentialNotAcceptedHere, ScopeInsufficient } from '../errors.ts';
import type { ApiContext, Principal } from '../state.ts';

const BEARER = /^Bearer +(\S+) *$/i;
const noKey =
  'A valid API key is needed (Authorization: Bearer hmok_…): this one is missing, unknown, revoked or expired.';
const wrongToken = 'A channel token (hmat_…) is valid at the gateway only. Use an API key (hmok_…) here.';

/** Tells a client without a credential where to read how to get one. */
const challenge = (baseUrl: string) => ({
  headers: { 'www-authenticate': `Bearer resource_metadata="${baseUrl}/.well-known/oauth-protected-resource"` },
});

/** The principal behind the request's credential. */
export async function authenticate(ctx: ApiContext, { db, tokenSalt, baseUrl }: ApiDeps): Promise<Principal> {
  const token = BEARER.exec(ctx.get('authorization'))?.[1];
  if (token?.startsWith('hmat_')) throw new CredentialNotAcceptedHere(wrongToken, challenge(baseUrl));
  const holder = token?.startsWith('hmok_') ? await findKeyHolder(db, { tokenSalt, token }) : undefined;
  if (!holder) throw new AuthRequired(noKey, challenge(baseUrl));
  ctx.state.logFields.organizationId = holder.organizationPublicId;
  ctx.state.logFields.keyId = holder.keyId;
  return {
    kind: holder.scopes === null ? 'api_key' : 'agent',
    userId: holder.userId,
    credentialId: holder.keyId,
    scopes: holder.scopes,
    organization: { id: holder.organizationId, role: holder.organizationRole },
  };
}

/** Refuses a limited credential that was not given this scope. */
export function requireScope({ scopes }: Principal, scope: Scope): void {
  if (scopes !== null && !scopes.includes(scope)) throw new ScopeInsufficient(scope);
}
