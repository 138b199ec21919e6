import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Schema } from '../../../client/create-client.ts';
import { type Loaded, useLoad } from '../../kit/calls/use-load.ts';
import { apiIn } from '../../session/api.ts';

type Channel = Schema<'Channel'>;
export type ChannelType = Channel['type'];

/** The last shown channel, so that its tabs open without a loading state. */
const last = signal<Channel | null>(null);

export function useChannel(workspaceId: string, channelId: string): Loaded<Channel> {
  const load = () => apiIn(workspaceId).get('/platform/channels/{ch}', { params: { path: { ch: channelId } } });
  const loaded = useLoad(load, [workspaceId, channelId]);
  useEffect(() => {
    if (loaded.value) last.value = loaded.value;
  }, [loaded.value]);
  const known = last.peek()?.id === channelId ? last.peek() : null;
  return { ...loaded, value: loaded.value ?? (loaded.error ? null : known) };
}
