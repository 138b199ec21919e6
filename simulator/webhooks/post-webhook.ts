import { createHmac } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { Agent, request } from 'undici';

export const platformSignatureHeader = 'x-hub-signature-256';

export function signWebhook(bytes: Uint8Array, appSecret: string): string {
  return `sha256=${createHmac('sha256', appSecret).update(bytes).digest('hex')}`;
}

/** Delays double with each retry. */
export interface WebhookRetries {
  readonly count: number;
  readonly firstDelayMs: number;
}

export interface WebhookPosterOptions {
  readonly webhookUrl: string;
  readonly appSecret: string;
  readonly connections?: number;
  readonly retries?: WebhookRetries;
}

export interface PostedWebhook {
  readonly status: number | null;
  readonly attemptCount: number;
  readonly error: string | null;
}

export interface WebhookPoster {
  /** Signs and posts the bytes, with retries. Never throws. */
  readonly post: (bytes: Uint8Array) => Promise<PostedWebhook>;
  readonly close: () => Promise<void>;
}

/** About six seconds in all: long enough for a restart of the service. */
const DEFAULT_RETRIES: WebhookRetries = { count: 5, firstDelayMs: 200 };
/** Twice the platform's five seconds, for loaded test machines. */
const ANSWER_TIMEOUT_MS = 10_000;

/** Posts webhooks as the platform does: signed, over kept-alive connections, until answered with 200. */
export function createWebhookPoster(options: WebhookPosterOptions): WebhookPoster {
  const { webhookUrl, appSecret, connections = 64, retries = DEFAULT_RETRIES } = options;
  const agent = new Agent({
    connections,
    pipelining: 1,
    keepAliveTimeout: 30_000,
    headersTimeout: ANSWER_TIMEOUT_MS,
    bodyTimeout: ANSWER_TIMEOUT_MS,
  });
  const closing = new AbortController();

  async function postOnce(bytes: Uint8Array, signature: string): Promise<Omit<PostedWebhook, 'attemptCount'>> {
    try {
      const headers = { 'content-type': 'application/json', [platformSignatureHeader]: signature };
      const { statusCode, body } = await request(webhookUrl, {
        method: 'POST',
        dispatcher: agent,
        headers,
        body: bytes,
      });
      await body.dump();
      return { status: statusCode, error: null };
    } catch (error) {
      return { status: null, error: reason(error) };
    }
  }

  async function post(bytes: Uint8Array): Promise<PostedWebhook> {
    const signature = signWebhook(bytes, appSecret);
    for (let attemptCount = 1; ; attemptCount++) {
      const answer = await postOnce(bytes, signature);
      const isLast = attemptCount > retries.count || closing.signal.aborted;
      if (answer.status === 200 || isLast) return { ...answer, attemptCount };
      const hasEnded = await waitOrClose(retries.firstDelayMs * 2 ** (attemptCount - 1));
      if (hasEnded) return { ...answer, attemptCount };
    }
  }

  async function waitOrClose(delayMs: number): Promise<boolean> {
    try {
      await wait(delayMs, undefined, { signal: closing.signal });
      return false;
    } catch {
      return true; // Only `close` ends a wait early.
    }
  }

  return {
    post,
    async close() {
      closing.abort();
      await agent.destroy();
    },
  };
}

function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error ? `${String(error.code)}: ` : '';
  return code + error.message;
}
