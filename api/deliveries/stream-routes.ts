import { isId, sequenceOf } from '../../contract/ids.ts';
import { deliveryRoutes } from '../../openapi/deliveries/routes.ts';
import { lastEventIdField } from '../../openapi/deliveries/event-stream.ts';
import { type ChangePosition, readChangeHorizon } from '../../db/deliveries/changes.ts';
import { channelOfScope } from './channel-of-scope.ts';
import { parseInput } from '../routing/parse-input.ts';
import type { ApiDeps } from '../requests/deps.ts';
import { HttpError, InvalidRequest } from '../requests/errors.ts';
import { checkedRequest, type Mount, type OperationRequest, routerPath } from '../routing/operation.ts';
import type { ApiContext } from '../requests/state.ts';
import { createAccessWatch } from '../access/access-watch.ts';
import { createConnectionSlots } from '../requests/connection-slots.ts';
import { deliveryFrames } from './delivery-frames.ts';
import { drainedStream } from './drained-stream.ts';

const route = deliveryRoutes.streamDeliveries;
type Context = ApiContext & { params: Record<string, string> };

/** A client that takes nothing for this long is gone, or as good as gone. */
const STALLED_MS = 60_000;

/** Mounted beside the other operations, with the same checks: its answer does not end. */
export function mountDeliveryStream({ router, deps }: Mount): void {
  const slots = deps.streams ?? createConnectionSlots();
  const times = deps.streamTimes;
  const watch = createAccessWatch({ ...deps, everyMs: deps.accessCheckMs });

  router.register(routerPath(route.path), [route.method], async (ctx) => {
    const { principal, organization, workspace, query, clientAddress } = await requestOf(ctx, deps);
    const channelId = await channelOfScope(deps.db, workspace, query.scope);
    const after = await positionOf(deps, ctx.get('last-event-id'));
    ctx.set('cache-control', 'no-store');
    ctx.set('x-accel-buffering', 'no'); // a proxy that gathers bytes would hold events back
    ctx.status = route.success.status;
    ctx.type = 'text/event-stream';
    if (ctx.method === 'HEAD') return;

    const { credentialId, sessionId, userId } = principal;
    const owner = { credentialId, userId, organizationId: organization.id };
    const giveBack = slots.take({ ...owner, clientAddress });
    const access = watch.watch(
      { ...owner, sessionId, workspaceId: workspace.id, channelId: channelId ?? null },
      async () => (await accessEnded(ctx, deps)) !== undefined,
    );
    const gone = new AbortController();
    ctx.res.once('close', () => {
      giveBack();
      access.stop();
      gone.abort();
    });
    const frames = deliveryFrames({
      ...deps,
      source: { channelId, workspaceId: workspace.id, statuses: query.status, eventTypes: query.eventType },
      after,
      signal: AbortSignal.any([gone.signal, slots.closing, access.ended]),
      endedBecause: async () => (slots.closing.aborted ? 'server_stopping' : await accessEnded(ctx, deps)),
      ...(times && { times }),
    });
    ctx.body = drainedStream(frames, {
      onStalled: () => void ctx.res.destroy(),
      stalledMs: times?.stalledMs ?? STALLED_MS,
    });
  });
}

/** The same checks as of every operation, which no type can follow through its branches. */
async function requestOf(ctx: Context, deps: ApiDeps): Promise<OperationRequest<typeof route>> {
  return (await checkedRequest(ctx, deps, route)) as unknown as OperationRequest<typeof route>;
}

/**
 * A stream outlives what opened it: a key may be revoked and a session end meanwhile. The headers have been sent, so
 * that what the checks would write into them goes nowhere; a database that is away has said nothing about access.
 */
async function accessEnded(ctx: Context, deps: ApiDeps): Promise<string | undefined> {
  if (ctx.res.destroyed) return 'client_gone';
  try {
    const { rateLimits: _counted, ...uncounted } = deps;
    await requestOf(ctx, uncounted);
    return undefined;
  } catch (error) {
    return error instanceof HttpError ? 'access_ended' : undefined;
  }
}

/** Where the client says that it was, or now; a place that this ledger has not come to yet is none of its own. */
async function positionOf({ db, idKey }: ApiDeps, header: string): Promise<ChangePosition> {
  const horizon = await readChangeHorizon(db);
  if (header === '') return { xid: horizon, id: 0 };
  const [xid = '', delivery = ''] = parseInput(lastEventIdField, header, 'header.Last-Event-ID').split('-');
  const id = isId('delivery', delivery) ? sequenceOf(idKey, 'delivery', delivery) : 0;
  const after = id === undefined ? undefined : { xid: BigInt(xid), id };
  if (!after || after.xid > horizon) {
    throw new InvalidRequest('header.Last-Event-ID: none of the ids of this stream.');
  }
  return after;
}
