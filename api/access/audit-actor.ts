import type { AuditActor } from '../../db/audit/record-audit.ts';
import type { Principal } from '../requests/state.ts';

export function auditActor({ kind, credentialId }: Principal): AuditActor {
  return { type: kind, id: credentialId };
}
