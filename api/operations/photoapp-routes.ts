import { photoappRoutes as routes } from '../../openapi/operations/photoapp-routes.ts';
import { listConversations } from '../../platform/operations/conversations.ts';
import {
  readPhotoAccount,
  moderatePhotoComment,
  moderatePhotoMedia,
  replyToPhotoComment,
  readPhotoInsights,
} from '../../platform/operations/photo-account.ts';
import { listPhotoComments, listPhotoMedia, listPhotoMentions } from '../../platform/operations/photo-media.ts';
import type { Mount } from '../routing/mount-route.ts';
import { mountPlatformOperation } from './platform-operation.ts';

const types = ['photoapp'] as const;
const CHECK_COMMENT = 'Look at the comment and the replies to it first.';
const CHECK_SETTING = 'You can repeat the request safely.';

export function mountPhotoappRoutes(mount: Mount): void {
  mountReads(mount);

  mountPlatformOperation(mount, routes.replyToPhotoappComment, {
    types,
    check: CHECK_COMMENT,
    act: async (client, { channel, params, body }) => {
      const { commentId } = params;
      const { text, private: isPrivate } = body;
      const sent = await replyToPhotoComment(client, { commentId, text, isPrivate });
      return { channelId: channel.publicId, commentId, private: isPrivate, ...sent };
    },
  });

  mountPlatformOperation(mount, routes.moderatePhotoappComment, {
    types,
    check: CHECK_SETTING,
    act: async (client, { channel, params: { commentId }, body: { action } }) => {
      await moderatePhotoComment(client, { commentId, action });
      return { channelId: channel.publicId, commentId, action, ok: true };
    },
  });

  mountPlatformOperation(mount, routes.moderatePhotoappMedia, {
    types,
    check: CHECK_SETTING,
    act: async (client, { channel, params: { mediaId }, body: { action } }) => {
      await moderatePhotoMedia(client, { mediaId, action });
      return { channelId: channel.publicId, mediaId, action, ok: true };
    },
  });
}

function mountReads(mount: Mount): void {
  mountPlatformOperation(mount, routes.listPhotoappMedia, {
    types,
    act: async (client, { query }) => {
      const { items, nextCursor } = await listPhotoMedia(client, query);
      return { media: items, nextCursor };
    },
  });
  mountPlatformOperation(mount, routes.listPhotoappComments, {
    types,
    act: async (client, { query }) => {
      const { items, nextCursor } = await listPhotoComments(client, query);
      return { comments: items, nextCursor };
    },
  });
  mountPlatformOperation(mount, routes.getPhotoappInsights, {
    types,
    act: async (client, { query }) => await readPhotoInsights(client, query),
  });
  mountPlatformOperation(mount, routes.listPhotoappConversations, {
    types,
    act: async (client, { query }) => await listConversations(client, query),
  });
  mountPlatformOperation(mount, routes.listPhotoappMentions, {
    types,
    act: async (client, { query }) => await listPhotoMentions(client, query),
  });
  mountPlatformOperation(mount, routes.getPhotoappAccount, {
    types,
    act: async (client, { query }) =>
      await readPhotoAccount(client, { withQuota: query.includePublishingLimit === 'true' }),
  });
}
