import { staffRoutes as routes } from '../../openapi/staff/routes.ts';
import { recordAudit } from '../../db/audit/record-audit.ts';
import { findOrganizationById } from '../../db/organizations/organizations.ts';
import { listDestinationHealth } from '../../db/destinations/health.ts';
import { findChannelsOfResource } from '../../db/staff/find-channels.ts';
import { listStaffAuditRecords } from '../../db/staff/list-staff-audit-records.ts';
import { recordStaffSearch, staffAudit } from '../access/staff-audit.ts';
import { NotFound } from '../requests/errors.ts';
import { type Mount, mountRoute } from '../routing/mount-route.ts';
import { readNumberedPage } from '../routing/page.ts';
import { presentDestinationHealth, presentStaffAuditEntry, presentStaffChannel } from './present.ts';
import { channelLinks, temporalUiOf } from '../routing/temporal-links.ts';
import { mountStaffReplayRoutes } from './replay-routes.ts';
import { mountStaffStatusRoutes } from './status-routes.ts';
import { mountStaffDeliveryRoutes } from './delivery-routes.ts';
import { mountUnroutedRoutes } from './unrouted-routes.ts';
import { type InvariantRule, invariantRules } from '../../contract/upkeep/invariants.ts';
import { readInvariants } from '../../db/upkeep/invariant-runs.ts';

/** Records each read before it returns data. */
export function mountStaffRoutes(mount: Mount): void {
  mountStaffDeliveryRoutes(mount);
  mountStaffReplayRoutes(mount);
  mountChannelSearch(mount);
  mountChannelHealth(mount);
  mountUnroutedRoutes(mount);
  mountInvariantRoutes(mount);
  mountStaffStatusRoutes(mount);
  const { db, readDb } = mount.deps;

  mountRoute(mount, routes.listStaffAuditEntries, async (request) => {
    const { query } = request;
    const { action, actor, reason } = query;
    const page = await readNumberedPage({ ...query, idKey: mount.deps.idKey, list: 'staffAuditEntries' }, (range) =>
      listStaffAuditRecords(readDb, { action, actorId: actor, ...range }),
    );
    // These are staff actions, which each organization already sees in its own audit log.
    const act = { action: 'auditEntry.searched', organizationIds: [], reason, targetId: actor };
    await recordStaffSearch(db, request, act);
    return { entries: page.items.map(presentStaffAuditEntry), nextCursor: page.nextCursor };
  });
}

function mountChannelSearch(mount: Mount): void {
  const { db, readDb, idKey } = mount.deps;

  mountRoute(mount, routes.listStaffChannels, async (request) => {
    const { query } = request;
    const { resourceId, reason } = query;
    const list = 'staffChannels';
    const page = await readNumberedPage({ ...query, idKey, list }, async ({ before = Infinity, limit }) =>
      (await findChannelsOfResource(readDb, resourceId)).filter(({ id }) => id < before).slice(0, limit),
    );
    const organizationIds = [...new Set(page.items.map(({ organizationId }) => organizationId))];
    await recordStaffSearch(db, request, { action: 'channel.searched', organizationIds, reason, targetId: resourceId });
    return { channels: page.items.map(presentStaffChannel), nextCursor: page.nextCursor };
  });
}

function mountChannelHealth(mount: Mount): void {
  const { db } = mount.deps;
  const ui = temporalUiOf(mount.deps);

  mountRoute(mount, routes.getChannelHealth, async (request) => {
    const { channel, query } = request;
    const [organization, health] = await Promise.all([
      findOrganizationById(db, channel.organizationId),
      listDestinationHealth(db, channel.id),
    ]);
    if (!organization) throw new NotFound('CHANNEL_NOT_FOUND');
    const audit = staffAudit(request, { ...channel, reason: query.reason });
    await recordAudit(db, { ...audit, action: 'channel.read', targetId: channel.publicId });
    const sent = health.filter(({ type }) => type !== 'listener');
    const oldestAtMs = Math.min(...sent.map(({ oldestWaitingAt }) => oldestWaitingAt?.getTime() ?? Infinity));
    return {
      ...channel,
      channelId: channel.publicId,
      organizationId: organization.publicId,
      organizationName: organization.name,
      workspaceId: channel.workspacePublicId,
      destinations: health.map((destination) => presentDestinationHealth(destination, { channel, ui })),
      waiting: {
        pending: sent.reduce((sum, { pendingCount }) => sum + pendingCount, 0),
        retrying: sent.reduce((sum, { retryingCount }) => sum + retryingCount, 0),
      },
      oldestWaitingSeconds: oldestAtMs === Infinity ? null : Math.max(0, Math.round((Date.now() - oldestAtMs) / 1_000)),
      temporalUrls: channelLinks(ui, channel.publicId),
    };
  });
}

function mountInvariantRoutes(mount: Mount): void {
  const { db } = mount.deps;
  mountRoute(mount, routes.readInvariants, async (request) => {
    const { reason } = request.query;
    await recordStaffSearch(db, request, { action: 'invariant.read', organizationIds: [], reason });
    const run = await readInvariants(db);
    if (!run) return { lastRun: null, rules: [] };
    // `Object.entries` loses the type of the keys.
    const rules = Object.entries(invariantRules) as [InvariantRule, string][];
    return {
      lastRun: run,
      rules: rules.map(([rule, description]) => ({ rule, description, ...run.violations[rule] })),
    };
  });
}
