import type { Knex } from 'knex';
import { DEFAULT_PORTAL_SECONDS, scopesOfRights, wholeRights } from '../../contract/identity/portal.ts';
import { portalRoutes as routes } from '../../openapi/organizations/portal-routes.ts';
import { recordAudit } from '../../db/audit/record-audit.ts';
import { channelIdsOf } from '../../db/channels/records.ts';
import { enforceOrganizationLimit } from '../../db/organizations/limits.ts';
import {
  findPortalLink,
  insertPortalLink,
  listPortalLinks,
  type PortalLinkRecord,
  revokePortalLink,
} from '../../db/organizations/portal-links.ts';
import { auditContext } from '../access/audit-context.ts';
import { requireScope } from '../access/authenticate.ts';
import { NotFound } from '../requests/errors.ts';
import { type Mount, mountRoute } from '../routing/mount-route.ts';
import { readNumberedPage } from '../routing/page.ts';
import { mountBrandingRoutes } from './branding-routes.ts';
import { mountPortalSession } from './portal-session-routes.ts';

export function mountPortalRoutes(mount: Mount): void {
  mountBrandingRoutes(mount);
  mountPortalSession(mount);
  const { db, tokenSalt, baseUrl } = mount.deps;

  mountRoute(mount, routes.createPortalLink, async (request) => {
    const { principal, organization, workspace, body } = request;
    const rights = wholeRights(body.rights);
    for (const scope of scopesOfRights(rights)) requireScope(principal, scope);
    const organizationId = organization.id;
    const channelIds = await channelsOf(db, workspace.id, body.channelIds);
    const lifetimeSeconds = body.expiresIn ?? DEFAULT_PORTAL_SECONDS;
    const { publicId, secret } = await db.transaction(async (trx) => {
      await enforceOrganizationLimit(trx, { organizationId, limit: 'portalLinks' });
      const created = await insertPortalLink(trx, tokenSalt, {
        organizationId,
        workspaceId: workspace.id,
        channelIds,
        rights,
        name: body.name ?? null,
        createdBy: principal.userId,
        apiKeyId: principal.apiKeyId,
        lifetimeSeconds,
      });
      const entry = { ...auditContext(request), action: 'portalLink.created', targetId: created.publicId };
      await recordAudit(trx, { ...entry, reason: describeGrant({ ...body, rights, lifetimeSeconds }) });
      return created;
    });
    const link = await findPortalLink(db, { workspaceId: workspace.id, publicId });
    if (!link) throw new NotFound('PORTAL_LINK_NOT_FOUND');
    return { ...presentPortalLink(link), url: `${baseUrl}/portal/${publicId}#${secret}` };
  });

  mountRoute(mount, routes.listPortalLinks, async ({ workspace, query }) => {
    const page = await readNumberedPage(
      { ...query, idKey: mount.deps.idKey, list: 'portalLinks' },
      ({ before, limit }) => listPortalLinks(db, { workspaceId: workspace.id, before, limit }),
    );
    return { portalLinks: page.items.map(presentPortalLink), nextCursor: page.nextCursor };
  });

  mountRoute(mount, routes.revokePortalLink, async (request) => {
    const { workspace, params } = request;
    const key = { workspaceId: workspace.id, publicId: params.ptl };
    await db.transaction(async (trx) => {
      if (await revokePortalLink(trx, key)) {
        await recordAudit(trx, { ...auditContext(request), action: 'portalLink.revoked', targetId: params.ptl });
      } else if (!(await findPortalLink(trx, key))) throw new NotFound('PORTAL_LINK_NOT_FOUND'); // may be revoked again
    });
  });
}

interface Grant {
  readonly rights: readonly string[];
  readonly channelIds?: readonly string[] | undefined;
  readonly lifetimeSeconds: number;
}

function describeGrant({ rights, channelIds, lifetimeSeconds }: Grant): string {
  const channels = channelIds ? [`channels ${channelIds.join(' ')}`] : [];
  return [rights.join(' '), ...channels, `for ${lifetimeSeconds} s`].join('; ');
}

async function channelsOf(
  db: Knex,
  workspaceId: number,
  publicIds: readonly string[] | undefined,
): Promise<number[] | null> {
  if (publicIds === undefined) return null;
  const distinct = [...new Set(publicIds)];
  const ids = await channelIdsOf(db, { workspaceId, publicIds: distinct });
  if (ids.length < distinct.length) throw new NotFound('CHANNEL_NOT_FOUND');
  return ids;
}

function presentPortalLink(link: PortalLinkRecord) {
  return { ...link, portalLinkId: link.publicId, channelIds: link.channelPublicIds };
}
