import { sequencedId } from '../../contract/ids.ts';
import { destinationRoutes as routes } from '../../contract/routes/destinations.ts';
import { recordAudit } from '../../db/audit-entries.ts';
import type { ChannelRecord } from '../../db/queries/channel-records.ts';
import { clearWebhook, findWebhookConfig } from '../../db/webhook-configs.ts';
import { readWebhookSecret } from '../../db/webhook-secrets.ts';
import { auditContext } from '../access/audit-context.ts';
import { type Mount, mountOperation } from '../operation.ts';
import { presentWebhookConfig } from '../presenters/destination.ts';
import { saveWebhookConfig } from '../save-webhook-config.ts';

export function mountWebhookConfigRoutes(mount: Mount): void {
  const { deps } = mount;
  const { db, secretBox, idKey, temporal } = deps;

  mountOperation(mount, routes.getWebhookConfig, async ({ channel }) => {
    return presentWebhookConfig(await findWebhookConfig(db, secretBox, keyOf(channel)), channel.publicId);
  });

  mountOperation(mount, routes.putWebhookConfig, async (request) => {
    const { channel, body } = request;
    const requestedBy = auditContext(request);
    await saveWebhookConfig(deps, { channel, url: body.webhookUrl, verifyToken: body.verifyToken, requestedBy });
    return presentWebhookConfig(await findWebhookConfig(db, secretBox, keyOf(channel)), channel.publicId);
  });

  mountOperation(mount, routes.deleteWebhookConfig, async (request) => {
    const { retrying } = await clearWebhook(db, { ...keyOf(request.channel), audit: auditContext(request) });
    temporal.cancelDeliveries(retrying.map((id) => sequencedId(idKey, 'delivery', id)));
  });

  mountOperation(mount, routes.getWebhookHmac, async (request) => {
    const { publicId: channelId } = request.channel;
    const hmacSecret = await readWebhookSecret(db, secretBox, keyOf(request.channel));
    await recordAudit(db, { ...auditContext(request), action: 'webhookSecret.revealed', targetId: channelId });
    return { channelId, hmacSecret };
  });
}

function keyOf({ id, publicId }: ChannelRecord) {
  return { channelId: id, channelPublicId: publicId };
}
