import { isId, sequencedId, sequenceOf } from '../../contract/ids.ts';
import { listenerRoutes } from '../../openapi/listeners/routes.ts';
import { DEFAULT_PAGE_SIZE } from '../../openapi/definitions/fields.ts';
import { findListener, touchListener } from '../../db/listeners/listeners.ts';
import { createOpenSecret } from '../../activities/signing/open-secret.ts';
import type { AccessSubject } from '../../db/people/access-states.ts';
import { type ChangePosition, readChangeHorizon } from '../../db/deliveries/changes.ts';
import {
  FIRST_POSITION,
  findReadable,
  type ListenerDelivery,
  type ListenerPlace,
  readListenerDeliveries,
} from '../../db/ledger/listeners/listener-deliveries.ts';
import { createSignDelivery } from '../../activities/signing/sign-delivery.ts';
import type { ApiDeps } from '../requests/deps.ts';
import { HttpError, NotFound } from '../requests/errors.ts';
import { openBodies } from '../deliveries/open-bodies.ts';
import { type Mount, mountRoute, type RouteRequest } from '../routing/mount-route.ts';
import { invalidCursor } from '../routing/page.ts';
import { presentListenerDelivery } from './present.ts';
import { createAccessWatch } from '../access/access-watch.ts';
import { shareOwner } from '../requests/api-shares.ts';
import { createListenerWaits } from './listener-waits.ts';

const route = listenerRoutes.readListener;
type ReadRequest = RouteRequest<typeof route>;

export function mountListenerReading(mount: Mount): void {
  const { db, idKey, secretBox, log } = mount.deps;
  const { waitingReaders } = mount.deps.shares;
  const watch = createAccessWatch({ ...mount.deps, everyMs: mount.deps.accessCheckMs });
  const waits = createListenerWaits({ look: (places) => findReadable(db, places), log });
  const sign = createSignDelivery({ idKey, openSecret: createOpenSecret(secretBox) });

  mountRoute(mount, route, async (request) => {
    const place = await placeOf(mount.deps, request);
    const { limit = DEFAULT_PAGE_SIZE, waitSeconds = 0 } = request.query;
    const read = () => readListenerDeliveries(db, { ...place, limit });
    const found = await read();
    const deliveries = found.length > 0 || waitSeconds === 0 ? found : await waitAndRead({ request, place, read });
    const last = deliveries.at(-1)?.position ?? place.after; // also skips unreadable bodies
    return {
      deliveries: deliveries.flatMap((delivery) => {
        const body = openBodies(mount.deps, sequencedId(idKey, 'delivery', delivery.id)).attempt(delivery.body);
        return body ? [presentListenerDelivery({ ...delivery, body }, { idKey, sign })] : [];
      }),
      nextCursor: last.id === 0 ? null : `${last.xid}_${sequencedId(idKey, 'delivery', last.id)}`,
    };
  });

  /** Loops, because another reader may take the deliveries first. */
  async function waitAndRead({ request, place, read }: WaitingRead): Promise<ListenerDelivery[]> {
    if (waitingReaders.closing.aborted) return [];
    const untilMs = performance.now() + (request.query.waitSeconds ?? 0) * 1_000;
    const giveBack = waitingReaders.take(shareOwner(request));
    const access = watch.watch(subjectOf(request), () => isRefused(request));
    try {
      const signal = AbortSignal.any([request.gone(), waitingReaders.closing, access.ended]);
      for (;;) {
        const hasDeliveries = await waits.until(place, { timeoutMs: untilMs - performance.now(), signal });
        if (hasDeliveries || access.ended.aborted) await request.checkAgain();
        if (!hasDeliveries) return [];
        const deliveries = await read();
        if (deliveries.length > 0) return deliveries;
      }
    } finally {
      access.stop();
      giveBack();
    }
  }
}

function subjectOf({ principal, organization, channel }: ReadRequest): AccessSubject {
  const { credentialId, userId, sessionId } = principal;
  const { id: channelId, workspaceId } = channel;
  return { credentialId, userId, sessionId, organizationId: organization.id, workspaceId, channelId };
}

/** Other errors say nothing about access. */
async function isRefused(request: ReadRequest): Promise<boolean> {
  try {
    await request.checkAgain();
    return false;
  } catch (error) {
    return error instanceof HttpError;
  }
}

interface WaitingRead {
  readonly request: ReadRequest;
  readonly place: ListenerPlace;
  readonly read: () => Promise<ListenerDelivery[]>;
}

async function placeOf(deps: ApiDeps, { channel, params, query }: ReadRequest): Promise<ListenerPlace> {
  const { db } = deps;
  const listener = await findListener(db, { channelId: channel.id, publicId: params.lst });
  if (!listener) throw new NotFound('LISTENER_NOT_FOUND');
  const after = query.cursor === undefined ? FIRST_POSITION : await positionOf(deps, query.cursor);
  await touchListener(db, listener.publicId);
  return { destinationId: listener.destinationId, workspaceId: channel.workspaceId, after };
}

/** Throws if the cursor is invalid or ahead of this database. */
async function positionOf({ db, idKey }: ApiDeps, cursor: string): Promise<ChangePosition> {
  const separator = cursor.indexOf('_');
  const delivery = cursor.slice(separator + 1);
  const id = isId('delivery', delivery) ? sequenceOf(idKey, 'delivery', delivery) : undefined;
  const xid = BigInt(cursor.slice(0, separator));
  if (id === undefined || xid >= (await readChangeHorizon(db))) throw invalidCursor();
  return { xid, id };
}
