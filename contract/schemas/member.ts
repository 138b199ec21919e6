import { z } from 'zod';
import { besideOthers } from './beside-others.ts';
import { idField, instantField, nextCursorField, pageQuery } from './fields.ts';
import { MAX_EMAIL_LENGTH } from './session.ts';

const memberRoles = ['admin', 'member'] as const;
const roleField = z.enum(memberRoles);

export const memberSchema = z
  .strictObject({
    userId: idField('user', 'The person.'),
    email: z.string(),
    role: roleField,
    createdAt: instantField.meta({ description: 'Member since.' }),
  })
  .meta({ id: 'Member' });
export type MemberBody = z.output<typeof memberSchema>;

export const memberRoleInput = z.strictObject({ role: roleField }).meta({ id: 'MemberRoleInput' });
export const memberListQuery = z.strictObject(pageQuery);
export const memberListSchema = z
  .strictObject({ members: z.array(memberSchema), nextCursor: nextCursorField })
  .meta({ id: 'MemberList' });

export const invitationInput = z
  .strictObject({
    email: z.email().max(MAX_EMAIL_LENGTH).toLowerCase(),
    role: roleField,
    workspaceId: idField('workspace', 'A workspace that the person becomes a member of too.').optional(),
    workspaceRole: roleField.optional().meta({ description: 'Goes with workspaceId; member unless given.' }),
  })
  .refine(({ workspaceId, workspaceRole }) => workspaceRole === undefined || workspaceId !== undefined, {
    path: ['workspaceRole'],
    message: 'goes with workspaceId only',
    ...besideOthers,
  })
  .meta({ id: 'InvitationInput' });

export const invitationSchema = z
  .strictObject({
    invitationId: idField('invitation', 'The invitation.'),
    email: z.string(),
    role: roleField,
    workspaceId: idField('workspace', 'The workspace that it is to as well.').nullable(),
    workspaceRole: roleField.nullable(),
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
  .strictObject({ token: z.string().min(1).max(200).meta({ description: 'From the mail.' }) })
  .meta({ id: 'InvitationAcceptInput' });
export const invitationAcceptedSchema = z
  .strictObject({
    organizationId: idField('organization', 'The organization that the person is a member of now.'),
    role: roleField,
    workspaceId: idField('workspace', 'The workspace, where the invitation was to one.').nullable(),
    workspaceRole: roleField.nullable(),
  })
  .meta({ id: 'InvitationAccepted' });
