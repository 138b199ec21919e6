import { sequencedId, sequenceOf } from '../../contract/ids.ts';
import { MAX_ACKNOWLEDGED_BODY_BYTES, MAX_LISTENERS } from '../../contract/listeners/bounds.ts';
import { type AcknowledgedInput, listenerRoutes as routes } from '../../openapi/listeners/routes.ts';
import { bodyContexts } from '../../db/core/body-contexts.ts';
import { createListener, deleteListener, findListener, listListeners } from '../../db/listeners/listeners.ts';
import type { ChannelRecord } from '../../db/channels/records.ts';
import { acknowledgeDeliveries, type AcknowledgedAttempt } from '../../db/ledger/listeners/acknowledge-deliveries.ts';
import { auditContext } from '../access/audit-context.ts';
import { keyHash, requestHash } from '../routing/request-hash.ts';
import { HttpError, InvalidRequest, KeyReused, NotFound } from '../requests/errors.ts';
import { type Mount, mountRoute } from '../routing/mount-route.ts';
import { readNamedPage } from '../routing/page.ts';
import { presentListener } from './present.ts';

export function mountListenerRoutes(mount: Mount): void {
  const { db, idKey, bodyBox } = mount.deps;

  mountRoute(mount, routes.createListener, async (request) => {
    const { channel, body, idempotencyKey } = request;
    const label = body.label ?? null;
    const eventTypes = body.eventTypes ? [...new Set(body.eventTypes)] : null;
    // A channel may move; its new workspace must not get a listener of the old one.
    const content = { workspaceId: channel.workspaceId, label, eventTypes };
    const key = idempotencyKey === null ? null : keyOf(idempotencyKey, content);
    const audit = auditContext(request);
    const made = await createListener(db, { channelId: channel.id, label, eventTypes, max: MAX_LISTENERS, key, audit });
    switch (made.outcome) {
      case 'created':
        return presentListener(await findOne(channel, made.publicId), channel.publicId);
      case 'too_many':
        throw new InvalidRequest(`A channel has at most ${MAX_LISTENERS} listeners.`);
      case 'key_reused':
        throw new KeyReused('listener');
    }
  });

  mountRoute(mount, routes.listListeners, async ({ channel, query }) => {
    const page = await readNamedPage(query, 'publicId', (after) =>
      listListeners(db, { channelId: channel.id, ...after }),
    );
    return {
      listeners: page.items.map((listener) => presentListener(listener, channel.publicId)),
      nextCursor: page.nextCursor,
    };
  });

  mountRoute(mount, routes.getListener, async ({ channel, params }) =>
    presentListener(await findOne(channel, params.lst), channel.publicId),
  );

  mountRoute(mount, routes.deleteListener, async (request) => {
    const { channel, params } = request;
    const key = { channelId: channel.id, publicId: params.lst };
    const isDeleted = await deleteListener(db, { ...key, audit: auditContext(request) });
    if (!isDeleted) throw new NotFound('LISTENER_NOT_FOUND');
  });

  mountRoute(mount, routes.acknowledgeDeliveries, async ({ channel, params, body }) => {
    const { destinationId } = await findOne(channel, params.lst);
    const attempts = body.deliveries.map(attemptOf);
    const result = await acknowledgeDeliveries(db, { destinationId, workspaceId: channel.workspaceId, attempts });
    switch (result.outcome) {
      case 'recorded':
        return { acknowledged: result.count };
      case 'foreign':
        throw new HttpError('DELIVERY_NOT_FOUND', `The listener has no such deliveries: ${named(result.deliveryIds)}.`);
      case 'unread':
        throw new InvalidRequest(`body.deliveries: attempts that were never read, of ${named(result.deliveryIds)}.`);
      case 'no_listener':
        throw new NotFound('LISTENER_NOT_FOUND');
    }
  });

  async function findOne(channel: ChannelRecord, publicId: string) {
    const listener = await findListener(db, { channelId: channel.id, publicId });
    if (!listener) throw new NotFound('LISTENER_NOT_FOUND');
    return listener;
  }

  function attemptOf(input: AcknowledgedInput): AcknowledgedAttempt {
    const { deliveryId, attempt, outcome, retry, status = null, durationMs = 0, responseBody, error = null } = input;
    const body =
      responseBody == null ? null : Buffer.from(responseBody, 'utf8').subarray(0, MAX_ACKNOWLEDGED_BODY_BYTES);
    const id = sequenceOf(idKey, 'delivery', deliveryId) ?? 0;
    const stored = body && bodyBox.store(body, bodyContexts.response(id));
    const response = { responseBody: stored && Buffer.from(stored.bytes), responseBodyKeyId: stored && stored.keyId };
    return { deliveryId: id, attempt, outcome, retry, status, durationMs, ...response, error };
  }

  function named(ids: readonly number[]): string {
    return ids.map((id) => sequencedId(idKey, 'delivery', id)).join(', ');
  }
}

function keyOf(idempotencyKey: string, content: object) {
  return { keyHash: keyHash(idempotencyKey), requestHash: requestHash(content) };
}
