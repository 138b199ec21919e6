import type { AuditActor } from '../../db/audit-entries.ts';
import type { Principal } from '../state.ts';

/** How the audit log names whoever calls. */
export function auditActor({ kind, credentialId }: Principal): AuditActor {
  return { type: kind, id: credentialId };
}
