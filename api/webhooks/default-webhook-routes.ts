import type { Knex } from 'knex';
import {
  type DefaultWebhookBody,
  defaultWebhookRoutes as routes,
} from '../../openapi/webhooks/default-webhook-routes.ts';
import { findOrganizationById } from '../../db/organizations/organizations.ts';
import {
  clearDefaultWebhook,
  type DefaultOwner,
  findDefaultWebhook,
  findLastDefaultVerification,
} from '../../db/webhooks/default-webhooks.ts';
import { listRolloutResults } from '../../db/webhooks/rollout-results.ts';
import { cancelRollout } from '../../db/webhooks/rollout-runs.ts';
import { findRollout, listRollouts, type RolloutRecord } from '../../db/webhooks/rollouts.ts';
import { auditContext } from '../access/audit-context.ts';
import { Conflict, NotFound } from '../requests/errors.ts';
import { type Mount, mountOperation, type OperationRequest } from '../routing/operation.ts';
import { readNumberedPage, readPage } from '../routing/page.ts';
import { presentResult, presentRollout } from './present-rollout.ts';
import { presentVerification } from './present-verification.ts';
import { saveDefaultWebhook } from './save-default-webhook.ts';
import { applyDefaultWebhook } from './start-rollout.ts';

type OwnerRequest = Pick<
  OperationRequest<typeof routes.getOrganizationDefaultWebhook>,
  'organization' | 'principal'
> & {
  readonly workspace: OperationRequest<typeof routes.getWorkspaceDefaultWebhook>['workspace'] | undefined;
  readonly params: Readonly<Record<string, string>>;
};

/** The routes of organizations and of workspaces differ only in the owner. */
export function mountDefaultWebhookRoutes(mount: Mount): void {
  for (const owner of ['Organization', 'Workspace'] as const) {
    mountDefault(mount, owner);
    mountRollouts(mount, owner);
  }
}

type OwnerKind = 'Organization' | 'Workspace';

function mountDefault(mount: Mount, kind: OwnerKind): void {
  const { deps } = mount;
  const { db } = deps;

  mountOperation(mount, routes[`get${kind}DefaultWebhook`], (request) => present(db, ownerOf(request)));

  mountOperation(mount, routes[`put${kind}DefaultWebhook`], async (request) => {
    const owner = ownerOf(request);
    const { webhookUrl: url, verifyToken } = request.body;
    await saveDefaultWebhook(deps, { owner, url, verifyToken, audit: auditContext(request) });
    return await present(db, owner);
  });

  mountOperation(mount, routes[`delete${kind}DefaultWebhook`], async (request) => {
    await clearDefaultWebhook(db, { ...ownerOf(request), audit: auditContext(request) });
  });

  mountOperation(mount, routes[`apply${kind}DefaultWebhook`], async (request) => {
    const { body: input, idempotencyKey } = request;
    const audit = auditContext(request);
    return presentRollout(await applyDefaultWebhook(deps, { owner: ownerOf(request), input, idempotencyKey, audit }));
  });
}

function mountRollouts(mount: Mount, kind: OwnerKind): void {
  const { db } = mount.deps;

  mountOperation(mount, routes[`list${kind}Rollouts`], async (request) => {
    const { query } = request;
    const page = await readPage(query.limit, {
      read: (limit) => listRollouts(db, { ...ownerOf(request), after: query.cursor, limit }),
      cursorOf: ({ publicId }) => publicId,
    });
    return { rollouts: page.items.map(presentRollout), nextCursor: page.nextCursor };
  });

  mountOperation(mount, routes[`get${kind}Rollout`], async (request) => {
    return presentRollout(await requireRollout(db, ownerOf(request), request.params.dwr));
  });

  mountOperation(mount, routes[`list${kind}RolloutResults`], async (request) => {
    const { outcome, cursor, limit } = request.query;
    const { id: rolloutId } = await requireRollout(db, ownerOf(request), request.params.dwr);
    const page = await readNumberedPage(
      { cursor, limit, idKey: mount.deps.idKey, list: 'rolloutResults' },
      ({ before: after, limit: count }) => listRolloutResults(db, { rolloutId, outcome, after, limit: count }),
    );
    return { results: page.items.map(presentResult), nextCursor: page.nextCursor };
  });

  /** Cancelling a cancelled rollout changes nothing. */
  mountOperation(mount, routes[`cancel${kind}Rollout`], async (request) => {
    const owner = ownerOf(request);
    const { publicId } = await requireRollout(db, owner, request.params.dwr);
    await cancelRollout(db, { publicId, audit: auditContext(request) });
    const rollout = await requireRollout(db, owner, publicId);
    if (rollout.status !== 'cancelled')
      throw new Conflict('ROLLOUT_ENDED', `The rollout has ended: ${rollout.status}.`);
    return presentRollout(rollout);
  });
}

function ownerOf({ organization, workspace, params }: OwnerRequest): DefaultOwner {
  const publicId = workspace?.publicId ?? params.org;
  if (publicId === undefined) throw new Error('The route names neither an organization nor a workspace');
  return { organizationId: organization.id, workspaceId: workspace?.id ?? null, publicId };
}

async function requireRollout(db: Knex, owner: DefaultOwner, publicId: string): Promise<RolloutRecord> {
  const rollout = await findRollout(db, publicId);
  const isOwn = rollout?.organizationId === owner.organizationId && rollout.workspaceId === owner.workspaceId;
  if (!isOwn) throw new NotFound('ROLLOUT_NOT_FOUND');
  return rollout;
}

async function present(db: Knex, owner: DefaultOwner): Promise<DefaultWebhookBody> {
  const { organizationId, workspaceId, publicId } = owner;
  const [organization, own, inherited, verification] = await Promise.all([
    findOrganizationById(db, organizationId),
    findDefaultWebhook(db, owner),
    workspaceId === null ? undefined : findDefaultWebhook(db, { organizationId, workspaceId: null }),
    findLastDefaultVerification(db, owner),
  ]);
  if (!organization) throw new NotFound('ORGANIZATION_NOT_FOUND');
  return {
    organizationId: organization.publicId,
    workspaceId: workspaceId === null ? null : publicId,
    webhookUrl: own?.url ?? null,
    verifiedAt: own?.verifiedAt.toISOString() ?? null,
    inheritedWebhookUrl: inherited?.url ?? null,
    lastVerification: presentVerification(verification),
  };
}
