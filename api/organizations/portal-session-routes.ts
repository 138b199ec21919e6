import { portalRoutes as routes } from '../../openapi/organizations/portal-routes.ts';
import { recordAudit } from '../../db/audit/record-audit.ts';
import { findBranding } from '../../db/organizations/branding.ts';
import { countPortalUse, findPortalLinkBySecret, type LivePortalLink } from '../../db/organizations/portal-links.ts';
import { signPortalToken } from '../access/portal-tokens.ts';
import { AuthRequired } from '../requests/errors.ts';
import { mountOpenRoute } from '../routing/mount-open-route.ts';
import type { Mount } from '../routing/mount-route.ts';
import { presentBranding } from './branding-routes.ts';

/** Does not say why a link is refused. */
const ENDED = 'This portal link is unknown, or it has ended. Ask for a new one.';

export function mountPortalSession(mount: Mount): void {
  const { deps } = mount;
  const { db, tokenSalt } = deps;

  mountOpenRoute(mount, routes.startPortalSession, async (request) => {
    const { portalLinkId: publicId, secret } = request.body;
    const link = await findPortalLinkBySecret(db, { tokenSalt, publicId, secret });
    if (!link) {
      await deps.rateLimits?.countFailure(request);
      throw new AuthRequired(ENDED);
    }
    await deps.rateLimits?.countCredential(request, link.publicId);
    const { requestId, callerRequestId, clientAddress } = request;
    await db.transaction(async (trx) => {
      if (!(await countPortalUse(trx, link.id))) return;
      const { organizationId, workspaceId } = link;
      const actor = { type: 'portal', id: publicId } as const;
      const entry = { organizationId, workspaceId, actor, action: 'portalLink.opened', targetId: publicId };
      await recordAudit(trx, { ...entry, requestId, callerRequestId, clientAddress });
    });
    return await present(link);
  });

  async function present(link: LivePortalLink) {
    return {
      accessToken: await signPortalToken(deps, link),
      expiresAt: link.expiresAt,
      rights: link.rights,
      organization: { id: link.organizationPublicId, name: link.organizationName },
      workspace: { id: link.workspacePublicId, name: link.workspaceName },
      channelIds: link.channelPublicIds,
      branding: presentBranding(await findBranding(db, link.organizationId)),
    };
  }
}
