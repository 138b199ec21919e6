import type { WorkspaceRole } from '../../contract/identity/roles.ts';
import type { InvitationBody } from '../../openapi/people/member-schema.ts';
import type { Invitation } from '../../db/people/invitations.ts';
import type { Member } from '../../db/people/members.ts';

export function presentMember<Role extends WorkspaceRole>({ userPublicId, email, role, createdAt }: Member<Role>) {
  return { userId: userPublicId, email, role, createdAt: createdAt.toISOString() };
}

export function presentInvitation(invitation: Invitation): InvitationBody {
  return {
    invitationId: invitation.publicId,
    email: invitation.email,
    role: invitation.role,
    workspaceId: invitation.workspacePublicId,
    workspaceRole: invitation.workspaceRole,
    status: invitation.status,
    expiresAt: invitation.expiresAt.toISOString(),
    createdAt: invitation.createdAt.toISOString(),
  };
}
