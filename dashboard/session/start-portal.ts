import { setPortalBase } from '../routes/paths.ts';
import { navigate } from '../routes/router.ts';
import { api } from './api.ts';
import { currentWorkspace } from './current-workspace.ts';
import { enterPortal, type Portal } from './portal.ts';
import type { OrganizationMembership } from './session-state.ts';

/** Takes the secret out of the address, so that it is not copied from there or kept in the history. */
export function takeSecret(): string {
  const secret = location.hash.slice(1);
  navigate(location.pathname, { replace: true });
  return secret;
}

export async function startPortal(portalLinkId: string, secret: string): Promise<void> {
  const started = await api.post('/portal/session', { body: { portalLinkId, secret } });
  const { workspace, organization } = started;
  setPortalBase(`/portal/${portalLinkId}`);
  // The pages of a workspace read these fields. They show nothing that a member may not do.
  currentWorkspace.value = {
    workspaceId: workspace.id,
    workspace: {
      ...workspace,
      organizationId: organization.id,
      kind: 'customer',
      externalId: null,
      role: 'member',
      memberCount: 0,
      channelCount: 0,
      createdAt: started.expiresAt,
    },
    error: null,
  };
  enterPortal(started);
}

export function membershipOf({ organization }: Portal): OrganizationMembership {
  return { organizationId: organization.id, name: organization.name, role: 'member' };
}
