import { scheduledMessageRoutes, scheduledPostRoutes } from '../../openapi/scheduled/routes.ts';
import { type Mount, mountRoute } from '../routing/mount-route.ts';
import { messageKind, postKind } from './kinds.ts';
import { scheduledOf } from './schedule.ts';

export function mountScheduledMessageRoutes(mount: Mount): void {
  const routes = scheduledMessageRoutes;
  const messages = scheduledOf(mount.deps, messageKind);
  mountRoute(mount, routes.scheduleMessage, async (request) => {
    const { sendAt: time, message: content } = request.body;
    return await messages.schedule(request, { time, content });
  });
  mountRoute(mount, routes.listScheduledMessages, async ({ channel, query }) => {
    const { items, nextCursor } = await messages.list(channel, query);
    return { scheduledMessages: items.map((one) => ({ ...one, message: null })), nextCursor };
  });
  mountRoute(mount, routes.getScheduledMessage, async ({ channel, params }) => messages.get(channel, params.sm));
  mountRoute(mount, routes.changeScheduledMessage, async (request) => {
    const { sendAt: time, message: content } = request.body;
    return await messages.change(request, request.params.sm, { time, content });
  });
  mountRoute(mount, routes.cancelScheduledMessage, async (request) => messages.cancel(request, request.params.sm));
}

export function mountScheduledPostRoutes(mount: Mount): void {
  const routes = scheduledPostRoutes;
  const posts = scheduledOf(mount.deps, postKind);
  mountRoute(mount, routes.schedulePost, async (request) => {
    const { publishAt: time, container: content } = request.body;
    return await posts.schedule(request, { time, content });
  });
  mountRoute(mount, routes.listScheduledPosts, async ({ channel, query }) => {
    const { items: scheduledPosts, nextCursor } = await posts.list(channel, query);
    return { scheduledPosts, nextCursor };
  });
  mountRoute(mount, routes.getScheduledPost, async ({ channel, params }) => posts.get(channel, params.sp));
  mountRoute(mount, routes.changeScheduledPost, async (request) => {
    const { publishAt: time, container: content } = request.body;
    return await posts.change(request, request.params.sp, { time, content });
  });
  mountRoute(mount, routes.cancelScheduledPost, async (request) => posts.cancel(request, request.params.sp));
}
