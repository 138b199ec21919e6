import type { Schema } from '../../../client/create-client.ts';
import { useLoad } from '../../kit/calls/use-load.ts';
import { api } from '../../session/api.ts';
import type { Channel } from './use-channels.ts';

export type AccountHealth = Schema<'AccountHealth'>;

const PAGE_SIZE = 100;
/** Further channels have no mark. */
const MAX_PAGES = 10;

/** Both lists begin with the newest channel, so reading ends at the last one shown. Empty while it loads. */
export function useAccountHealth(ws: string, channels: readonly Channel[]): ReadonlyMap<string, AccountHealth> {
  const last = channels.at(-1)?.id;
  const { value } = useLoad(async () => await readUntil(ws, last), [ws, last]);
  return value ?? new Map();
}

async function readUntil(ws: string, last: string | undefined): Promise<ReadonlyMap<string, AccountHealth>> {
  const found = new Map<string, AccountHealth>();
  let cursor: string | null = null;
  for (let page = 0; last !== undefined && !found.has(last) && page < MAX_PAGES; page++) {
    const query: { limit: number; cursor?: string } = { limit: PAGE_SIZE, ...(cursor !== null && { cursor }) };
    const { channels, nextCursor } = await api.get('/workspaces/{ws}/channel-health', {
      params: { path: { ws }, query },
    });
    for (const health of channels) found.set(health.channelId, health);
    cursor = nextCursor;
    if (cursor === null) break;
  }
  return found;
}
