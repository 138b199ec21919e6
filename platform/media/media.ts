import type { PlatformContainerState } from '../../contract/containers/status.ts';
import { apiVersions } from '../client/chatapp-word.ts';
import type { OnCall } from '../client/call-report.ts';
import { createPlatformClient, type PlatformClient, type PlatformClientOptions } from '../client/client.ts';
import { PlatformRejected, PlatformUnavailable } from '../client/errors.ts';
import type { MediaParameters } from './parameters.ts';
import { containerAnswer, idAnswer, mediaList, permalinkAnswer, quotaAnswer, type RecentMedia } from './answers.ts';
import { redactPlatformText } from '../client/rejection.ts';
import { type CallKind, type Refusal, refusalOf } from '../client/refusals.ts';

export interface PlatformAccountAccess {
  readonly resourceId: string;
  readonly token: string;
  readonly onCall?: OnCall;
}

/** Texts are for users: on one line and without secrets. */
export type WriteAnswer =
  | { readonly outcome: 'accepted'; readonly id: string }
  | {
      readonly outcome: 'rejected';
      readonly code: number | null;
      readonly subcode: number | null;
      readonly text: string;
      readonly refusal: Pick<Refusal, 'kind' | 'code' | 'retryAfterSeconds'>;
    }
  /** Only a later read can settle it. */
  | { readonly outcome: 'lost'; readonly text: string };

export interface ContainerReading {
  /** Null if the platform shows the container without a known status. */
  readonly status: PlatformContainerState | null;
  readonly detail: string | null;
}

/**
 * Writes are made once and return their outcome. Reads are retried, and throw PlatformRejected or PlatformUnavailable.
 */
export interface PlatformMedia {
  createContainer(
    account: PlatformAccountAccess,
    parameters: MediaParameters,
    signal: AbortSignal,
  ): Promise<WriteAnswer>;
  publishContainer(
    account: PlatformAccountAccess,
    platformContainerId: string,
    signal: AbortSignal,
  ): Promise<WriteAnswer>;
  readContainer(
    account: PlatformAccountAccess,
    platformContainerId: string,
    signal: AbortSignal,
  ): Promise<ContainerReading>;
  readQuota(account: PlatformAccountAccess, signal: AbortSignal): Promise<{ used: number; total: number } | null>;
  readPermalink(account: PlatformAccountAccess, mediaId: string, signal: AbortSignal): Promise<string | null>;
  /** Newest first. */
  recentMedia(
    account: PlatformAccountAccess,
    list: { readonly stories: boolean },
    signal: AbortSignal,
  ): Promise<RecentMedia[]>;
  close(): Promise<void>;
}

export type PlatformMediaOptions = Omit<PlatformClientOptions, 'version'> & { readonly version?: string };

const RECENT_COUNT = '25';

export function createPlatformMedia(options: PlatformMediaOptions): PlatformMedia {
  const client = createPlatformClient({ version: apiVersions.photoapp, ...options });
  return {
    createContainer: ({ resourceId, token, onCall }, form, signal) =>
      write(client, { kind: 'write', path: pathOf(resourceId, 'media'), form, token, signal, onCall }),
    publishContainer: ({ resourceId, token, onCall }, platformContainerId, signal) =>
      write(client, {
        kind: 'publish',
        path: pathOf(resourceId, 'media_publish'),
        form: { creation_id: platformContainerId },
        token,
        signal,
        onCall,
      }),
    async readContainer({ token, onCall }, platformContainerId, signal) {
      const query = { fields: 'status_code,status' };
      const answer = await client.read(containerAnswer, {
        path: pathOf(platformContainerId),
        query,
        token,
        signal,
        onCall,
      });
      return { status: answer.status, detail: redactPlatformText(answer.text ?? '', [token]) || null };
    },
    async readQuota({ resourceId, token, onCall }, signal) {
      const query = { fields: 'config,quota_usage' };
      return await client.read(quotaAnswer, {
        path: pathOf(resourceId, 'content_publishing_limit'),
        query,
        token,
        signal,
        onCall,
      });
    },
    async readPermalink({ token, onCall }, mediaId, signal) {
      const query = { fields: 'permalink' };
      return (await client.read(permalinkAnswer, { path: pathOf(mediaId), query, token, signal, onCall })).permalink;
    },
    async recentMedia({ resourceId, token, onCall }, { stories }, signal) {
      const query = { fields: 'id,caption,media_type,timestamp,permalink', limit: RECENT_COUNT };
      const path = pathOf(resourceId, stories ? 'stories' : 'media');
      return await client.read(mediaList, { path, query, token, signal, onCall });
    },
    close: () => client.close(),
  };
}

interface Write {
  readonly kind: Extract<CallKind, 'write' | 'publish'>;
  readonly path: string;
  readonly form: MediaParameters;
  readonly token: string;
  readonly signal: AbortSignal;
  readonly onCall: OnCall | undefined;
}

async function write(client: PlatformClient, { kind, ...call }: Write): Promise<WriteAnswer> {
  try {
    const { id } = await client.once(idAnswer, { method: 'POST', ...call });
    return { outcome: 'accepted', id };
  } catch (error) {
    if (error instanceof PlatformRejected) return refusedWrite(kind, error);
    if (error instanceof PlatformUnavailable) return unansweredWrite(error);
    throw error;
  }
}

function refusedWrite(call: Write['kind'], error: PlatformRejected): WriteAnswer {
  const { code, subcode } = error;
  const text = error.text ?? error.message;
  const refusal = refusalOf(call, error);
  return refusal.mayBeDone ? { outcome: 'lost', text } : { outcome: 'rejected', code, subcode, text, refusal };
}

function unansweredWrite({ notSent, message, cause }: PlatformUnavailable): WriteAnswer {
  if (notSent) {
    const text = `Nothing was sent: ${message}`;
    return { outcome: 'rejected', code: null, subcode: null, text, refusal: notSentRefusal };
  }
  const said = cause instanceof PlatformRejected ? cause.text : null;
  return { outcome: 'lost', text: said === null ? message : `${message}: ${said}` };
}

const notSentRefusal = { kind: 'temporary', code: 'PLATFORM_UNAVAILABLE', retryAfterSeconds: 5 } as const;

/** Prevents an id from spanning several segments. */
function pathOf(...segments: readonly string[]): string {
  return segments.map(encodeURIComponent).join('/');
}
