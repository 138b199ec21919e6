import type { Knex } from 'knex';
import { raw } from 'objection';
import { queryRows } from '../core/query-rows.ts';
import { BrandingModel } from '../models/portal.ts';
import type { Columns } from '../core/model.ts';

export type Branding = Columns<BrandingModel, 'displayName' | 'logoUrl' | 'color' | 'portalFrameAncestors'>;

const noBranding: Branding = { displayName: null, logoUrl: null, color: null, portalFrameAncestors: [] };

export async function findBranding(db: Knex, organizationId: number): Promise<Branding> {
  const found = await BrandingModel.query(db)
    .select('display_name', 'logo_url', 'color', 'portal_frame_ancestors')
    .findById(organizationId);
  return found ?? noBranding;
}

/** Replaces all fields. */
export async function saveBranding(trx: Knex, organizationId: number, branding: Branding): Promise<void> {
  await BrandingModel.query(trx)
    .insert({ organizationId, ...branding, updatedAt: raw('now()') } as object)
    .onConflict('organization_id')
    .merge();
}

/** What the document of a portal needs before its secret is known. Includes ended links, whose page says so. */
export async function findPortalFrame(
  db: Knex,
  portalLinkId: string,
): Promise<Pick<Branding, 'logoUrl' | 'portalFrameAncestors'> | undefined> {
  const [found] = await queryRows<Pick<Branding, 'logoUrl' | 'portalFrameAncestors'>>(
    db,
    `select b.logo_url as "logoUrl", coalesce(to_jsonb(b.portal_frame_ancestors), '[]') as "portalFrameAncestors"
     from portal_links p left join organization_branding b on b.organization_id = p.organization_id
     where p.public_id = :portalLinkId`,
    { portalLinkId },
  );
  return found;
}
