import type { ParameterizedContext } from 'koa';
import type { PrincipalKind } from '../../openapi/definitions/route-definition.ts';
import type { ShareOwner } from '../../process/shares.ts';
import type { Scope } from '../../contract/identity/scopes.ts';
import type { PortalRight } from '../../contract/identity/portal.ts';
import type { OrganizationRole } from '../../db/people/users.ts';

export interface PortalAccess {
  readonly rights: readonly PortalRight[];
  /** Null for all channels of the workspace. */
  readonly channelPublicIds: readonly string[] | null;
}

export interface Principal {
  readonly kind: PrincipalKind;
  /** For a portal, who created its link. */
  readonly userId: number;
  /** The id in logs and audit entries: `key_…`, `ac_…`, `usr_…` or `ptl_…`. */
  readonly credentialId: string;
  /** Null for sessions and staff. */
  readonly apiKeyId: number | null;
  /** Null for unlimited credentials. */
  readonly scopes: readonly Scope[] | null;
  /** Null unless the key is limited to these workspaces. */
  readonly workspaceIds: readonly number[] | null;
  /** Null unless the key is limited to these addresses, which are checked when it is resolved. */
  readonly allowedCidrs: readonly string[] | null;
  /** The end of the key. Null if it has none, and for sessions and staff. */
  readonly expiresAt: Date | null;
  /** Null unless the caller came through a portal link. Then only routes that name a right of it are open. */
  readonly portal: PortalAccess | null;
  /** Null for sessions and staff. */
  readonly organization: { readonly id: number; readonly role: OrganizationRole | null } | null;
  /** Null for keys. */
  readonly sessionId: number | null;
}

export interface ApiState {
  requestId: string;
  callerRequestId: string | null;
  logFields: Record<string, string>;
  /** Once the caller is authenticated. */
  owner?: ShareOwner;
}

export type ApiContext = ParameterizedContext<ApiState>;
