import { healthReasons, MIN_CHECK_INTERVAL_MS } from '../../contract/channels/health.ts';
import { recordAudit } from '../../db/audit/record-audit.ts';
import { findHealth, type HealthRecord, listHealth } from '../../db/channels/health.ts';
import type { ChannelRecord } from '../../db/channels/records.ts';
import { channelHealthRoutes as routes } from '../../openapi/channels/health-routes.ts';
import { auditContext } from '../access/audit-context.ts';
import { NotFound, WorkflowUnavailable } from '../requests/errors.ts';
import { disconnected } from '../requests/uncallable.ts';
import { type Mount, mountRoute } from '../routing/mount-route.ts';
import { readNamedPage } from '../routing/page.ts';

export function mountChannelHealthRoutes(mount: Mount): void {
  const { db, readDb, starts, log } = mount.deps;

  mountRoute(mount, routes.getAccountHealth, async ({ channel }) => presentHealth(await read(channel)));

  mountRoute(mount, routes.refreshAccountHealth, async (request) => {
    const { channel } = request;
    if (!channel.connected) {
      throw disconnected();
    }
    const before = await read(channel);
    if (isRecent(before)) return presentHealth(before);
    await check(channel);
    await recordAudit(db, { ...auditContext(request), action: 'channelHealth.checked', targetId: channel.publicId });
    return presentHealth(await read(channel));
  });

  mountRoute(mount, routes.listAccountHealth, async ({ workspace, query }) => {
    const page = await readNamedPage(query, 'channelPublicId', (after) =>
      listHealth(readDb, { workspaceId: workspace.id, status: query.status, ...after }),
    );
    return { channels: page.items.map(presentHealth), nextCursor: page.nextCursor };
  });

  async function read({ id }: ChannelRecord): Promise<HealthRecord> {
    const health = await findHealth(db, id);
    if (!health) throw new NotFound('CHANNEL_NOT_FOUND');
    return health;
  }

  /** A check that does not end in time continues, and the stored result is returned. */
  async function check({ publicId: channelId, workspacePublicId: workspaceId }: ChannelRecord): Promise<void> {
    const started = await starts.checkHealth({ channelId, workspaceId });
    if (started.state === 'ended') return;
    log.warn('channelHealth.unanswered', { channelId, error: started.cause });
    if (started.state === 'not_started') throw new WorkflowUnavailable();
  }
}

/** Bounds how often one channel makes the service call the platform. */
function isRecent({ checkedAt, failedAt }: HealthRecord): boolean {
  const lastMs = Math.max(checkedAt?.getTime() ?? 0, failedAt?.getTime() ?? 0);
  return Date.now() - lastMs < MIN_CHECK_INTERVAL_MS;
}

function presentHealth(health: HealthRecord) {
  const { permissionsGranted, permissionsMissing, subscribedFields, missingFields, failure, failedAt } = health;
  const permissions = permissionsGranted &&
    permissionsMissing && { granted: permissionsGranted, missing: permissionsMissing };
  return {
    ...health,
    channelId: health.channelPublicId,
    reasons: health.reasons.map((code) => ({ code, ...healthReasons[code] })),
    lastFailure: failure && failedAt && { code: failure, at: failedAt },
    permissions,
    subscription: subscribedFields && missingFields && { fields: subscribedFields, missing: missingFields },
  };
}
