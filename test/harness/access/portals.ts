import type { Knex } from 'knex';
import { type PortalRight, portalRights } from '../../../contract/identity/portal.ts';
import { signPortalToken } from '../../../api/access/portal-tokens.ts';
import { readInstallation } from '../../../db/core/installation.ts';
import { findLivePortalLink, insertPortalLink } from '../../../db/organizations/portal-links.ts';
import { baseUrl } from '../api/api.ts';
import { type Tenant, testSigningRing } from '../tenants.ts';

interface PortalOf {
  /** Optional. Default: all. */
  readonly rights?: readonly PortalRight[];
  readonly channelIds?: readonly number[];
}

export interface TestPortal {
  readonly publicId: string;
  readonly secret: string;
  readonly accessToken: string;
}

export async function aPortal(
  db: Knex,
  { organization, workspace, user }: Pick<Tenant, 'organization' | 'workspace' | 'user'>,
  { rights = portalRights, channelIds }: PortalOf = {},
): Promise<TestPortal> {
  const { tokenSalt } = await readInstallation(db);
  const { publicId, secret } = await insertPortalLink(db, tokenSalt, {
    organizationId: organization.id,
    workspaceId: workspace.id,
    name: null,
    rights,
    channelIds: channelIds ?? null,
    createdBy: user.id,
    apiKeyId: null,
    lifetimeSeconds: 3_600,
  });
  const link = await findLivePortalLink(db, publicId);
  return { publicId, secret, accessToken: await signPortalToken({ signingRing: testSigningRing, baseUrl }, link!) };
}

/** Splits the URL of a link. */
export function partsOf(url: string) {
  const { pathname, hash } = new URL(url);
  return { portalLinkId: pathname.replace('/portal/', ''), secret: hash.slice(1) };
}
