import type { Schema } from '../../../client/create-client.ts';
import { destinationName } from '../../charts/statistics-series.ts';
import { type Loaded, useLoad } from '../../kit/calls.ts';
import { api } from '../../session/api.ts';

export type DestinationHealth = Schema<'DestinationHealth'>;

const REFRESH_MS = 10_000;

export async function loadDestinations(ch: string): Promise<readonly DestinationHealth[]> {
  return (await api.get('/channels/{ch}/destinations', { params: { path: { ch } } })).destinations;
}

/** Empty without a channel. */
export function useDestinations(channelId: string, { isLive = false } = {}): Loaded<readonly DestinationHealth[]> {
  const load = async () => (channelId === '' ? [] : await loadDestinations(channelId));
  return useLoad(['destinations', channelId], load, { everyMs: isLive ? REFRESH_MS : 0 });
}

/** The current destinations, as filters and replays name them. */
export function useDestinationOptions(channelId: string): readonly (readonly [target: string, words: string])[] {
  const { value } = useDestinations(channelId);
  const current = value?.filter(({ isKept }) => !isKept) ?? [];
  return current.map((one) => [one.subscriptionId ?? one.listenerId ?? 'webhook', destinationName(one)] as const);
}
