import { invitationRoutes as routes } from '../../openapi/people/invitation-routes.ts';
import { recordAudit } from '../../db/audit/record-audit.ts';
import {
  findInvitation,
  insertInvitation,
  listInvitations,
  previewInvitation,
  revokeInvitation,
} from '../../db/people/invitations.ts';
import { secondsUntilInvitation } from '../../db/people/invitation-shares.ts';
import { enforceOrganizationLimit } from '../../db/organizations/limits.ts';
import { acceptInvitation } from '../../db/people/accept-invitation.ts';
import { findWorkspace } from '../../db/organizations/workspaces.ts';
import { auditContext } from '../access/audit-context.ts';
import { roleIn } from '../access/tenancy.ts';
import type { ApiDeps } from '../requests/deps.ts';
import { Forbidden, NotFound, OutcomeUnknown, TooManyRequests } from '../requests/errors.ts';
import { type Mount, mountRoute, type RouteRequest } from '../routing/mount-route.ts';
import { readNamedPage } from '../routing/page.ts';
import { resultOf, runStaged } from '../routing/run-staged.ts';
import { presentInvitation } from './member-routes.ts';

type InvitationRequest = RouteRequest<typeof routes.createInvitation>;

export function mountInvitationRoutes(mount: Mount): void {
  const { deps } = mount;
  const { db } = deps;

  mountRoute(mount, routes.createInvitation, async (request) => {
    const organizationId = request.organization.id;
    const publicId = await insertAudited(deps, request);
    await sendMail(deps, { request, publicId });
    const invitation = await findInvitation(db, { organizationId, publicId });
    if (!invitation) throw new NotFound('INVITATION_NOT_FOUND');
    return presentInvitation(invitation);
  });

  mountRoute(mount, routes.listInvitations, async ({ organization, query }) => {
    const page = await readNamedPage(query, 'publicId', (after) =>
      listInvitations(db, { organizationId: organization.id, ...after }),
    );
    return { invitations: page.items.map(presentInvitation), nextCursor: page.nextCursor };
  });

  mountRoute(mount, routes.revokeInvitation, async (request) => {
    await withdraw(deps, { request, publicId: request.params.inv });
  });

  mountRoute(mount, routes.previewInvitation, async ({ principal: { userId }, body: { token } }) => {
    const preview = await previewInvitation(db, { token, tokenSalt: deps.tokenSalt, userId });
    if (!preview) throw new NotFound('INVITATION_NOT_FOUND');
    return preview;
  });

  mountRoute(mount, routes.acceptInvitation, async (request) => {
    const { principal, body } = request;
    const { userId, credentialId } = principal;
    return await db.transaction(async (trx) => {
      const accepted = await acceptInvitation(trx, { token: body.token, tokenSalt: deps.tokenSalt, userId });
      if (!accepted) throw new NotFound('INVITATION_NOT_FOUND');
      const { organizationId, workspaceId, organizationPublicId, role, workspacePublicId, workspaceRole } = accepted;
      const where = { ...auditContext(request), organizationId, workspaceId };
      const reason = `accepted ${accepted.publicId}`;
      await recordAudit(trx, { ...where, action: 'member.added', targetId: credentialId, reason });
      return { organizationId: organizationPublicId, role, workspaceId: workspacePublicId, workspaceRole };
    });
  });
}

async function insertAudited(deps: ApiDeps, request: InvitationRequest): Promise<string> {
  const { organization, principal, body } = request;
  const { email, role } = body;
  const workspace = await workspaceOf(deps, request);
  const audit = auditContext(request);
  return await deps.db.transaction(async (trx) => {
    const invitation = { organizationId: organization.id, email, role, workspace, invitedBy: principal.userId };
    await enforceOrganizationLimit(trx, { organizationId: organization.id, limit: 'openInvitations' });
    // Under the limit's lock, because a concurrent removal revokes only the invitations that it sees.
    if ((await roleIn(trx, principal, organization.id)) !== 'admin') {
      throw new Forbidden('You are no longer an admin of this organization.');
    }
    const waitSeconds = await secondsUntilInvitation(trx, {
      request: invitation,
      quota: { perDay: deps.invitationsPerDay },
    });
    if (waitSeconds > 0) throw new TooManyRequests(waitSeconds);
    const publicId = await insertInvitation(trx, deps, invitation);
    const where = { ...audit, workspaceId: workspace?.id ?? null };
    await recordAudit(trx, { ...where, action: 'member.invited', targetId: publicId, reason: `role: ${role}` });
    return publicId;
  });
}

async function workspaceOf({ db }: ApiDeps, { organization, body }: InvitationRequest) {
  const { workspaceId, workspaceRole } = body;
  if (workspaceId === undefined) return null;
  const workspace = await findWorkspace(db, workspaceId);
  if (workspace?.organizationId !== organization.id) throw new NotFound('WORKSPACE_NOT_FOUND');
  return { id: workspace.id, role: workspaceRole ?? 'member' } as const;
}

interface OneInvitation {
  readonly request: Pick<
    InvitationRequest,
    'principal' | 'organization' | 'requestId' | 'callerRequestId' | 'clientAddress'
  >;
  readonly publicId: string;
}

async function withdraw({ db }: ApiDeps, { request, publicId }: OneInvitation): Promise<void> {
  await db.transaction(async (trx) => {
    const revoked = await revokeInvitation(trx, { organizationId: request.organization.id, publicId });
    if (!revoked) throw new NotFound('INVITATION_NOT_FOUND');
    await recordAudit(trx, { ...auditContext(request), action: 'invitation.revoked', targetId: publicId });
  });
}

/** Withdraws the invitation if its email is known not to have been sent. */
async function sendMail(deps: ApiDeps, invitation: OneInvitation): Promise<void> {
  const { publicId } = invitation;
  await runStaged({
    run: () => deps.starts.sendInvitation({ invitationId: publicId }),
    logUnanswered: ({ state, cause: error }) =>
      deps.log.warn('invitation.unanswered', { invitationId: publicId, state, error }),
    giveUp: async (state) => {
      if (state === 'not_started') await withdraw(deps, invitation);
      return true;
    },
    decide: resultOf,
    unknown: () =>
      new OutcomeUnknown(
        `The invitation ${publicId} was created. Its email may or may not be sent. Revoke the invitation, or wait.`,
      ),
  });
}
