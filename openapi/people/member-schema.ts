import { z } from 'zod';
import { organizationRoles, workspaceRoles } from '../../contract/identity/roles.ts';
import { evenIfFieldsFail } from '../definitions/even-if-fields-fail.ts';
import { idField, instantField, nextCursorField, pageQuery } from '../definitions/fields.ts';
import { MAX_EMAIL_LENGTH } from './session-schema.ts';

const roleField = z.enum(organizationRoles);
const workspaceRoleField = z.enum(workspaceRoles);

const memberFields = {
  userId: idField('user', 'The person.'),
  email: z.string(),
  createdAt: instantField.meta({ description: 'When the person became a member.' }),
};

export const memberSchema = z.strictObject({ ...memberFields, role: roleField }).meta({ id: 'Member' });
export const workspaceMemberSchema = z
  .strictObject({
    ...memberFields,
    email: z.string().nullable().meta({ description: 'Null for keys that are limited to scopes or workspaces.' }),
    role: workspaceRoleField,
  })
  .meta({ id: 'WorkspaceMember' });

export const memberRoleInput = z.strictObject({ role: roleField }).meta({ id: 'MemberRoleInput' });
export const workspaceMemberRoleInput = z
  .strictObject({
    role: workspaceRoleField.meta({ description: 'Developers and admins can see the secrets of channels.' }),
  })
  .meta({ id: 'WorkspaceMemberRoleInput' });
export const memberListQuery = z.strictObject(pageQuery);
export const memberListSchema = z
  .strictObject({ members: z.array(memberSchema), nextCursor: nextCursorField })
  .meta({ id: 'MemberList' });
export const workspaceMemberListSchema = z
  .strictObject({ members: z.array(workspaceMemberSchema), nextCursor: nextCursorField })
  .meta({ id: 'WorkspaceMemberList' });

export const invitationInput = z
  .strictObject({
    email: z.email().max(MAX_EMAIL_LENGTH).toLowerCase(),
    role: roleField,
    workspaceId: idField('workspace', 'A workspace that the person also joins.').optional(),
    workspaceRole: workspaceRoleField
      .optional()
      .meta({ description: 'Allowed only with `workspaceId`; `member` by default.' }),
  })
  .refine(({ workspaceId, workspaceRole }) => workspaceRole === undefined || workspaceId !== undefined, {
    path: ['workspaceRole'],
    message: 'allowed only with workspaceId',
    ...evenIfFieldsFail,
  })
  .meta({ id: 'InvitationInput', dependentRequired: { workspaceRole: ['workspaceId'] } });

export const invitationSchema = z
  .strictObject({
    invitationId: idField('invitation', 'The invitation.'),
    email: z.string(),
    role: roleField,
    workspaceId: idField('workspace', 'The workspace that the person also joins.').nullable(),
    workspaceRole: workspaceRoleField.nullable(),
    status: z.enum(['open', 'accepted', 'revoked', 'expired']),
    expiresAt: instantField,
    createdAt: instantField,
  })
  .meta({ id: 'Invitation' });
export type InvitationBody = z.output<typeof invitationSchema>;

export const invitationListQuery = z.strictObject(pageQuery);
export const invitationListSchema = z
  .strictObject({ invitations: z.array(invitationSchema), nextCursor: nextCursorField })
  .meta({ id: 'InvitationList' });

export const invitationAcceptInput = z
  .strictObject({ token: z.string().min(1).max(200).meta({ description: 'The token from the email.' }) })
  .meta({ id: 'InvitationAcceptInput' });
export const invitationAcceptedSchema = z
  .strictObject({
    organizationId: idField('organization', 'The organization that the person joined.'),
    role: roleField,
    workspaceId: idField('workspace', 'The workspace that the person joined, if any.').nullable(),
    workspaceRole: workspaceRoleField.nullable(),
  })
  .meta({ id: 'InvitationAccepted' });
