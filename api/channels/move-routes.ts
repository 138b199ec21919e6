import { channelRoutes as routes } from '../../openapi/channels/routes.ts';
import { recordAudit } from '../../db/audit/record-audit.ts';
import { findChannelRecord } from '../../db/channels/records.ts';
import { moveChannel } from '../../db/channels/move-channel.ts';
import { findWorkspace } from '../../db/organizations/workspaces.ts';
import { auditContext } from '../access/audit-context.ts';
import { NotFound } from '../requests/errors.ts';
import { type Mount, mountOperation } from '../routing/operation.ts';
import { presentChannel } from './present.ts';

export function mountChannelMove(mount: Mount): void {
  const { db, secretBox } = mount.deps;

  mountOperation(mount, routes.moveChannel, async (request) => {
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
