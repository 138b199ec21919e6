import type { AuditContext, AuditActor } from '../../db/audit/record-audit.ts';
import type { Principal } from '../requests/state.ts';

export interface AuditedRequest {
  readonly principal: Principal;
  readonly organization?: { readonly id: number } | undefined;
  readonly workspace?: { readonly id: number } | undefined;
  readonly requestId: string;
  readonly callerRequestId: string | null;
  readonly clientAddress: string;
}

export function auditContext(request: AuditedRequest): AuditContext {
  const { principal, organization, workspace, requestId, callerRequestId, clientAddress } = request;
  return {
    organizationId: organization?.id ?? null,
    workspaceId: workspace?.id ?? null,
    actor: auditActor(principal),
    requestId,
    callerRequestId,
    clientAddress,
  };
}

export function auditActor({ kind, credentialId }: Principal): AuditActor {
  return { type: kind, id: credentialId };
}
