import type { PlatformContainerState } from '../../contract/containers/status.ts';
import { apiVersions } from '../client/chatapp-word.ts';
import type { OnCall } from '../client/call-report.ts';
import { createPlatformClient, type PlatformClientOptions } from '../client/client.ts';
import type { PlatformCall } from '../client/send-call.ts';
import { lostOrThrown, pathOf } from '../operations/account-client.ts';
import { PlatformOutcomeLost, PlatformRejected, PlatformUnavailable } from '../client/errors.ts';
import type { MediaParameters } from './parameters.ts';
import { containerAnswer, idAnswer, mediaList, permalinkAnswer, quotaAnswer } from './answers.ts';
import { redactPlatformText } from '../client/rejection.ts';
import { type Refusal, refusalOf } from '../client/refusals.ts';

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

export type PlatformMedia = ReturnType<typeof createPlatformMedia>;

type PlatformMediaOptions = Omit<PlatformClientOptions, 'version'>;

const RECENT_COUNT = '25';

/**
 * Writes are made once and return their outcome. Reads are retried, and throw PlatformRejected or PlatformUnavailable.
 */
export function createPlatformMedia(options: PlatformMediaOptions) {
  const client = createPlatformClient({ version: apiVersions.photoapp, ...options });
  const reach = ({ token, onCall }: PlatformAccountAccess, signal: AbortSignal) => ({ token, onCall, signal });

  return {
    createContainer: (account: PlatformAccountAccess, form: MediaParameters, signal: AbortSignal) =>
      write('write', { path: pathOf([account.resourceId, 'media']), form, ...reach(account, signal) }),

    publishContainer: (account: PlatformAccountAccess, platformContainerId: string, signal: AbortSignal) =>
      write('publish', {
        path: pathOf([account.resourceId, 'media_publish']),
        form: { creation_id: platformContainerId },
        ...reach(account, signal),
      }),

    async readContainer(
      account: PlatformAccountAccess,
      platformContainerId: string,
      signal: AbortSignal,
    ): Promise<ContainerReading> {
      const query = { fields: 'status_code,status' };
      const call = { path: pathOf([platformContainerId]), query, ...reach(account, signal) };
      const { status, text } = await client.read(containerAnswer, call);
      return { status, detail: redactPlatformText(text ?? '', [account.token]) || null };
    },

    readQuota(account: PlatformAccountAccess, signal: AbortSignal) {
      const path = pathOf([account.resourceId, 'content_publishing_limit']);
      return client.read(quotaAnswer, { path, query: { fields: 'config,quota_usage' }, ...reach(account, signal) });
    },

    async readPermalink(account: PlatformAccountAccess, mediaId: string, signal: AbortSignal) {
      const call = { path: pathOf([mediaId]), query: { fields: 'permalink' }, ...reach(account, signal) };
      return (await client.read(permalinkAnswer, call)).permalink;
    },

    /** Newest first. */
    recentMedia(account: PlatformAccountAccess, { stories }: { readonly stories: boolean }, signal: AbortSignal) {
      const query = { fields: 'id,caption,media_type,timestamp,permalink', limit: RECENT_COUNT };
      const path = pathOf([account.resourceId, stories ? 'stories' : 'media']);
      return client.read(mediaList, { path, query, ...reach(account, signal) });
    },

    close: () => client.close(),
  };

  async function write(kind: 'write' | 'publish', call: PlatformCall): Promise<WriteAnswer> {
    try {
      const { id } = await client.once(idAnswer, { method: 'POST', ...call });
      return { outcome: 'accepted', id };
    } catch (error) {
      return refusedWrite(kind, lostOrThrown(kind, error));
    }
  }
}

function refusedWrite(kind: 'write' | 'publish', error: unknown): WriteAnswer {
  if (error instanceof PlatformOutcomeLost) return { outcome: 'lost', text: error.message };
  if (error instanceof PlatformRejected) {
    const { code, subcode, text, message } = error;
    return { outcome: 'rejected', code, subcode, text: text ?? message, refusal: refusalOf(kind, error) };
  }
  if (!(error instanceof PlatformUnavailable)) throw error;
  const text = `Nothing was sent: ${error.message}`;
  return { outcome: 'rejected', code: null, subcode: null, text, refusal: notSentRefusal };
}

const notSentRefusal = { kind: 'temporary', code: 'PLATFORM_UNAVAILABLE', retryAfterSeconds: 5 } as const;
