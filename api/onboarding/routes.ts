import type { Knex } from 'knex';
import { onboardingRoutes as routes } from '../../openapi/onboarding/routes.ts';
import { recordAudit } from '../../db/audit/record-audit.ts';
import { enforceOrganizationLimit } from '../../db/organizations/limits.ts';
import {
  changeOnboardingLink,
  findOnboardingLink,
  insertOnboardingLink,
  type LinkChange,
  type LinkKey,
  listOnboardingLinks,
  lockUnrevokedLink,
  regenerateOnboardingLink,
  revokeOnboardingLink,
} from '../../db/onboarding/links.ts';
import type { OnboardingLink } from '../../db/onboarding/link-record.ts';
import { findWorkspace } from '../../db/organizations/workspaces.ts';
import { auditActor } from '../access/audit-context.ts';
import { NotFound } from '../requests/errors.ts';
import { type Mount, mountOperation } from '../routing/operation.ts';
import { readPage } from '../routing/page.ts';
import { linkReturnsOf } from './link-returns.ts';
import { presentOnboardingLink } from './present.ts';
import type { Principal } from '../requests/state.ts';

export function mountOnboardingLinkRoutes(mount: Mount): void {
  const { deps } = mount;
  const { db } = deps;

  mountOperation(mount, routes.createOnboardingLink, async ({ organization, principal, body, ...request }) => {
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

  mountOperation(mount, routes.listOnboardingLinks, async ({ organization, query }) => {
    const page = await readPage(query.limit, {
      read: (limit) => listOnboardingLinks(db, { organizationId: organization.id, after: query.cursor, limit }),
      cursorOf: ({ publicId }) => publicId,
    });
    const onboardingLinks = page.items.map((link) => presentOnboardingLink(link, deps));
    return { onboardingLinks, nextCursor: page.nextCursor };
  });

  mountOperation(mount, routes.getOnboardingLink, ({ organization, params }) =>
    presentOne({ organizationId: organization.id, publicId: params.ol }),
  );

  mountOperation(mount, routes.changeOnboardingLink, async ({ organization, params, body, ...request }) => {
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

  mountOperation(mount, routes.revokeOnboardingLink, async ({ organization, params, ...request }) => {
    const key = { organizationId: organization.id, publicId: params.ol };
    await db.transaction(async (trx) => {
      if (await revokeOnboardingLink(trx, key)) await audit(trx, { key, act: 'revoked', ...request });
      else if (!(await findOnboardingLink(trx, key))) throw notFound(); // a link may be revoked again
    });
  });

  mountOperation(mount, routes.regenerateOnboardingLink, async ({ organization, params, ...request }) => {
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
