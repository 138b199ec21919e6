import { sequencedId } from '../../contract/ids.ts';
import { webhookRoutes as routes } from '../../openapi/webhooks/routes.ts';
import type { ChannelRecord } from '../../db/channels/records.ts';
import { findLastVerification } from '../../db/webhooks/candidates.ts';
import { clearWebhook, findWebhookDestination, readWebhookConfig } from '../../db/webhooks/configs.ts';
import { readWebhookSecret, rotateWebhookSecret } from '../../db/webhooks/secrets.ts';
import { auditContext } from '../access/audit-context.ts';
import type { ApiDeps } from '../requests/deps.ts';
import { KeyReused, WebhookNotSet } from '../requests/errors.ts';
import { type Mount, mountRoute } from '../routing/mount-route.ts';
import { presentVerification } from './present-verification.ts';
import { recordReveal, type RevealRequest } from '../access/record-reveal.ts';
import { saveWebhookConfig } from './save-webhook-config.ts';
import { testDestination } from '../destinations/test-destination.ts';
import type { AuditContext } from '../../db/audit/record-audit.ts';
import type { RotatedSecret } from '../../db/core/signing-secrets.ts';
import { keyHash } from '../routing/request-hash.ts';

export function mountWebhookConfigRoutes(mount: Mount): void {
  const { deps } = mount;
  const { db, secretBox, idKey, starts } = deps;

  mountRoute(mount, routes.getWebhookConfig, (request) => presentConfig(deps, request, undefined));

  mountRoute(mount, routes.putWebhookConfig, async (request) => {
    const { channel, body, query } = request;
    const { webhookUrl: url, verifyToken } = body;
    const pending = query.pending ?? 'follow';
    const requestedBy = auditContext(request);
    await saveWebhookConfig(deps, { channel, url, verifyToken, pending, requestedBy });
    return await presentConfig(deps, request, verifyToken);
  });

  mountRoute(mount, routes.deleteWebhookConfig, async (request) => {
    const { retrying } = await clearWebhook(db, secretBox, {
      ...keyOf(request.channel),
      audit: auditContext(request),
    });
    starts.cancelDeliveries(retrying.map((id) => sequencedId(idKey, 'delivery', id)));
  });

  mountRoute(mount, routes.getWebhookHmac, async (request) => {
    const { id, secret } = await readWebhookSecret(db, secretBox, keyOf(request.channel));
    const secrets = [{ kind: 'webhook_secret', number: id }] as const;
    await recordReveal(db, request, { action: 'webhookSecret.revealed', secrets });
    return { channelId: request.channel.publicId, hmacSecret: secret };
  });

  mountRoute(mount, routes.rotateWebhookHmac, async (request) => {
    const { channel, body, idempotencyKey } = request;
    const { overlapSeconds } = body;
    const requestedBy = auditContext(request);
    const rotated = await rotateHmac(deps, { channel, overlapSeconds, idempotencyKey, requestedBy });
    await recordReveal(db, request, { secrets: [{ kind: 'webhook_secret', number: rotated.id }] });
    const { secret: hmacSecret, previousExpiresAt: previousSecretExpiresAt } = rotated;
    return { channelId: channel.publicId, hmacSecret, previousSecretExpiresAt };
  });

  mountRoute(mount, routes.testWebhook, async (request) => {
    const { channel, body } = request;
    const { eventType } = body;
    const destinationId = await findWebhookDestination(db, channel.id);
    if (destinationId === undefined) throw new WebhookNotSet();
    const test = { channel, destinationId, subscription: null, eventType };
    return await testDestination(deps, { ...test, audit: auditContext(request) });
  });
}

/** Only callers who may see secrets, or who have just sent it, get the verify token. */
async function presentConfig(
  { db, secretBox }: ApiDeps,
  request: RevealRequest & { readonly mayReveal: boolean },
  sentToken: string | undefined,
) {
  const { channel, mayReveal } = request;
  const config = await readWebhookConfig(db, secretBox, keyOf(channel));
  const { verifyToken: stored, verifyTokenVersion: number } = config;
  const verifyToken = mayReveal || stored === sentToken ? stored : null;
  if (verifyToken !== null) {
    const secrets = [{ kind: 'verify_token', number }] as const;
    await recordReveal(db, request, { action: 'verifyToken.revealed', auditsOnce: true, secrets });
  }
  const lastVerification = presentVerification(await findLastVerification(db, channel.id));
  return { ...config, channelId: channel.publicId, verifyToken, lastVerification };
}

function keyOf({ id, publicId }: ChannelRecord) {
  return { channelId: id, channelPublicId: publicId };
}

interface HmacRotation {
  readonly channel: ChannelRecord;
  readonly overlapSeconds: number;
  readonly idempotencyKey: string | null;
  readonly requestedBy: AuditContext;
}

export async function rotateHmac({ db, secretBox }: ApiDeps, rotation: HmacRotation): Promise<RotatedSecret> {
  const { channel, overlapSeconds, idempotencyKey, requestedBy } = rotation;
  const rotated = await rotateWebhookSecret(db, secretBox, {
    channelId: channel.id,
    channelPublicId: channel.publicId,
    overlapSeconds,
    idempotencyKeyHash: idempotencyKey === null ? null : keyHash(idempotencyKey),
    audit: requestedBy,
  });
  if (rotated) return rotated;
  throw new KeyReused('overlapSeconds');
}
