import type { Schema } from '../../../client/create-client.ts';
import { useLoad } from '../../kit/calls/use-load.ts';
import { type Pages, usePages } from '../../kit/lists/use-pages.ts';
import { apiIn } from '../../session/api.ts';

export type Channel = Schema<'Channel'>;

export function useChannels(workspaceId: string, limit = 50): Pages<Channel> {
  return usePages(
    async (cursor) => {
      const params = { query: { limit, ...(cursor !== undefined && { cursor }) } };
      const { channels, nextCursor } = await apiIn(workspaceId).get('/platform/channels', { params });
      return { items: channels, nextCursor };
    },
    [workspaceId],
  );
}

const CHOICE_SIZE = 100;

export function useChannelChoice(workspaceId: string): readonly Channel[] | null {
  const load = async () => {
    const params = { query: { limit: CHOICE_SIZE } };
    return (await apiIn(workspaceId).get('/platform/channels', { params })).channels;
  };
  return useLoad(load, [workspaceId], { name: 'channel-choice' }).value;
}
