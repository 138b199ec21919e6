import { pageappRoutes as routes } from '../../openapi/operations/pageapp-routes.ts';
import { listConversations } from '../../platform/operations/conversations.ts';
import {
  moderatePageComment,
  replyToPageComment,
  listPageComments,
  listPagePosts,
  readPage,
  readPageInsights,
} from '../../platform/operations/page-content.ts';
import { deletePagePost, publishPagePost, publishReel } from '../../platform/operations/page-publishing.ts';
import type { Mount } from '../routing/mount-route.ts';
import { mountPlatformOperation } from './platform-operation.ts';

const types = ['pageapp'] as const;
const CHECK_POSTS = "Look at the Page's posts first.";
const CHECK_COMMENT = 'Look at the comments on the post first.';
const CHECK_SETTING = 'You can repeat the request safely.';

export function mountPageappRoutes(mount: Mount): void {
  mountReads(mount);
  mountPosts(mount);

  mountPlatformOperation(mount, routes.replyToPageappComment, {
    types,
    check: CHECK_COMMENT,
    act: async (client, { channel, params: { commentId }, body }) => {
      const { message: text, private: isPrivate } = body;
      const sent = await replyToPageComment(client, { commentId, text, isPrivate });
      return { channelId: channel.publicId, commentId, private: isPrivate, ...sent };
    },
  });

  mountPlatformOperation(mount, routes.moderatePageappComment, {
    types,
    check: CHECK_SETTING,
    act: async (client, { channel, params: { commentId }, body: { action } }) => {
      await moderatePageComment(client, { commentId, action });
      return { channelId: channel.publicId, commentId, action, ok: true };
    },
  });
}

function mountPosts(mount: Mount): void {
  mountPlatformOperation(mount, routes.publishPageappPost, {
    types,
    check: CHECK_POSTS,
    act: async (client, { channel, body }) => {
      const { postId, mediaId } = await publishPagePost(client, body);
      return { channelId: channel.publicId, postId, mediaId, kind: body.kind };
    },
  });

  mountPlatformOperation(mount, routes.publishPageappReel, {
    types,
    check: CHECK_POSTS,
    act: async (client, { channel, body }) => {
      const { postId, mediaId } = await publishReel(client, body);
      return { channelId: channel.publicId, postId, mediaId, kind: 'reel' as const };
    },
  });

  mountPlatformOperation(mount, routes.deletePageappPost, {
    types,
    check: CHECK_POSTS,
    act: async (client, { channel, params: { postId } }) => {
      await deletePagePost(client, postId);
      return { channelId: channel.publicId, postId, deleted: true };
    },
  });
}

function mountReads(mount: Mount): void {
  mountPlatformOperation(mount, routes.listPageappPosts, {
    types,
    act: async (client, { query }) => {
      const { items, nextCursor } = await listPagePosts(client, query);
      return { posts: items, nextCursor };
    },
  });
  mountPlatformOperation(mount, routes.listPageappComments, {
    types,
    act: async (client, { query }) => {
      const { items, nextCursor } = await listPageComments(client, query);
      return { comments: items, nextCursor };
    },
  });
  mountPlatformOperation(mount, routes.listPageappConversations, {
    types,
    act: async (client, { query }) => await listConversations(client, query),
  });
  mountPlatformOperation(mount, routes.getPageappInsights, {
    types,
    act: async (client, { query }) => await readPageInsights(client, query),
  });
  mountPlatformOperation(mount, routes.getPageappPage, { types, act: async (client) => await readPage(client) });
}
