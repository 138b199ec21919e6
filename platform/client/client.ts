import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent } from 'undici';
import type { z } from 'zod';
import { proofOf } from './app-secret-proof.ts';
import { PlatformRejected, PlatformUnavailable } from './errors.ts';
import { sendCall, type PlatformCall, type PlatformClientOptions, type SentCall } from './send-call.ts';
import { secretParameters } from './oauth-vocabulary.ts';
import { isStatedRefusal, repeatOf } from './refusals.ts';
import { rejectionOf } from './rejection.ts';

export type { PlatformClientOptions } from './send-call.ts';

export interface PlatformFile {
  readonly bytes: Readable;
  readonly contentType: string | null;
  readonly length: number | null;
}

/** Hosts come from settings, never from users, and redirects are not followed. */
export interface PlatformClient {
  /** Retries temporary failures. Waits as long as the platform asks, up to `MAX_HINT_SECONDS`. */
  read<Schema extends z.ZodType>(schema: Schema, call: PlatformCall): Promise<z.output<Schema>>;
  once<Schema extends z.ZodType>(schema: Schema, call: SentCall): Promise<z.output<Schema>>;
  /** The caller must read the stream to its end or destroy it. */
  download(call: PlatformCall & { readonly timeoutMs: number }): Promise<PlatformFile>;
  close(): Promise<void>;
}

const CONNECT_TIMEOUT_MS = 5_000;
/** Short, because a user waits for the response. */
const READ_DELAYS_MS = [200, 800];
/** The read fails if the platform asks for a longer wait. */
const MAX_HINT_SECONDS = 5;

export function createPlatformClient(options: PlatformClientOptions): PlatformClient {
  const readAgent = new Agent({ connectTimeout: CONNECT_TIMEOUT_MS, keepAliveTimeout: 10_000 });
  // Writes use a new connection: if the platform closes a kept-alive one, the outcome is unknown.
  const writeAgent = new Agent({ connectTimeout: CONNECT_TIMEOUT_MS, pipelining: 0, allowH2: false });

  async function once<Schema extends z.ZodType>(schema: Schema, call: SentCall): Promise<z.output<Schema>> {
    const result = schema.safeParse((await answerOf(call)).value);
    if (!result.success) throw new PlatformUnavailable('The platform answered in a shape that is not known');
    return result.data;
  }

  async function answerOf(call: SentCall) {
    const agent = call.method === undefined || call.method === 'GET' ? readAgent : writeAgent;
    const answer = await sendCall(agent, options, call);
    if (answer.isOk) return answer;
    const { status } = answer;
    const rejected = rejectionOf({ ...answer, secrets: secretsOf(call, options.appSecret) });
    if ((status >= 400 && status < 500) || isStatedRefusal(rejected)) throw rejected;
    throw new PlatformUnavailable(`The platform answered ${status}`, { cause: rejected });
  }

  async function read<Schema extends z.ZodType>(schema: Schema, call: PlatformCall): Promise<z.output<Schema>> {
    for (const delayMs of READ_DELAYS_MS) {
      try {
        return await once(schema, call);
      } catch (error) {
        const waitMs = waitBeforeNext(error, delayMs);
        if (waitMs === undefined) throw error;
        await sleep(waitMs, undefined, call.signal && { signal: call.signal }).catch(() => undefined);
        if (call.signal?.aborted) throw error;
      }
    }
    return await once(schema, call);
  }

  async function close(): Promise<void> {
    await Promise.all([readAgent.destroy(), writeAgent.destroy()]);
  }

  async function download(call: PlatformCall): Promise<PlatformFile> {
    const { headers, body } = await answerOf({ ...call, headers: { accept: '*/*' }, opens: true });
    const length = /^\d{1,15}$/.test(`${headers['content-length']}`) ? Number(headers['content-length']) : null;
    const contentType = headers['content-type'];
    return { bytes: body, contentType: typeof contentType === 'string' ? contentType : null, length };
  }

  return { once, read, download, close };
}

function waitBeforeNext(error: unknown, delayMs: number): number | undefined {
  const rejected = error instanceof PlatformUnavailable ? error.cause : error;
  const hintSeconds = rejected instanceof PlatformRejected ? rejected.retryAfterSeconds : null;
  if (hintSeconds !== null && hintSeconds > MAX_HINT_SECONDS) return undefined;
  if (!isRetryable(error, hintSeconds !== null)) return undefined;
  return Math.max(delayMs, (hintSeconds ?? 0) * 1000);
}

function isRetryable(error: unknown, isHinted: boolean): boolean {
  if (error instanceof PlatformUnavailable) return true;
  if (!(error instanceof PlatformRejected)) return false;
  const repeat = repeatOf(error);
  return repeat === 'soon' || (repeat === 'hinted' && isHinted);
}

function secretsOf({ token, query = {} }: PlatformCall, appSecret: string): string[] {
  const ofQuery = secretParameters.map((name) => query[name]);
  const ofToken = token === undefined ? [] : [token, proofOf(token, appSecret)];
  return [appSecret, ...ofToken, ...ofQuery].filter((secret) => secret !== undefined);
}
