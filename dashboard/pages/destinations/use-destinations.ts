import type { Schema } from '../../../client/create-client.ts';
import { type Loaded, useLoad } from '../../kit/calls/use-load.ts';
import { useRefresh } from '../../kit/calls/use-refresh.ts';
import { api } from '../../session/api.ts';

export type DestinationHealth = Schema<'DestinationHealth'>;

const REFRESH_MS = 10_000;

export function useDestinations(channelId: string, { isLive = false } = {}): Loaded<readonly DestinationHealth[]> {
  const loaded = useLoad(async (): Promise<readonly DestinationHealth[]> => {
    const params = { path: { ch: channelId } };
    return (await api.get('/channels/{ch}/destinations', { params })).destinations;
  }, [channelId]);
  useRefresh(() => void loaded.reload(), isLive ? REFRESH_MS : null);
  return loaded;
}
