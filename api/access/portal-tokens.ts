import { errors, jwtVerify, SignJWT } from 'jose';
import { scopesOfRights } from '../../contract/identity/portal.ts';
import { findLivePortalLink, type LivePortalLink } from '../../db/organizations/portal-links.ts';
import type { ApiDeps } from '../requests/deps.ts';
import type { ApiContext, Principal } from '../requests/state.ts';
import { isStrictJwt } from './session-tokens.ts';

/** The token of a portal session names its link. The link is read for every request, so that a revocation is immediate. */
type Issuer = Pick<ApiDeps, 'signingRing' | 'baseUrl'>;

const ALGORITHM = 'HS256';
const TYPE = 'portal+jwt';
const AUDIENCE = 'portal';

export async function signPortalToken(issuer: Issuer, { publicId, expiresAt }: LivePortalLink): Promise<string> {
  const { keyId, bytes } = issuer.signingRing.active('portal-session');
  return await new SignJWT()
    .setProtectedHeader({ alg: ALGORITHM, typ: TYPE, kid: keyId })
    .setIssuer(issuer.baseUrl)
    .setAudience(AUDIENCE)
    .setSubject(publicId)
    .setIssuedAt()
    .setExpirationTime(expiresAt)
    .sign(bytes);
}

export async function principalOfPortal(ctx: ApiContext, deps: ApiDeps, token: string): Promise<Principal | undefined> {
  const publicId = await readPortalToken(deps, token);
  const link = publicId === undefined ? undefined : await findLivePortalLink(deps.db, publicId);
  if (!link) return undefined;
  ctx.state.logFields.organizationId = link.organizationPublicId;
  ctx.state.logFields.portalLinkId = link.publicId;
  const { rights, channelPublicIds } = link;
  return {
    kind: 'portal',
    userId: link.createdBy,
    credentialId: link.publicId,
    apiKeyId: null,
    // A second check after that of the rights.
    scopes: scopesOfRights(rights),
    workspaceIds: [link.workspaceId],
    allowedCidrs: null,
    expiresAt: link.expiresAt,
    portal: { rights, channelPublicIds },
    organization: { id: link.organizationId, role: 'admin' },
    sessionId: null,
  };
}

async function readPortalToken({ signingRing, baseUrl }: Issuer, token: string): Promise<string | undefined> {
  if (!isStrictJwt(token)) return undefined;
  try {
    const keyOf = ({ kid }: { readonly kid?: string | undefined }): Uint8Array => {
      const key = kid === undefined ? undefined : signingRing.find('portal-session', kid);
      if (!key) throw new errors.JWKSNoMatchingKey();
      return key.bytes;
    };
    const { payload } = await jwtVerify(token, keyOf, {
      algorithms: [ALGORITHM],
      typ: TYPE,
      issuer: baseUrl,
      audience: AUDIENCE,
      requiredClaims: ['sub', 'iat', 'exp'],
    });
    return payload.sub;
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined;
    throw error;
  }
}
