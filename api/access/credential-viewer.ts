import type { CredentialViewer } from '../../db/people/agent-credentials.ts';
import type { Principal } from '../requests/state.ts';

export function credentialViewerOf({ kind, userId, organization }: Principal): CredentialViewer {
  if (!organization) return { kind: 'person', userId };
  return { kind: 'key', organizationId: organization.id, userId: kind === 'agent' ? userId : null };
}

/** An agent needs the scope to see credentials other than its own. */
export function credentialListViewerOf(principal: Principal): CredentialViewer {
  const viewer = credentialViewerOf(principal);
  const { scopes, credentialId } = principal;
  const isLimited = viewer.kind === 'key' && scopes !== null && !scopes.includes('credentials.manage');
  return isLimited ? { ...viewer, credentialPublicId: credentialId } : viewer;
}
