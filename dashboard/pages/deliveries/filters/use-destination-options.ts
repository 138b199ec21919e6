import { destinationName } from '../../../charts/statistics-series.ts';
import { useLoad } from '../../../kit/calls/use-load.ts';
import { api } from '../../../session/api.ts';

export function useDestinationOptions(channelId: string): readonly (readonly [target: string, words: string])[] {
  const { value } = useLoad(async () => {
    if (channelId === '') return [];
    const { destinations } = await api.get('/channels/{ch}/destinations', { params: { path: { ch: channelId } } });
    return destinations
      .filter(({ isKept }) => !isKept)
      .map((one) => [one.subscriptionId ?? one.listenerId ?? 'webhook', destinationName(one)] as const);
  }, [channelId]);
  return value ?? [];
}
