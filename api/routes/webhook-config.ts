import { sequencedId } from '../../contract/ids.ts';
import { destinationRoutes as routes } from '../../contract/routes/destinations.ts';
import type { ChannelRecord } from '../../db/queries/channel-records.ts';
import { clearWebhook, findWebhookConfig } from '../../db/webhook-configs.ts';
import { readWebhookSecret } from '../../db/webhook-secrets.ts';
import { type Mount, mountOperation } from '../operation.ts';
import { presentWebhookConfig } from '../presenters/destination.ts';
import { saveWebhookConfig } from '../save-webhook-config.ts';

export function mountWebhookConfigRoutes(mount: Mount): void {
  const { deps } = mount;
  const { db, secretBox, idKey, temporal } = deps;

  mountOperation(mount, routes.getWebhookConfig, async ({ channel }) => {
    return presentWebhookConfig(await findWebhookConfig(db, secretBox, keyOf(channel)), channel.publicId);
  });

  mountOperation(mount, routes.putWebhookConfig, async ({ channel, body }) => {
    await saveWebhookConfig(deps, { channel, url: body.webhookUrl, verifyToken: body.verifyToken });
    return presentWebhookConfig(await findWebhookConfig(db, secretBox, keyOf(channel)), channel.publicId);
  });

  mountOperation(mount, routes.deleteWebhookConfig, async ({ channel }) => {
    const { retrying } = await clearWebhook(db, channel.id);
    temporal.cancelDeliveries(retrying.map((id) => sequencedId(idKey, 'delivery', id)));
  });

  mountOperation(mount, routes.getWebhookHmac, async ({ channel }) => ({
    channelId: channel.publicId,
    hmacSecret: await readWebhookSecret(db, secretBox, keyOf(channel)),
  }));
}

function keyOf({ id, publicId }: ChannelRecord) {
  return { channelId: id, channelPublicId: publicId };
}
