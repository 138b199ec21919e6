import type { ExecutionContext } from 'ava';
import { acceptItems, type AcceptItem } from '../../../db/ledger/accept.ts';
import type { ApiAnswer } from '../api/api-answer.ts';
import type { ApiCall, TestApiOptions } from '../api/api.ts';
import { channelStage } from '../api/stages.ts';
import { testHotPool } from '../database/hot-pool.ts';
import { eventually } from '../eventually.ts';
import { anItem } from '../deliveries/hot-ledger.ts';

export async function listenerStage(t: ExecutionContext<unknown>, deps: TestApiOptions = {}) {
  const api = await channelStage(t, { ...deps, resourceId: 'res-1' });
  const { databaseUrl, channel, key, at } = api;
  const aPool = (connections = 2) => testHotPool(t, databaseUrl, { connections });
  const pool = aPool();
  const listeners = `/channels/${channel.publicId}/listeners`;
  const made = await api.call(`POST ${listeners}`, { key, body: { label: 'mine' } });
  const listenerId: string = made.body.listenerId;
  const path = `${listeners}/${listenerId}`;
  const read = (query = '', call: ApiCall = {}): Promise<ApiAnswer> =>
    api.call(`GET ${path}/deliveries${query}`, { key, ...call });
  /** Reads until `count` deliveries are returned: any open transaction of the server delays later rows. */
  const readAll = (count: number, query = ''): Promise<ApiAnswer> =>
    eventually(async () => {
      const answer = await read(query);
      return answer.body.deliveries.length >= count && answer;
    });
  const acknowledge = (...deliveries: readonly object[]): Promise<ApiAnswer> =>
    api.call(`POST ${path}/acknowledge`, { key, body: { deliveries } });
  const accept = async (...items: readonly Partial<AcceptItem>[]): Promise<void> => {
    await acceptItems(pool, items.map(anItem));
  };
  const record = async (deliveryId: string) => (await api.call(`GET /deliveries/${deliveryId}`, at)).body;
  return { ...api, aPool, pool, listeners, listenerId, path, read, readAll, acknowledge, accept, record };
}

export const idsOf = ({ body }: ApiAnswer): string[] =>
  body.deliveries.map(({ deliveryId }: { deliveryId: string }) => deliveryId);
