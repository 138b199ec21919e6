import type { Knex } from 'knex';
import { defaultWebhookRoutes as routes } from '../../openapi/webhooks/default-webhook-routes.ts';
import { findOrganizationById } from '../../db/organizations/organizations.ts';
import {
  clearDefaultWebhook,
  type DefaultOwner,
  findDefaultWebhook,
  findLastDefaultVerification,
} from '../../db/webhooks/default-webhooks.ts';
import { cancelRollout, listRolloutResults, type RolloutResult } from '../../db/webhooks/rollout-runs.ts';
import { createRollout, findRollout, listRollouts, type RolloutRecord } from '../../db/webhooks/rollouts.ts';
import { auditContext } from '../access/audit-context.ts';
import { Conflict, KeyReused, NotFound } from '../requests/errors.ts';
import { type Mount, mountRoute, type RouteRequest } from '../routing/mount-route.ts';
import { readNumberedPage, readNamedPage } from '../routing/page.ts';
import { presentVerification } from './present-verification.ts';
import { saveDefaultWebhook } from './save-default-webhook.ts';
import { webhookRolloutWorkflowId } from '../../contract/ids.ts';
import type { AuditContext } from '../../db/audit/record-audit.ts';
import type { RolloutStart } from '../../contract/webhooks/rollout.ts';
import type { ApiDeps } from '../requests/deps.ts';
import { keyHash, requestHash } from '../routing/request-hash.ts';

type OwnerRequest = Pick<RouteRequest<typeof routes.getOrganizationDefaultWebhook>, 'organization' | 'principal'> & {
  readonly workspace: RouteRequest<typeof routes.getWorkspaceDefaultWebhook>['workspace'] | undefined;
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

  mountRoute(mount, routes[`get${kind}DefaultWebhook`], (request) => present(db, ownerOf(request)));

  mountRoute(mount, routes[`put${kind}DefaultWebhook`], async (request) => {
    const owner = ownerOf(request);
    const { webhookUrl: url, verifyToken } = request.body;
    await saveDefaultWebhook(deps, { owner, url, verifyToken, audit: auditContext(request) });
    return await present(db, owner);
  });

  mountRoute(mount, routes[`delete${kind}DefaultWebhook`], async (request) => {
    await clearDefaultWebhook(db, { ...ownerOf(request), audit: auditContext(request) });
  });

  mountRoute(mount, routes[`apply${kind}DefaultWebhook`], async (request) => {
    const { body: input, idempotencyKey } = request;
    const audit = auditContext(request);
    return presentRollout(await applyDefaultWebhook(deps, { owner: ownerOf(request), input, idempotencyKey, audit }));
  });
}

function mountRollouts(mount: Mount, kind: OwnerKind): void {
  const { db } = mount.deps;

  mountRoute(mount, routes[`list${kind}Rollouts`], async (request) => {
    const { query } = request;
    const page = await readNamedPage(query, 'publicId', (after) => listRollouts(db, { ...ownerOf(request), ...after }));
    return { rollouts: page.items.map(presentRollout), nextCursor: page.nextCursor };
  });

  mountRoute(mount, routes[`get${kind}Rollout`], async (request) => {
    return presentRollout(await requireRollout(db, ownerOf(request), request.params.dwr));
  });

  mountRoute(mount, routes[`list${kind}RolloutResults`], async (request) => {
    const { outcome, cursor, limit } = request.query;
    const { id: rolloutId } = await requireRollout(db, ownerOf(request), request.params.dwr);
    const page = await readNumberedPage(
      { cursor, limit, idKey: mount.deps.idKey, list: 'rolloutResults' },
      ({ before: after, limit: count }) => listRolloutResults(db, { rolloutId, outcome, after, limit: count }),
    );
    return { results: page.items.map(presentResult), nextCursor: page.nextCursor };
  });

  /** Cancelling a cancelled rollout changes nothing. */
  mountRoute(mount, routes[`cancel${kind}Rollout`], async (request) => {
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

async function present(db: Knex, owner: DefaultOwner) {
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
    verifiedAt: own?.verifiedAt ?? null,
    inheritedWebhookUrl: inherited?.url ?? null,
    lastVerification: presentVerification(verification),
  };
}

function presentRollout(rollout: RolloutRecord) {
  const { publicId, channelPublicId } = rollout;
  return {
    ...rollout,
    rolloutId: publicId,
    workspaceId: rollout.workspacePublicId,
    trigger: channelPublicId === null ? ('requested' as const) : ('connected' as const),
    channelId: channelPublicId,
    workflowId: webhookRolloutWorkflowId(publicId),
  };
}

function presentResult(result: RolloutResult) {
  return { ...result, channelId: result.channelPublicId, workspaceId: result.workspacePublicId };
}

interface RolloutRequest {
  readonly owner: DefaultOwner;
  readonly input: { readonly dryRun: boolean; readonly replaceOwn: boolean };
  readonly idempotencyKey: string | null;
  readonly audit: AuditContext;
}

/** The rollout exists once it is committed. Temporal outages only delay it. */
async function applyDefaultWebhook(deps: ApiDeps, request: RolloutRequest): Promise<RolloutRecord> {
  const { owner, input, idempotencyKey, audit } = request;
  const key =
    idempotencyKey === null
      ? null
      : { keyHash: keyHash(idempotencyKey), requestHash: requestHash({ ...input, owner: owner.publicId }) };
  const created = await createRollout(deps.db, { ...owner, ...input, key, audit });
  switch (created.outcome) {
    case 'not_set':
      throw new Conflict('DEFAULT_WEBHOOK_NOT_SET', 'No default webhook is set. Set one first.');
    case 'key_reused':
      throw new KeyReused('rollout');
    case 'running': {
      const advice = `Wait until ${created.rolloutId} ends, or cancel it.`;
      throw new Conflict('ROLLOUT_RUNNING', `A rollout of this default webhook is running. ${advice}`);
    }
    case 'created':
    case 'repeated': {
      const { publicId: rolloutId, workspacePublicId: workspaceId } = created.rollout;
      await startRollouts(deps, [{ rolloutId, workspaceId }]);
      return created.rollout;
    }
  }
}

/** If a start fails, a worker starts the rollout later. */
export async function startRollouts(
  { starts, log }: Pick<ApiDeps, 'log'> & { readonly starts: Pick<ApiDeps['starts'], 'rollOutWebhook'> },
  rollouts: readonly RolloutStart[],
): Promise<void> {
  for (const rollout of rollouts) {
    const started = await starts.rollOutWebhook(rollout);
    if (started.state === 'ended') continue;
    log.warn('rollout.startFailed', { rolloutId: rollout.rolloutId, error: started.cause });
  }
}
