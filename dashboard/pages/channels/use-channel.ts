import type { Schema } from '../../../client/create-client.ts';
import { type Loaded, useLoad } from '../../kit/calls/use-load.ts';
import { apiIn } from '../../session/api.ts';

type Channel = Schema<'Channel'>;
export type ChannelType = Channel['type'];

/** Shares its answer, so that the tabs of a channel open without a loading state. */
export function useChannel(workspaceId: string, channelId: string): Loaded<Channel> {
  const load = () => apiIn(workspaceId).get('/platform/channels/{ch}', { params: { path: { ch: channelId } } });
  return useLoad(load, [workspaceId, channelId], { name: 'channel' });
}
