import { isPlainHost } from '../../contract/addresses/check-url.ts';
import { textColorOn } from '../../contract/identity/branding.ts';
import { portalRoutes as routes } from '../../openapi/organizations/portal-routes.ts';
import { recordAudit } from '../../db/audit/record-audit.ts';
import { type Branding, findBranding, saveBranding } from '../../db/organizations/branding.ts';
import { auditContext } from '../access/audit-context.ts';
import { parseUrl } from '../destinations/parse-url.ts';
import type { ApiDeps } from '../requests/deps.ts';
import { InvalidRequest } from '../requests/errors.ts';
import { type Mount, mountRoute } from '../routing/mount-route.ts';

export function mountBrandingRoutes(mount: Mount): void {
  const { deps } = mount;
  const { db } = deps;

  mountRoute(mount, routes.getBranding, async ({ organization }) => {
    return presentBranding(await findBranding(db, organization.id));
  });

  mountRoute(mount, routes.putBranding, async (request) => {
    const { organization, params, body } = request;
    const { displayName = null, logoUrl = null, color = null, portalFrameAncestors = [] } = body;
    const branding = {
      displayName,
      logoUrl: logoUrl && parseUrl(deps, 'logoUrl', logoUrl),
      color: color && color.toLowerCase(),
      portalFrameAncestors: [...new Set(portalFrameAncestors.map((text) => originOf(deps, text)))],
    };
    await db.transaction(async (trx) => {
      await saveBranding(trx, organization.id, branding);
      await recordAudit(trx, { ...auditContext(request), action: 'branding.changed', targetId: params.org });
    });
    return presentBranding(branding);
  });
}

/**
 * A policy compares whole origins. Wildcards would admit pages of other customers of a host, and other characters would
 * add directives to the policy.
 */
function originOf({ deployment }: Pick<ApiDeps, 'deployment'>, text: string): string {
  const url = URL.parse(text);
  const isSecure = url?.protocol === 'https:' || (deployment === 'development' && url?.protocol === 'http:');
  if (url && isSecure && isPlainHost(url.hostname) && [url.origin, `${url.origin}/`].includes(text.toLowerCase())) {
    return url.origin;
  }
  const example = 'Use a scheme, a host and an optional port, such as https://app.example.com';
  throw new InvalidRequest(`body.portalFrameAncestors: '${text}' is not an https origin. ${example}.`);
}

export function presentBranding(branding: Branding) {
  const { color } = branding;
  return { ...branding, textColor: color === null ? null : textColorOn(color) };
}
