import { principalOfKey } from '../access/authenticate.ts';
import type { ApiDeps } from '../requests/deps.ts';
import { AuthRequired, CredentialNotAcceptedHere, Forbidden } from '../requests/errors.ts';
import { shareOwner } from '../requests/api-shares.ts';
import { setOwner } from '../requests/request-tenant.ts';
import type { ApiContext, Principal } from '../requests/state.ts';

const noKey =
  'A valid API key is required in the header X-API-Key (hmok_…). This one is missing, unknown, revoked or expired.';
const wrongHeader = 'Send the API key in the header X-API-Key. /mcp does not accept an Authorization header.';
const wrongToken = 'A channel token (hmat_…) is valid at the gateway only. Use an API key (hmok_…) here.';

const challenge = (baseUrl: string) => ({
  headers: { 'www-authenticate': `Bearer resource_metadata="${baseUrl}/.well-known/oauth-protected-resource/mcp"` },
});

/**
 * Counts only failures. Refuses Authorization headers and ignores cookies, because browsers send them automatically.
 */
export async function authenticateMcp(ctx: ApiContext, deps: ApiDeps): Promise<Principal> {
  const key = ctx.get('x-api-key');
  const isAccepted = ctx.get('authorization') === '' && key.startsWith('hmok_');
  const principal = isAccepted ? await principalOfKey(ctx, deps, key) : undefined;
  if (!principal) {
    await deps.rateLimits?.countFailure({ clientAddress: ctx.ip, setHeader: (name, value) => ctx.set(name, value) });
    throw refusalOf(ctx, deps);
  }
  if (principal.kind === 'staff') throw new Forbidden('MCP does not accept staff keys.');
  setOwner(ctx, shareOwner({ principal }));
  return principal;
}

export async function countRequest(ctx: ApiContext, deps: ApiDeps, { credentialId }: Principal): Promise<void> {
  const caller = { clientAddress: ctx.ip, setHeader: (name: string, value: string) => ctx.set(name, value) };
  await deps.rateLimits?.countCredential(caller, credentialId);
}

function refusalOf(ctx: ApiContext, { baseUrl }: ApiDeps): AuthRequired | CredentialNotAcceptedHere {
  if (ctx.get('authorization') !== '') return new CredentialNotAcceptedHere(wrongHeader, challenge(baseUrl));
  if (ctx.get('x-api-key').startsWith('hmat_')) return new CredentialNotAcceptedHere(wrongToken, challenge(baseUrl));
  return new AuthRequired(noKey, challenge(baseUrl));
}
