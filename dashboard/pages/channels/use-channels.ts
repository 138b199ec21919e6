import type { Schema } from '../../../client/create-client.ts';
import { type Loaded, type Pages, useLoad, usePages } from '../../kit/calls.ts';
import { apiIn } from '../../session/api.ts';

export type Channel = Schema<'Channel'>;
export type ChannelType = Channel['type'];

/** Kept, so that the tabs of a channel open without a loading state. */
export function useChannel(workspaceId: string, channelId: string): Loaded<Channel> {
  const load = () => apiIn(workspaceId).get('/platform/channels/{ch}', { params: { path: { ch: channelId } } });
  return useLoad(['channel', workspaceId, channelId], load, { isKept: true });
}

export function useChannels(workspaceId: string, limit = 50): Pages<Channel> {
  return usePages(['channels', workspaceId, limit], (query) =>
    apiIn(workspaceId).get('/platform/channels', { params: { query: { limit, ...query } } }),
  );
}

const CHOICE_SIZE = 100;

export function useChannelChoice(workspaceId: string): readonly Channel[] | null {
  const load = () => apiIn(workspaceId).get('/platform/channels', { params: { query: { limit: CHOICE_SIZE } } });
  return useLoad(['channel-choice', workspaceId], load, { isKept: true }).value?.channels ?? null;
}
