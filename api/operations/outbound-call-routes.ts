import { outboundCallRoutes as routes } from '../../openapi/operations/outbound-call-routes.ts';
import { listOutboundCalls } from '../../db/operations/outbound-calls.ts';
import { type Mount, mountRoute } from '../routing/mount-route.ts';
import { readNumberedPage } from '../routing/page.ts';

export function mountOutboundCallRoutes(mount: Mount): void {
  const { readDb, idKey } = mount.deps;

  mountRoute(mount, routes.listOutboundCalls, async ({ channel, query }) => {
    const place = { channelId: channel.id, workspaceId: channel.workspaceId, requestId: query.requestId };
    const page = await readNumberedPage({ ...query, idKey, list: 'outboundCalls' }, (range) =>
      listOutboundCalls(readDb, { ...place, ...range }),
    );
    return {
      outboundCalls: page.items.map((call) => ({ ...call, channelId: channel.publicId })),
      nextCursor: page.nextCursor,
    };
  });
}
