import { sequencedId } from '../../contract/ids.ts';
import { channelRoutes as routes } from '../../openapi/channels/routes.ts';
import { type ChannelAct, disableForwarding, disconnectChannel, enableForwarding } from '../../db/channels/channels.ts';
import { type ChannelRecord, findChannelRecord, listChannelRecords } from '../../db/channels/records.ts';
import type { EndedDeliveries } from '../../db/ledger/end-void-deliveries.ts';
import { auditContext, type AuditedRequest } from '../access/audit-context.ts';
import { hideWebhookUrl } from '../access/hide-webhook.ts';
import { visibleChannelIds } from '../access/portal-channels.ts';
import { NotFound } from '../requests/errors.ts';
import { disconnected } from '../requests/uncallable.ts';
import { type Mount, mountRoute } from '../routing/mount-route.ts';
import { readNamedPage } from '../routing/page.ts';
import { mountChannelHealthRoutes } from './health-routes.ts';
import { presentChannel, presentChannels } from './present.ts';
import { recordAudit } from '../../db/audit/record-audit.ts';
import { moveChannel } from '../../db/channels/move-channel.ts';
import { findWorkspace } from '../../db/organizations/workspaces.ts';

export function mountChannelRoutes(mount: Mount): void {
  const { db, idKey, starts } = mount.deps;
  mountChannelHealthRoutes(mount);

  mountRoute(mount, routes.listChannels, async ({ principal, workspace, query }) => {
    const page = await readNamedPage(query, 'publicId', (after) =>
      listChannelRecords(db, {
        workspaceId: workspace.id,
        onboardingLinkId: query.onboardingLinkId,
        publicIds: visibleChannelIds(principal),
        ...after,
      }),
    );
    const channels = await presentChannels(db, page.items);
    return { channels: channels.map((channel) => hideWebhookUrl(principal, channel)), nextCursor: page.nextCursor };
  });

  mountRoute(mount, routes.getChannel, async ({ principal, channel }) =>
    hideWebhookUrl(principal, await presentChannel(db, channel)),
  );

  mountRoute(mount, routes.enableChannel, async (request) => {
    if (!(await enableForwarding(db, actOf(request)))) {
      throw disconnected();
    }
    return await presentFresh(request.channel);
  });

  mountRoute(mount, routes.disableChannel, async (request) => {
    cancelWorkflows(await disableForwarding(db, actOf(request)));
    return await presentFresh(request.channel);
  });

  mountRoute(mount, routes.disconnectChannel, async (request) => {
    cancelWorkflows(await disconnectChannel(db, actOf(request)));
    return await presentFresh(request.channel);
  });

  function cancelWorkflows({ retrying }: EndedDeliveries): void {
    starts.cancelDeliveries(retrying.map((id) => sequencedId(idKey, 'delivery', id)));
  }

  async function presentFresh({ publicId }: ChannelRecord) {
    const channel = await findChannelRecord(db, { publicId });
    if (!channel) throw new NotFound('CHANNEL_NOT_FOUND');
    return await presentChannel(db, channel);
  }
}

function actOf(request: AuditedRequest & { readonly channel: ChannelRecord }): ChannelAct {
  const { id, publicId } = request.channel;
  return { id, publicId, audit: auditContext(request) };
}

export function mountChannelMove(mount: Mount): void {
  const { db, secretBox } = mount.deps;

  mountRoute(mount, routes.moveChannel, async (request) => {
    const { channel, organization, body } = request;
    const target = await findWorkspace(db, body.workspaceId);
    if (target?.organizationId !== organization.id) throw new NotFound('WORKSPACE_NOT_FOUND');
    if (target.id === channel.workspaceId) return await presentChannel(db, channel);
    await db.transaction(async (trx) => {
      const move = { channelId: channel.id, fromWorkspaceId: channel.workspaceId, toWorkspaceId: target.id };
      const outcome = await moveChannel(trx, secretBox, move);
      if (outcome === 'no_workspace') throw new NotFound('WORKSPACE_NOT_FOUND');
      if (outcome === 'no_channel') throw new NotFound('CHANNEL_NOT_FOUND');
      const entry = { ...auditContext(request), action: 'channel.moved', targetId: channel.publicId };
      const reason = `${channel.workspacePublicId} to ${target.publicId}`;
      await recordAudit(trx, { ...entry, workspaceId: channel.workspaceId, reason });
    });
    const moved = await findChannelRecord(db, { publicId: channel.publicId });
    if (!moved) throw new NotFound('CHANNEL_NOT_FOUND');
    return await presentChannel(db, moved);
  });
}
