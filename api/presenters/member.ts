import type { InvitationBody, MemberBody } from '../../contract/schemas/member.ts';
import type { Invitation } from '../../db/invitations.ts';
import type { Member } from '../../db/members.ts';

export function presentMember({ userPublicId, email, role, createdAt }: Member): MemberBody {
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
