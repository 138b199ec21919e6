import { staffStatusRoutes as routes } from '../../openapi/staff/status-routes.ts';
import { recordStaffSearch } from '../access/staff-audit.ts';
import { type Mount, mountRoute } from '../routing/mount-route.ts';

export function mountStaffStatusRoutes(mount: Mount): void {
  const { db, installationStatus, namespaceState, taskQueues } = mount.deps;

  mountRoute(mount, routes.readStatus, async (request) => {
    const { reason } = request.query;
    await recordStaffSearch(db, request, { action: 'status.read', organizationIds: [], reason });
    const [status, state, queues] = await Promise.all([installationStatus(), namespaceState(), taskQueues()]);
    return { readAt: new Date(), ...status, temporal: { state, taskQueues: queues ?? null } };
  });
}
