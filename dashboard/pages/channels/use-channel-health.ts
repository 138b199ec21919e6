import { useEffect, useRef, useState } from 'preact/hooks';
import type { Schema } from '../../../client/create-client.ts';
import { asError } from '../../kit/calls/as-error.ts';
import { useRefresh } from '../../kit/calls/use-refresh.ts';
import { api } from '../../session/api.ts';
import type { Channel } from './use-channels.ts';

export type ChannelHealthState = readonly Schema<'DestinationHealth'>[] | Error;

/** Browsers open at most six connections to the service. This leaves some for other requests. */
const MAX_CONCURRENT_REQUESTS = 3;
const REFRESH_MS = 30_000;
/** Refreshing makes one request per channel, so longer lists are loaded only once. */
const MAX_REFRESHED = 20;

/** Channels that are still loading are missing from the map. */
export function useChannelHealth(channels: readonly Channel[] | null): ReadonlyMap<string, ChannelHealthState> {
  const [healthById, setHealthById] = useState<ReadonlyMap<string, ChannelHealthState>>(new Map());
  const latestRound = useRef(0);
  const ids = channels?.map(({ id }) => id) ?? [];

  const loadAll = async (wanted: readonly string[]): Promise<void> => {
    const current = ++latestRound.current;
    const queue = [...wanted];
    const worker = async (): Promise<void> => {
      for (let id = queue.shift(); id !== undefined && current === latestRound.current; id = queue.shift()) {
        const health = await healthOf(id);
        if (current === latestRound.current) setHealthById((before) => new Map(before).set(id, health));
      }
    };
    await Promise.all(Array.from({ length: MAX_CONCURRENT_REQUESTS }, worker));
  };

  useEffect(() => {
    void loadAll([...ids.filter((id) => !healthById.has(id)), ...ids.filter((id) => healthById.has(id))]);
    return () => void latestRound.current++;
  }, [ids.join()]);
  useRefresh(() => void loadAll(ids), ids.length > 0 && ids.length <= MAX_REFRESHED ? REFRESH_MS : null);
  return healthById;
}

async function healthOf(ch: string): Promise<ChannelHealthState> {
  try {
    const { destinations } = await api.get('/channels/{ch}/destinations', { params: { path: { ch } } });
    return destinations;
  } catch (error) {
    return asError(error);
  }
}
