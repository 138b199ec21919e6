import { useEffect, useRef, useState } from 'preact/hooks';
import type { Schema } from '../../../client/create-client.ts';
import { asError } from '../../kit/calls/use-load.ts';
import { useRefresh } from '../../kit/calls/use-refresh.ts';
import { api } from '../../session/api.ts';
import type { Channel } from './use-channels.ts';

export type ChannelHealthState = readonly Schema<'DestinationHealth'>[] | Error;

/** Asked at a time: the browser opens no more than six connections to the service, and others need some. */
const AT_ONCE = 3;
const REFRESH_MS = 30_000;
/** A call for each channel is much for the service where there are many: those are asked about once. */
const MAX_REFRESHED = 20;

/** How the destinations of each channel are doing, as far as that is known yet. */
export function useChannelHealth(channels: readonly Channel[] | null): ReadonlyMap<string, ChannelHealthState> {
  const [known, setKnown] = useState<ReadonlyMap<string, ChannelHealthState>>(new Map());
  const round = useRef(0);
  const ids = channels?.map(({ id }) => id) ?? [];

  const ask = async (wanted: readonly string[]): Promise<void> => {
    const own = ++round.current;
    const queue = [...wanted];
    const worker = async (): Promise<void> => {
      for (let id = queue.shift(); id !== undefined && own === round.current; id = queue.shift()) {
        const health = await healthOf(id);
        if (own === round.current) setKnown((before) => new Map(before).set(id, health));
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
  };

  useEffect(() => {
    void ask([...ids.filter((id) => !known.has(id)), ...ids.filter((id) => known.has(id))]);
    return () => void round.current++;
  }, [ids.join()]);
  useRefresh(() => void ask(ids), ids.length > 0 && ids.length <= MAX_REFRESHED ? REFRESH_MS : null);
  return known;
}

async function healthOf(ch: string): Promise<ChannelHealthState> {
  try {
    const { destinations } = await api.get('/channels/{ch}/destinations', { params: { path: { ch } } });
    return destinations;
  } catch (error) {
    return asError(error);
  }
}
