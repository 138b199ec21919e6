import { sessionRoutes as routes } from '../../openapi/people/session-routes.ts';
import { recordAudit, recordPersonAudit } from '../../db/audit/record-audit.ts';
import { ensureInvitedPerson } from '../../db/people/ensure-person.ts';
import { type Membership, organizationOfKey, organizationsOfUser } from '../../db/people/memberships.ts';
import { endSession, endSessionsOf } from '../../db/people/sessions.ts';
import { publicIdsOf } from '../../db/organizations/workspaces.ts';
import { getUser } from '../../db/people/users.ts';
import { auditActor } from '../access/audit-context.ts';
import { roleIn } from '../access/tenancy.ts';
import { authRequired } from '../access/authenticate.ts';
import { knownBrowserCookie, knownBrowserHash, knownBrowsersCookieName } from './known-browsers.ts';
import { shownOwnEmail } from '../access/shown-people.ts';
import { endedSessionCookie, sessionCookie } from '../access/session-cookie.ts';
import { refreshSession, startSession } from './start-session.ts';
import type { ApiDeps } from '../requests/deps.ts';
import { redeemCode, requestCode } from './email-code.ts';
import { mountOpenRoute, type OpenRequest } from '../routing/mount-open-route.ts';
import { type Mount, mountRoute } from '../routing/mount-route.ts';
import type { Principal } from '../requests/state.ts';

export function mountSessionRoutes(mount: Mount): void {
  mountSignIn(mount);
  mountSignOut(mount);
  const { deps } = mount;

  mountOpenRoute(mount, routes.refreshSession, async (request) => {
    const { body, requestId, callerRequestId, clientAddress } = request;
    const refreshing = await deps.db.transaction(async (trx) => {
      const outcome = await refreshSession(trx, deps, body.refreshToken);
      if (outcome.state === 'reused') {
        const reason = 'a refresh token was shown a second time';
        const end = { ...ended(outcome.userPublicId), userId: outcome.userId };
        await recordPersonAudit(trx, { ...end, reason, requestId, callerRequestId, clientAddress });
      }
      return outcome;
    });
    if (refreshing.state === 'refreshed') return refreshing.tokens;
    await deps.rateLimits?.countFailure(request);
    throw authRequired(deps);
  });

  mountRoute(mount, routes.getSession, async ({ principal }) => {
    const { publicId, email } = await getUser(deps.db, principal.userId);
    const { kind, credentialId: id, scopes, workspaceIds } = principal;
    return {
      user: { id: publicId, email: shownOwnEmail(principal, email) },
      organizations: await organizationsOf(deps, principal),
      credential: {
        kind,
        id,
        scopes,
        workspaceIds: workspaceIds && (await publicIdsOf(deps.db, workspaceIds)),
      },
    };
  });
}

function mountSignIn(mount: Mount): void {
  const { deps } = mount;

  mountOpenRoute(mount, routes.signIn, async ({ body, clientAddress, cookie }) => {
    const shown = cookie(knownBrowsersCookieName(deps));
    const registration = await requestCode(deps, {
      purpose: 'sign_in',
      email: body.email,
      scopes: null,
      organizationId: null,
      clientAddress,
      browserHash: knownBrowserHash(deps, { email: body.email, shown }),
    });
    return {
      registrationId: registration.publicId,
      expiresAt: registration.expiresAt,
      message: 'A code of six digits is on its way to this address.',
    };
  });

  mountOpenRoute(mount, routes.completeSignIn, async (request) => {
    const { user, started, createdOrganizationId } = await completeSignIn(deps, request);
    request.addCookie(sessionCookie(deps, started.cookieToken));
    const shown = request.cookie(knownBrowsersCookieName(deps));
    request.addCookie(knownBrowserCookie(deps, { email: user.email, shown }));
    const organizations = (await organizationsOfUser(deps.db, user.id)).map(presentMembership);
    const person = { id: user.publicId, email: user.email };
    return { user: person, organizations, createdOrganizationId, ...started.tokens };
  });
}

async function completeSignIn(deps: ApiDeps, request: OpenRequest<typeof routes.completeSignIn>) {
  const { body, requestId, callerRequestId, clientAddress, userAgent } = request;
  const redemption = { purpose: 'sign_in', ...body, requestId, clientAddress } as const;
  return await redeemCode(deps, redemption, async (trx, { email }) => {
    const person = await ensureInvitedPerson(trx, { email });
    const { user } = person;
    const started = await startSession(trx, deps, { user, userAgent });
    const audit = { actor: { type: 'user', id: user.publicId }, requestId, callerRequestId, clientAddress } as const;
    if (person.isNew) {
      const { organizationId, organizationPublicId } = person;
      const created = { organizationId, action: 'organization.created', targetId: organizationPublicId };
      await recordAudit(trx, { ...audit, ...created });
    }
    await recordPersonAudit(trx, { ...audit, userId: user.id, action: 'session.started' });
    return { user, started, createdOrganizationId: person.isNew ? person.organizationPublicId : null };
  });
}

function mountSignOut(mount: Mount): void {
  const { deps } = mount;

  mountRoute(mount, routes.signOut, async ({ principal, requestId, callerRequestId, clientAddress, setHeader }) => {
    const { sessionId, credentialId } = principal;
    await deps.db.transaction(async (trx) => {
      if (sessionId === null || !(await endSession(trx, sessionId))) return;
      const end = { ...ended(credentialId), actor: auditActor(principal), userId: principal.userId };
      await recordPersonAudit(trx, { ...end, requestId, callerRequestId, clientAddress });
    });
    setHeader('set-cookie', endedSessionCookie(deps));
  });

  mountRoute(
    mount,
    routes.signOutEverywhere,
    async ({ principal, requestId, callerRequestId, clientAddress, setHeader }) => {
      await deps.db.transaction(async (trx) => {
        const sessionCount = await endSessionsOf(trx, principal.userId);
        const reason = `everywhere: ${sessionCount} sessions`;
        const end = { ...ended(principal.credentialId), userId: principal.userId };
        await recordPersonAudit(trx, { ...end, reason, requestId, callerRequestId, clientAddress });
      });
      setHeader('set-cookie', endedSessionCookie(deps));
    },
  );
}

async function organizationsOf({ db }: ApiDeps, principal: Principal) {
  const { userId, organization } = principal;
  if (!organization) return (await organizationsOfUser(db, userId)).map(presentMembership);
  const role = (await roleIn(db, principal, organization.id)) ?? 'member';
  return (await organizationOfKey(db, { id: organization.id, role })).map(presentMembership);
}

function ended(userPublicId: string) {
  const actor = { type: 'user', id: userPublicId } as const;
  return { actor, action: 'session.ended', targetId: userPublicId };
}

function presentMembership(membership: Membership) {
  return { ...membership, organizationId: membership.organizationPublicId };
}
