import type { Knex } from 'knex';
import { type OnboardingLinkBody, onboardingRoutes as routes } from '../../openapi/onboarding/routes.ts';
import { recordAudit } from '../../db/audit/record-audit.ts';
import { enforceOrganizationLimit } from '../../db/organizations/limits.ts';
import {
  changeOnboardingLink,
  findOnboardingLink,
  insertOnboardingLink,
  type LinkChange,
  type LinkKey,
  linkToken,
  listOnboardingLinks,
  lockUnrevokedLink,
  regenerateOnboardingLink,
  revokeOnboardingLink,
} from '../../db/onboarding/links.ts';
import type { LastNotification, LinkReturns, OnboardingLink, ShownLink } from '../../db/onboarding/link-record.ts';
import { findWorkspace } from '../../db/organizations/workspaces.ts';
import { auditActor } from '../access/audit-context.ts';
import { NotFound } from '../requests/errors.ts';
import { type Mount, mountRoute } from '../routing/mount-route.ts';
import { readNamedPage } from '../routing/page.ts';
import type { Principal } from '../requests/state.ts';
import { parseUrl } from '../destinations/parse-url.ts';
import type { ApiDeps } from '../requests/deps.ts';
import { sealedContexts } from '../../db/core/sealed-columns.ts';
import type { SecretBox } from '../../db/core/secret-box.ts';

export function mountOnboardingLinkRoutes(mount: Mount): void {
  const { deps } = mount;
  const { db } = deps;

  mountRoute(mount, routes.createOnboardingLink, async ({ organization, principal, body, ...request }) => {
    const organizationId = organization.id;
    const workspaceId = await workspaceOf(db, organizationId, body.workspaceId ?? null);
    const { label, channelType } = body;
    const returns = linkReturnsOf(deps, body);
    const link = { organizationId, workspaceId, label, channelType, createdBy: principal.userId, ...returns };
    const publicId = await db.transaction(async (trx) => {
      await enforceOrganizationLimit(trx, { organizationId, limit: 'onboardingLinks' });
      const id = await insertOnboardingLink(trx, deps, link);
      await audit(trx, { key: { organizationId, publicId: id }, principal, act: 'created', ...request });
      return id;
    });
    return await presentOne({ organizationId, publicId });
  });

  mountRoute(mount, routes.listOnboardingLinks, async ({ organization, query }) => {
    const page = await readNamedPage(query, 'publicId', (after) =>
      listOnboardingLinks(db, { organizationId: organization.id, ...after }),
    );
    const onboardingLinks = page.items.map((link) => presentOnboardingLink(link, deps));
    return { onboardingLinks, nextCursor: page.nextCursor };
  });

  mountRoute(mount, routes.getOnboardingLink, ({ organization, params }) =>
    presentOne({ organizationId: organization.id, publicId: params.ol }),
  );

  mountRoute(mount, routes.changeOnboardingLink, async ({ organization, params, body, ...request }) => {
    const key = { organizationId: organization.id, publicId: params.ol };
    const workspaceId =
      body.workspaceId === undefined ? undefined : await workspaceOf(db, organization.id, body.workspaceId);
    const change = { ...linkReturnsOf(deps, body), label: body.label, workspaceId };
    await db.transaction(async (trx) => {
      const present = await lockUnrevokedLink(trx, key);
      if (present && isReopened(present, change)) {
        await enforceOrganizationLimit(trx, { organizationId: organization.id, limit: 'onboardingLinks' });
      }
      if (!(await changeOnboardingLink(trx, deps.secretBox, { key, change }))) throw notFound();
      await audit(trx, { key, act: 'changed', ...request });
    });
    return await presentOne(key);
  });

  mountRoute(mount, routes.revokeOnboardingLink, async ({ organization, params, ...request }) => {
    const key = { organizationId: organization.id, publicId: params.ol };
    await db.transaction(async (trx) => {
      if (await revokeOnboardingLink(trx, key)) await audit(trx, { key, act: 'revoked', ...request });
      else if (!(await findOnboardingLink(trx, key))) throw notFound(); // a link may be revoked again
    });
  });

  mountRoute(mount, routes.regenerateOnboardingLink, async ({ organization, params, ...request }) => {
    const key = { organizationId: organization.id, publicId: params.ol };
    await db.transaction(async (trx) => {
      if (!(await regenerateOnboardingLink(trx, deps, key))) throw notFound();
      await audit(trx, { key, act: 'regenerated', ...request });
    });
    return await presentOne(key);
  });

  async function presentOne(key: LinkKey) {
    const link = await findOnboardingLink(db, key);
    if (!link) throw notFound();
    return presentOnboardingLink(link, deps);
  }
}

async function workspaceOf(db: Knex, organizationId: number, publicId: string | null): Promise<number | null> {
  if (publicId === null) return null;
  const workspace = await findWorkspace(db, publicId);
  if (workspace?.organizationId !== organizationId) throw new NotFound('WORKSPACE_NOT_FOUND');
  return workspace.id;
}

/** A link that has ended does not count towards the limit, so it needs a place again. */
function isReopened(link: OnboardingLink, change: LinkChange): boolean {
  const { expiresAt, maxUses, useCount } = { ...link, ...change };
  const hasEnded = (expiresAt !== null && expiresAt <= new Date()) || (maxUses !== null && useCount >= maxUses);
  return (link.isExpired || link.isUsedUp) && !hasEnded;
}

interface LinkAct {
  readonly key: LinkKey;
  readonly act: 'created' | 'changed' | 'revoked' | 'regenerated';
  readonly principal: Principal;
  readonly requestId: string;
  readonly callerRequestId: string | null;
  readonly clientAddress: string;
}

async function audit(
  trx: Knex,
  { key, act, principal, requestId, callerRequestId, clientAddress }: LinkAct,
): Promise<void> {
  await recordAudit(trx, {
    organizationId: key.organizationId,
    actor: auditActor(principal),
    action: `onboardingLink.${act}`,
    targetId: key.publicId,
    requestId,
    callerRequestId,
    clientAddress,
  });
}

const notFound = (): NotFound => new NotFound('ONBOARDING_LINK_NOT_FOUND');

interface ReturnsBody {
  readonly successUrl?: string | null | undefined;
  readonly failureUrl?: string | null | undefined;
  readonly connectedNotificationUrl?: string | null | undefined;
  readonly externalId?: string | null | undefined;
  readonly displayName?: string | null | undefined;
  readonly logoUrl?: string | null | undefined;
  readonly maxUses?: number | null | undefined;
  readonly expiresAt?: string | null | undefined;
}

/** Stores URLs as the parser writes them, so that browsers and pages read them alike. Leaves out missing fields. */
function linkReturnsOf(deps: ApiDeps, body: ReturnsBody): Partial<LinkReturns> {
  const { expiresAt, externalId, displayName, maxUses } = body;
  const checked = (
    field: 'successUrl' | 'failureUrl' | 'connectedNotificationUrl' | 'logoUrl',
  ): string | null | undefined => {
    const url = body[field];
    return url === undefined || url === null ? url : parseUrl(deps, field, url);
  };
  const returns = {
    externalId,
    displayName,
    maxUses,
    successUrl: checked('successUrl'),
    failureUrl: checked('failureUrl'),
    notificationUrl: checked('connectedNotificationUrl'),
    logoUrl: checked('logoUrl'),
    expiresAt: typeof expiresAt === 'string' ? new Date(expiresAt) : expiresAt,
  };
  return Object.fromEntries(Object.entries(returns).filter(([, value]) => value !== undefined));
}

function presentOnboardingLink(link: ShownLink, { secretBox, baseUrl }: { secretBox: SecretBox; baseUrl: string }) {
  const { lastNotification } = link;
  return {
    ...link,
    onboardingLinkId: link.publicId,
    url: link.revoked ? null : `${baseUrl}/connect/${linkToken(secretBox, link)}`,
    workspaceId: link.workspacePublicId,
    connectedNotificationUrl: link.notificationUrl,
    notificationSecret: link.revoked ? null : notificationSecret(secretBox, link),
    status: statusOf(link),
    lastNotification: lastNotification && presentNotification(lastNotification),
  };
}

function presentNotification({ connectedAt, outcome, ...others }: LastNotification) {
  return { ...others, state: outcome ?? ('pending' as const), connectedAt: new Date(connectedAt) };
}

function statusOf({ revoked, isExpired, isUsedUp }: OnboardingLink): OnboardingLinkBody['status'] {
  if (revoked) return 'revoked';
  if (isExpired) return 'expired';
  return isUsedUp ? 'used_up' : 'active';
}

function notificationSecret(secretBox: SecretBox, { publicId, sealedNotificationSecret }: OnboardingLink) {
  if (sealedNotificationSecret === null) return null;
  return secretBox.open(sealedNotificationSecret, sealedContexts.onboardingNotificationSecret(publicId));
}
