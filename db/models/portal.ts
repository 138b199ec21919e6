import type { PortalRight } from '../../contract/identity/portal.ts';
import { Model } from '../core/model.ts';

export class PortalLinkModel extends Model {
  static override tableName = 'portal_links';
  declare id: number;
  declare publicId: string;
  declare organizationId: number;
  declare workspaceId: number;
  /** Null for all channels of the workspace. */
  declare channelIds: readonly number[] | null;
  declare name: string | null;
  declare rights: readonly PortalRight[];
  declare secretHash: Buffer;
  declare createdBy: number;
  /** The link ends with this key. Null if a person created it. */
  declare apiKeyId: number | null;
  declare createdAt: Date;
  declare expiresAt: Date;
  declare revokedAt: Date | null;
  declare lastUsedAt: Date | null;
  declare useCount: number;
}

export class BrandingModel extends Model {
  static override tableName = 'organization_branding';
  static override idColumn = 'organization_id';
  declare organizationId: number;
  declare displayName: string | null;
  declare logoUrl: string | null;
  /** `#rrggbb` in lower case. */
  declare color: string | null;
  /** Origins that may show the portal in a frame. */
  declare portalFrameAncestors: readonly string[];
}
