import type { CredentialViewer } from '../../db/people/agent-credentials.ts';
import type { Principal } from '../requests/state.ts';

export function credentialViewerOf({ kind, userId, organization }: Principal): CredentialViewer {
  if (!organization) return { kind: 'person', userId };
  return { kind: 'key', organizationId: organization.id, userId: kind === 'agent' ? userId : null };
}
