import { sequencedId } from '../../contract/ids.ts';
import { channelRoutes as routes } from '../../contract/routes/channels.ts';
import { disableForwarding, disconnectChannel, enableForwarding } from '../../db/channels.ts';
import { type ChannelRecord, findChannelRecord, listChannelRecords } from '../../db/queries/channel-records.ts';
import type { EndedDeliveries } from '../../db/queries/end-waiting-deliveries.ts';
import { Conflict, NotFound } from '../errors.ts';
import { type Mount, mountOperation } from '../operation.ts';
import { readPage } from '../page.ts';
import { presentChannel } from '../presenters/channel.ts';

export function mountChannelRoutes(mount: Mount): void {
  const { db, idKey, temporal } = mount.deps;

  mountOperation(mount, routes.listChannels, async ({ workspace, query }) => {
    const page = await readPage(query.limit, {
      read: (limit) => listChannelRecords(db, { workspaceId: workspace.id, after: query.cursor, limit }),
      cursorOf: ({ publicId }) => publicId,
    });
    return { channels: page.items.map(presentChannel), nextCursor: page.nextCursor };
  });

  mountOperation(mount, routes.getChannel, ({ channel }) => Promise.resolve(presentChannel(channel)));

  mountOperation(mount, routes.enableChannel, async ({ channel }) => {
    if (!(await enableForwarding(db, channel.id))) {
      throw new Conflict('CHANNEL_DISCONNECTED', 'The channel is disconnected. Connect it again first.');
    }
    return await presentFresh(channel);
  });

  mountOperation(mount, routes.disableChannel, async ({ channel }) => {
    cancelWorkflows(await disableForwarding(db, channel.id));
    return await presentFresh(channel);
  });

  mountOperation(mount, routes.disconnectChannel, async ({ channel }) => {
    cancelWorkflows(await disconnectChannel(db, channel.id));
    return await presentFresh(channel);
  });

  function cancelWorkflows({ retrying }: EndedDeliveries): void {
    temporal.cancelDeliveries(retrying.map((id) => sequencedId(idKey, 'delivery', id)));
  }

  async function presentFresh({ publicId }: ChannelRecord) {
    const channel = await findChannelRecord(db, { publicId });
    if (!channel) throw new NotFound('CHANNEL_NOT_FOUND');
    return presentChannel(channel);
  }
}
