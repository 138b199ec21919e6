import type { AuditContext } from '../../db/audit/record-audit.ts';
import {
  countScheduledByKey,
  findCancelled,
  listScheduledByKey,
  type ScheduledByKey,
  type ScheduledByKeyFilter,
} from '../../db/scheduled/by-key.ts';
import { cancelScheduled } from '../../db/scheduled/move.ts';
import { findKeyCredentialId } from '../../db/organizations/api-keys.ts';
import {
  MAX_COUNTED,
  MAX_SCHEDULED_BY_KEY,
  scheduledByKeyRoutes as routes,
} from '../../openapi/scheduled/by-key-routes.ts';
import { auditContext } from '../access/audit-context.ts';
import { requireCredential } from '../access/credential-viewer.ts';
import type { ApiDeps } from '../requests/deps.ts';
import { NotFound } from '../requests/errors.ts';
import type { Principal } from '../requests/state.ts';
import { type Mount, mountRoute, type RouteRequest } from '../routing/mount-route.ts';

/** A message or a post outlives the key that scheduled it, unless it is cancelled here. */
export function mountScheduledByKeyRoutes(mount: Mount): void {
  const { deps } = mount;

  mountRoute(mount, routes.listScheduledByKey, async (request) => {
    return await listOf(deps, await byKey(deps, request));
  });

  mountRoute(mount, routes.cancelScheduledByKey, async (request) => {
    return await cancelAll(deps, await byKey(deps, request), auditContext(request));
  });

  mountRoute(mount, routes.listScheduledByCredential, async ({ principal, params }) => {
    return await listOf(deps, await byCredential(deps, principal, params.ac));
  });

  mountRoute(mount, routes.cancelScheduledByCredential, async (request) => {
    const filter = await byCredential(deps, request.principal, request.params.ac);
    return await cancelAll(deps, filter, auditContext(request));
  });
}

type KeyRequest = Pick<RouteRequest<typeof routes.listScheduledByKey>, 'organization' | 'params'>;

/** The route requires an organization admin, who sees all workspaces. */
async function byKey({ db }: ApiDeps, { organization, params }: KeyRequest): Promise<ScheduledByKeyFilter> {
  const organizationId = organization.id;
  const credentialId = await findKeyCredentialId(db, { organizationId, publicId: params.key });
  if (credentialId === undefined) throw new NotFound('CREDENTIAL_NOT_FOUND');
  return { credentialId, organizationId, memberId: null };
}

async function byCredential(deps: ApiDeps, principal: Principal, credentialId: string): Promise<ScheduledByKeyFilter> {
  const { organizationId, role } = await requireCredential(deps, principal, credentialId);
  return { credentialId, organizationId, memberId: role === 'admin' ? null : principal.userId };
}

async function listOf({ db }: ApiDeps, filter: ScheduledByKeyFilter) {
  const records = await listScheduledByKey(db, { ...filter, limit: MAX_SCHEDULED_BY_KEY });
  return { scheduled: records.map(present), ...(await countScheduledByKey(db, { ...filter, limit: MAX_COUNTED })) };
}

async function cancelAll({ db }: ApiDeps, filter: ScheduledByKeyFilter, requestAudit: AuditContext) {
  const records = await listScheduledByKey(db, { ...filter, limit: MAX_SCHEDULED_BY_KEY });
  for (const record of records) {
    const { workspaceId } = record;
    await cancelScheduled(db, record, { ...requestAudit, organizationId: filter.organizationId, workspaceId });
  }
  const cancelled = await findCancelled(
    db,
    records.map(({ publicId }) => publicId),
  );
  const { messageCount, postCount } = await countScheduledByKey(db, { ...filter, limit: MAX_COUNTED });
  return {
    cancellations: records.map((record) => ({
      ...present(record),
      outcome: cancelled.has(record.publicId) ? ('cancelled' as const) : ('too_late' as const),
    })),
    remaining: messageCount + postCount,
  };
}

function present(record: ScheduledByKey) {
  const { publicId: id, channelPublicId: channelId, workspacePublicId: workspaceId } = record;
  return { ...record, id, channelId, workspaceId };
}
