import type { ExecutionContext } from 'ava';
import type { MediaOptions } from '../../../simulator/media/media.ts';
import { startPlatform } from '../../../simulator/platform.ts';
import { callApi } from '../api-server.ts';

export const account = '200000000000077';
export const imageUrl = 'https://media.example/photo.jpg';
export const videoUrl = 'https://media.example/film.mp4';
const base = `/v23.0/${account}`;

export async function mediaFor(t: ExecutionContext, options: MediaOptions = {}) {
  const clock = { nowMs: Date.parse('2030-01-01T00:00:00Z') };
  const media = { now: () => clock.nowMs, ...options };
  const platform = await startPlatform({ port: 0, appSecret: 's', webhookUrl: 'http://127.0.0.1:1/', media });
  t.teardown(platform.stop);

  const call = (method: 'GET' | 'POST' | 'DELETE', path: string, { body, ...headers }: Record<string, string> = {}) =>
    callApi(method, platform.url + path, { headers, ...(body !== undefined && { body }) });
  const form = async (path: string, fields: Record<string, string>) =>
    await call('POST', path, {
      body: new URLSearchParams(fields).toString(),
      'content-type': 'application/x-www-form-urlencoded',
    });
  const get = async (path: string, query: Record<string, string> = {}) =>
    await call('GET', `${path}?${new URLSearchParams(query).toString()}`);
  const create = async (fields: Record<string, string>) => await form(`${base}/media`, fields);
  const publish = async (id: string) => await form(`${base}/media_publish`, { creation_id: id });
  const status = async (id: string) => (await get(`/v23.0/${id}`, { fields: 'status_code,status' })).body;
  const finished = async (fields: Record<string, string>): Promise<string> => {
    const { id } = (await create(fields)).body;
    clock.nowMs += 20_000;
    return id;
  };
  const creates = () => platform.media.calls().filter(({ at }) => at === 'create');

  return { ...platform, base, clock, call, get, create, publish, status, finished, creates };
}
