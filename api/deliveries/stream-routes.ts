import { isId, sequenceOf } from '../../contract/ids.ts';
import { deliveryRoutes, lastEventIdField } from '../../openapi/deliveries/routes.ts';
import { type ChangePosition, readChangeHorizon, readDeliveryChanges } from '../../db/deliveries/changes.ts';
import { onceClosed } from '../../process/once-closed.ts';
import { channelOfScope } from './channel-of-scope.ts';
import { parseInput } from '../routing/parse-input.ts';
import type { ApiDeps, StreamTimes } from '../requests/deps.ts';
import { HttpError, InvalidRequest } from '../requests/errors.ts';
import { checkedRequest, type Mount, type RouteRequest, routerPath } from '../routing/mount-route.ts';
import type { ApiContext } from '../requests/state.ts';
import { createAccessWatch } from '../access/access-watch.ts';
import { shareOwner } from '../requests/api-shares.ts';
import { createChangeFeeds } from './change-feeds.ts';
import { deliveryFrames } from './delivery-frames.ts';
import { drainedStream } from './drained-stream.ts';

const route = deliveryRoutes.streamDeliveries;
type Context = ApiContext & { params: Record<string, string> };

const STALLED_MS = 60_000;
const defaultTimes: StreamTimes = { pollMs: 1_000, heartbeatMs: 15_000 };
/** Of one read for all streams of a workspace. */
const FEED_PAGE_SIZE = 100;

/** Without `mountRoute`, because the response does not end. The checks are the same. */
export function mountDeliveryStream({ router, deps }: Mount): void {
  const { streams } = deps.shares;
  const times = deps.streamTimes ?? defaultTimes;
  const feeds = createChangeFeeds({
    read: (changes) => readDeliveryChanges(deps.db, { ...changes, limit: FEED_PAGE_SIZE }),
    log: deps.log,
    times,
  });
  const watch = createAccessWatch({ ...deps, everyMs: deps.accessCheckMs });

  router.register(routerPath(route.path), [route.method], async (ctx) => {
    const { principal, organization, workspace, query, clientAddress } = await requestOf(ctx, deps);
    const channelId = await channelOfScope(deps.db, { principal, workspace }, query.scope);
    const { after, horizon } = await positionOf(deps, ctx.get('last-event-id'));
    ctx.set('cache-control', 'no-store');
    ctx.set('x-accel-buffering', 'no'); // disables buffering by a proxy
    ctx.status = route.success.status;
    ctx.type = 'text/event-stream';
    if (ctx.method === 'HEAD') return;

    const { credentialId, sessionId, userId } = principal;
    const giveBack = streams.take(shareOwner({ principal, organization, clientAddress }));
    const access = watch.watch(
      {
        credentialId,
        userId,
        sessionId,
        organizationId: organization.id,
        workspaceId: workspace.id,
        channelId: channelId ?? null,
      },
      async () => (await accessEnded(ctx, deps)) !== undefined,
    );
    const feed = feeds.subscribe({ workspaceId: workspace.id, horizon });
    const gone = new AbortController();
    onceClosed(ctx.res, () => {
      giveBack();
      feed.close();
      access.stop();
      gone.abort();
    });
    const frames = deliveryFrames({
      ...deps,
      feed,
      source: {
        channelId,
        channelPublicId: channelId === undefined ? undefined : query.scope.split(':')[1],
        workspaceId: workspace.id,
        statuses: query.status,
        eventTypes: query.eventType,
      },
      after,
      signal: AbortSignal.any([gone.signal, streams.closing, access.ended]),
      endedBecause: async () => (streams.closing.aborted ? 'server_stopping' : await accessEnded(ctx, deps)),
      times,
    });
    ctx.body = drainedStream(frames, {
      onStalled: () => void ctx.res.destroy(),
      stalledMs: deps.streamTimes?.stalledMs ?? STALLED_MS,
    });
  });
}

/** TypeScript can't resolve the conditional types. */
async function requestOf(ctx: Context, deps: ApiDeps): Promise<RouteRequest<typeof route>> {
  return (await checkedRequest(ctx, deps, route)) as unknown as RouteRequest<typeof route>;
}

/** Errors such as an unavailable database don't end the stream. The checks don't count as requests. */
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

/** Throws if the id is invalid or ahead of this database. */
async function positionOf({ db, idKey }: ApiDeps, header: string): Promise<StreamStart> {
  const horizon = await readChangeHorizon(db);
  if (header === '') return { after: { xid: horizon, id: 0 }, horizon };
  const [xid = '', delivery = ''] = parseInput(lastEventIdField, header, 'header.Last-Event-ID').split('-');
  const id = isId('delivery', delivery) ? sequenceOf(idKey, 'delivery', delivery) : 0;
  const after = id === undefined ? undefined : { xid: BigInt(xid), id };
  if (!after || after.xid > horizon) {
    throw new InvalidRequest('header.Last-Event-ID: not an id of this stream.');
  }
  return { after, horizon };
}

interface StreamStart {
  readonly after: ChangePosition;
  readonly horizon: bigint;
}
