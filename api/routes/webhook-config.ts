import { createHash } from 'node:crypto';
import { sequencedId } from '../../contract/ids.ts';
import { destinationRoutes as routes } from '../../contract/routes/destinations.ts';
import { recordAudit } from '../../db/audit-entries.ts';
import type { ChannelRecord } from '../../db/queries/channel-records.ts';
import { clearWebhook, findWebhookConfig, findWebhookDestination } from '../../db/webhook-configs.ts';
import { readWebhookSecret, rotateWebhookSecret } from '../../db/webhook-secrets.ts';
import { auditContext } from '../access/audit-context.ts';
import { Conflict, WebhookNotSet } from '../errors.ts';
import { type Mount, mountOperation } from '../operation.ts';
import { presentWebhookConfig } from '../presenters/destination.ts';
import { presentProbes } from '../presenters/webhook-probe.ts';
import { saveWebhookConfig } from '../save-webhook-config.ts';
import { testDestination } from '../test-destination.ts';

export function mountWebhookConfigRoutes(mount: Mount): void {
  const { deps } = mount;
  const { db, secretBox, idKey, temporal } = deps;

  mountOperation(mount, routes.getWebhookConfig, async ({ channel }) => {
    return presentWebhookConfig(await findWebhookConfig(db, secretBox, keyOf(channel)), channel.publicId);
  });

  mountOperation(mount, routes.putWebhookConfig, async (request) => {
    const { channel, body, query } = request;
    const { webhookUrl: url, verifyToken } = body;
    const pending = query.pending ?? 'follow';
    const requestedBy = auditContext(request);
    const probes = await saveWebhookConfig(deps, { channel, url, verifyToken, pending, requestedBy });
    const config = await findWebhookConfig(db, secretBox, keyOf(channel));
    return { ...presentWebhookConfig(config, channel.publicId), ...presentProbes(probes) };
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

  mountOperation(mount, routes.rotateWebhookHmac, async (request) => {
    const { channel, body, idempotencyKey } = request;
    const rotated = await rotateWebhookSecret(db, secretBox, {
      ...keyOf(channel),
      overlapSeconds: body.overlapSeconds,
      idempotencyKeyHash: idempotencyKey === null ? null : createHash('sha256').update(idempotencyKey).digest(),
      audit: auditContext(request),
    });
    if (!rotated) {
      const message = 'This Idempotency-Key came with another overlapSeconds before. Choose another.';
      throw new Conflict('IDEMPOTENCY_KEY_REUSED', message);
    }
    const previousSecretExpiresAt = rotated.previousExpiresAt?.toISOString() ?? null;
    return { channelId: channel.publicId, hmacSecret: rotated.secret, previousSecretExpiresAt };
  });

  mountOperation(mount, routes.testWebhook, async (request) => {
    const { channel } = request;
    const destinationId = await findWebhookDestination(db, channel.id);
    if (destinationId === undefined) throw new WebhookNotSet();
    return await testDestination(deps, { channel, destinationId, subscription: null, audit: auditContext(request) });
  });
}

function keyOf({ id, publicId }: ChannelRecord) {
  return { channelId: id, channelPublicId: publicId };
}
