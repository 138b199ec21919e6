import { randomUUID } from 'node:crypto';
import { containerWorkflowId } from '../../../contract/ids.ts';
import type { PostObject } from '../../../simulator/content/objects/store.ts';
import type { MediaFault } from '../../../simulator/media/control.ts';
import type { MediaApi, MediaContainer } from '../../../simulator/media/media.ts';
import type { LoggedCall } from '../../../simulator/scripted-api/api.ts';
import { containerProgress } from '../../../workflows/messages/messages.ts';
import type { ApiAnswer } from '../api/api-answer.ts';
import { type ApiClient, isLate, untilDone } from './api-client.ts';
import type { System } from './system.ts';
import { until } from '../until.ts';

interface AccountSystem extends Pick<System, 'api' | 'channel' | 'db' | 'temporal'> {
  readonly platform: { readonly media: Pick<MediaApi, 'calls' | 'containers' | 'posts'> };
}

export interface PhotoAccount {
  readonly channelId: string;
  readonly id: number;
  readonly resourceId: string;
  readonly path: string;
  /** The Idempotency-Key of the creates. */
  key(): string;
  create(body: object, by?: ApiClient): Promise<ApiAnswer>;
  /**
   * Repeats the create, with its Idempotency-Key, while it is not known what the platform has decided. Uses another key
   * if a busy machine did not send the container in time.
   */
  createUntilDecided(body: object, by?: ApiClient): Promise<ApiAnswer>;
  publish(containerId: string, by?: ApiClient): Promise<ApiAnswer>;
  /**
   * Repeats the publish while its outcome is not known, or the platform could not be reached in time. A workflow publishes
   * once.
   */
  publishUntilDecided(containerId: string, by?: ApiClient): Promise<ApiAnswer>;
  get(containerId: string, by?: ApiClient): Promise<ApiAnswer['body']>;
  reaches(containerId: string, status: string | readonly string[], by?: ApiClient): Promise<ApiAnswer['body']>;
  /** Returns the id of the account's last container, even before its create is answered. */
  containerId(): Promise<string>;
  /** More than one if a busy machine did not send the first. */
  containerCount(): Promise<number>;
  calls(at: MediaFault['at']): LoggedCall[];
  containers(): MediaContainer[];
  posts(): PostObject[];
}

export const image = { mediaType: 'IMAGE', imageUrl: 'https://media.example.com/1.jpg', caption: 'A picture' } as const;
export const reel = { mediaType: 'REELS', videoUrl: 'https://media.example.com/1.mp4', caption: 'A reel' } as const;
export const carousel = {
  mediaType: 'CAROUSEL',
  caption: 'A carousel',
  children: [{ imageUrl: 'https://media.example.com/1.jpg' }, { imageUrl: 'https://media.example.com/2.jpg' }],
} as const;

export async function photoAccount({ api, channel, platform, db, temporal }: AccountSystem): Promise<PhotoAccount> {
  const { publicId, id, resourceId } = await channel({ type: 'photoapp' });
  const path = `/channels/${publicId}/photoapp/containers`;
  let key = randomUUID();
  const get: PhotoAccount['get'] = async (containerId, by = api) => (await by.call(`GET ${path}/${containerId}`)).body;
  // The workflow refuses a publish until it has received the result of the check that finished the row.
  const isPublishable = async (containerId: string): Promise<boolean> => {
    const handle = temporal.workflow.getHandle(containerWorkflowId(containerId));
    const progress = await handle.query(containerProgress).catch(() => undefined);
    return progress !== undefined && !['creating', 'in_progress'].includes(progress.status);
  };
  const create: PhotoAccount['create'] = (body, by = api) =>
    unlessLimited(() => by.call(`POST ${path}`, body, { 'idempotency-key': key }));
  const publish: PhotoAccount['publish'] = (containerId, by = api) =>
    unlessLimited(() => by.call(`POST ${path}/${containerId}/publish`));
  const createAgain: PhotoAccount['create'] = async (body, by) => {
    const used = key;
    const answer = await create(body, by);
    // Concurrent calls share the next key, too.
    if (isUnsent(answer) && key === used) key = randomUUID();
    return answer;
  };
  return {
    channelId: publicId,
    id,
    resourceId,
    path,
    key: () => key,
    get,
    create,
    publish,
    createUntilDecided: (body, by) =>
      untilDone(
        () => createAgain(body, by),
        (answer) => isUndecided(answer) || isUnsent(answer),
      ),
    publishUntilDecided: (containerId, by) =>
      untilDone(
        () => publish(containerId, by),
        (answer) => isLate(answer) || answer.body?.code === 'PLATFORM_UNAVAILABLE',
      ),
    async reaches(containerId, status, by) {
      let last: ApiAnswer['body'];
      const look = async () => {
        last = await get(containerId, by);
        if (![status].flat().includes(last.status)) return false;
        return (last.status !== 'finished' || (await isPublishable(containerId))) && last;
      };
      return await until(look, { for: `${containerId} as ${String(status)}`, detail: () => last });
    },
    containerCount: async () => (await db('media_containers').where({ channel_id: id })).length,
    containerId: () =>
      until(
        async (): Promise<string | undefined> => {
          const row = await db('media_containers').where({ channel_id: id }).orderBy('id', 'desc').first('public_id');
          return row?.public_id;
        },
        { for: 'The row of the container' },
      ),
    calls: (at) => platform.media.calls().filter((call) => call.at === at && call.account === resourceId),
    containers: () => platform.media.containers().filter(({ account }) => account === resourceId),
    posts: () => platform.media.posts().filter(({ accountId }) => accountId === resourceId),
  };
}

/** The tests of a file use more than the share of their organization. The platform's own limits are final. */
async function unlessLimited(call: () => Promise<ApiAnswer>): Promise<ApiAnswer> {
  return await untilDone(call, ({ body }) => body?.code === 'RATE_LIMITED');
}

/** A lost answer of the platform has the same code, but is final. */
function isUndecided({ body }: ApiAnswer): boolean {
  return /^(Nothing was started|It is not known yet)/.test(body?.message ?? '') || body?.code === 'SERVICE_UNAVAILABLE';
}

function isUnsent({ body }: ApiAnswer): boolean {
  return body?.code === 'WORKFLOW_UNAVAILABLE' && / was not sent to the platform/.test(body.message);
}
