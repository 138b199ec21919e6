import { z } from 'zod';
import { organizationRoles, workspaceRoles } from '../../contract/identity/roles.ts';
import { evenIfFieldsFail, idField, instantField, namedObject, namedPage } from '../definitions/fields.ts';
import { MAX_EMAIL_LENGTH } from './session-routes.ts';

const roleField = z.enum(organizationRoles);
const workspaceRoleField = z.enum(workspaceRoles);

const memberFields = {
  userId: idField('user', 'The person.'),
  email: z.string(),
  createdAt: instantField.describe('When the person became a member.'),
};

export const memberSchema = namedObject('Member', { ...memberFields, role: roleField });
export const workspaceMemberSchema = namedObject('WorkspaceMember', {
  ...memberFields,
  email: z.string().nullable().describe('Null for keys that are limited to scopes or workspaces.'),
  role: workspaceRoleField,
});

export const memberRoleInput = namedObject('MemberRoleInput', { role: roleField });
export const workspaceMemberRoleInput = namedObject('WorkspaceMemberRoleInput', {
  role: workspaceRoleField.describe('Developers and admins can see the secrets of channels.'),
});
export const memberListSchema = namedPage('MemberList', { members: memberSchema });
export const workspaceMemberListSchema = namedPage('WorkspaceMemberList', { members: workspaceMemberSchema });

export const invitationInput = z
  .strictObject({
    email: z.email().max(MAX_EMAIL_LENGTH).toLowerCase(),
    role: roleField,
    workspaceId: idField('workspace', 'A workspace that the person also joins.').optional(),
    workspaceRole: workspaceRoleField.optional().describe('Allowed only with `workspaceId`; `member` by default.'),
  })
  .refine(({ workspaceId, workspaceRole }) => workspaceRole === undefined || workspaceId !== undefined, {
    path: ['workspaceRole'],
    message: 'allowed only with workspaceId',
    ...evenIfFieldsFail,
  })
  .meta({ id: 'InvitationInput', dependentRequired: { workspaceRole: ['workspaceId'] } });

export const invitationSchema = namedObject('Invitation', {
  invitationId: idField('invitation', 'The invitation.'),
  email: z.string(),
  role: roleField,
  workspaceId: idField('workspace', 'The workspace that the person also joins.').nullable(),
  workspaceRole: workspaceRoleField.nullable(),
  status: z.enum(['open', 'accepted', 'revoked', 'expired']),
  expiresAt: instantField,
  createdAt: instantField,
});
export const invitationListSchema = namedPage('InvitationList', { invitations: invitationSchema });

export const invitationAcceptInput = namedObject('InvitationAcceptInput', {
  token: z.string().min(1).max(200).describe('The token from the email.'),
});
export const invitationPreviewSchema = namedObject('InvitationPreview', {
  organizationName: z.string().describe('The organization chose it.'),
  inviterEmail: z.string().describe('Email address of the admin who invited the person.'),
  isForCaller: z.boolean().describe('Whether the invitation was sent to the address of the caller.'),
});
export const invitationAcceptedSchema = namedObject('InvitationAccepted', {
  organizationId: idField('organization', 'The organization that the person joined.'),
  role: roleField,
  workspaceId: idField('workspace', 'The workspace that the person joined, if any.').nullable(),
  workspaceRole: workspaceRoleField.nullable(),
});
