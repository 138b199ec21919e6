import type { OrganizationRole } from '../../contract/identity/roles.ts';
import { type CredentialViewer, findCredential } from '../../db/people/agent-credentials.ts';
import type { ApiDeps } from '../requests/deps.ts';
import { NotFound } from '../requests/errors.ts';
import type { Principal } from '../requests/state.ts';
import { roleIn } from './tenancy.ts';

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

interface VisibleCredential {
  readonly apiKeyId: number;
  readonly organizationId: number;
  /** Of the caller, in the organization of the credential. */
  readonly role: OrganizationRole;
}

/** Also finds ended credentials, while their user belongs to the organization. */
export async function requireCredential(
  { db }: Pick<ApiDeps, 'db'>,
  principal: Principal,
  publicId: string,
): Promise<VisibleCredential> {
  const found = await findCredential(db, { viewer: credentialViewerOf(principal), publicId });
  const role = found && (await roleIn(db, principal, found.organizationId));
  if (!role) throw new NotFound('CREDENTIAL_NOT_FOUND');
  return { ...found, role };
}
