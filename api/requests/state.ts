import type { ParameterizedContext } from 'koa';
import type { PrincipalKind } from '../../openapi/definitions/route-definition.ts';
import type { Scope } from '../../contract/identity/scopes.ts';
import type { OrganizationRole } from '../../db/people/users.ts';

export interface Principal {
  readonly kind: PrincipalKind;
  /** The person behind the credential. */
  readonly userId: number;
  /** The id that logs and audit entries name: `key_…`, `ac_…` or `usr_…`. */
  readonly credentialId: string;
  /** The row of the organization's or the agent's key; null for sessions and staff. */
  readonly apiKeyId: number | null;
  /** Null: not limited to scopes. */
  readonly scopes: readonly Scope[] | null;
  /** The organization of a key and its role there; null for sessions and staff. */
  readonly organization: { readonly id: number; readonly role: OrganizationRole | null } | null;
  /** The session that a person calls in; null for keys. */
  readonly sessionId: number | null;
}

export interface ApiState {
  requestId: string;
  /** Ids that the request's log line gets besides its own fields. */
  logFields: Record<string, string>;
}

export type ApiContext = ParameterizedContext<ApiState>;
