import type { ParameterizedContext } from 'koa';
import type { PrincipalKind } from '../../openapi/definitions/route-definition.ts';
import type { Scope } from '../../contract/identity/scopes.ts';
import type { OrganizationRole } from '../../db/people/users.ts';

export interface Principal {
  readonly kind: PrincipalKind;
  readonly userId: number;
  /** The id in logs and audit entries: `key_…`, `ac_…` or `usr_…`. */
  readonly credentialId: string;
  /** Null for sessions and staff. */
  readonly apiKeyId: number | null;
  /** Null for unlimited credentials. */
  readonly scopes: readonly Scope[] | null;
  /** Null unless the key is limited to these workspaces. */
  readonly workspaceIds: readonly number[] | null;
  /** Null for sessions and staff. */
  readonly organization: { readonly id: number; readonly role: OrganizationRole | null } | null;
  /** Null for keys. */
  readonly sessionId: number | null;
}

export interface ApiState {
  requestId: string;
  logFields: Record<string, string>;
}

export type ApiContext = ParameterizedContext<ApiState>;
