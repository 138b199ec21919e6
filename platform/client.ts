import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { z } from 'zod';
import { PlatformRejected, PlatformUnavailable } from './errors.ts';

export interface PlatformClientOptions {
  /** Where the platform's API is, without a version. */
  readonly apiUrl: string;
  readonly version: string;
  readonly appSecret: string;
  /** Deadline of one call, from the connection to the last byte. */
  readonly timeoutMs?: number;
}

export interface PlatformCall {
  /** Below the version, without a slash in front. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  /** The token of the account that the call is for. */
  readonly token?: string;
  readonly signal?: AbortSignal;
}

/** Calls to the platform's API. Its hosts are the operator's settings, never a user's; redirects are not followed. */
export interface PlatformClient {
  /** Reads; tried again where the platform's answer says that this may help. */
  read<Schema extends z.ZodType>(schema: Schema, call: PlatformCall): Promise<z.output<Schema>>;
  /** Called once, for what may not be repeated or need not be. */
  once<Schema extends z.ZodType>(
    schema: Schema,
    call: PlatformCall & { readonly method?: 'GET' | 'POST' },
  ): Promise<z.output<Schema>>;
  close(): Promise<void>;
}

const TIMEOUT_MS = 10_000;
/** Lists of a hundred accounts are some 50 KB. */
const MAX_ANSWER_BYTES = 1024 * 1024;
/** Short: a person waits for the page. */
const READ_DELAYS_MS = [200, 800];
/** Unknown fault, service away, and the limits that pass by themselves within seconds. */
const RETRYABLE_CODES = new Set([1, 2, 4, 17, 341]);

const errorBody = z.object({
  error: z.object({ code: z.number().nullish(), error_subcode: z.number().nullish() }),
});

export function createPlatformClient(options: PlatformClientOptions): PlatformClient {
  const agent = new Agent({ connectTimeout: 5_000, keepAliveTimeout: 10_000 });

  async function once<Schema extends z.ZodType>(
    schema: Schema,
    call: PlatformCall & { readonly method?: 'GET' | 'POST' },
  ): Promise<z.output<Schema>> {
    const { status, text } = await exchange(agent, options, call);
    const value = parseJson(text);
    if (status >= 400 && status < 500) throw rejection(status, value);
    if (status !== 200)
      throw new PlatformUnavailable(`The platform answered ${status}`, { cause: rejection(status, value) });
    const result = schema.safeParse(value);
    if (!result.success) throw new PlatformUnavailable('The platform answered in a shape that is not known');
    return result.data;
  }

  async function read<Schema extends z.ZodType>(schema: Schema, call: PlatformCall): Promise<z.output<Schema>> {
    for (const delayMs of READ_DELAYS_MS) {
      try {
        return await once(schema, call);
      } catch (error) {
        if (!mayPass(error) || call.signal?.aborted) throw error;
        await sleep(delayMs);
      }
    }
    return await once(schema, call);
  }

  return { once, read, close: () => agent.destroy() };
}

function mayPass(error: unknown): boolean {
  if (error instanceof PlatformUnavailable) return true;
  return error instanceof PlatformRejected && error.code !== null && RETRYABLE_CODES.has(error.code);
}

interface Exchanged {
  readonly status: number;
  readonly text: string;
}

async function exchange(
  agent: Agent,
  { apiUrl, version, appSecret, timeoutMs = TIMEOUT_MS }: PlatformClientOptions,
  { path, query = {}, token, signal, method = 'GET' }: PlatformCall & { readonly method?: 'GET' | 'POST' },
): Promise<Exchanged> {
  const url = new URL(`${apiUrl}/${version}/${path}`);
  const proof = token === undefined ? {} : { appsecret_proof: proofOf(token, appSecret) };
  url.search = new URLSearchParams({ ...query, ...proof }).toString();
  const deadline = AbortSignal.timeout(timeoutMs);
  try {
    const response = await request(url, {
      dispatcher: agent,
      method,
      headers: { accept: 'application/json', ...(token !== undefined && { authorization: `Bearer ${token}` }) },
      signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
    });
    return { status: response.statusCode, text: await boundedText(response.body) };
  } catch (error) {
    if (error instanceof PlatformUnavailable) throw error;
    // The cause's code only: its message may say more than a log should hold.
    throw new PlatformUnavailable(`The platform did not answer (${codeOf(error)})`);
  }
}

/** Shows the platform that whoever holds the token also knows the app's secret. */
function proofOf(token: string, appSecret: string): string {
  return createHmac('sha256', appSecret).update(token).digest('hex');
}

async function boundedText(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > MAX_ANSWER_BYTES)
      throw new PlatformUnavailable(`The platform answered more than ${MAX_ANSWER_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function rejection(status: number, value: unknown): PlatformRejected {
  const { data } = errorBody.safeParse(value);
  return new PlatformRejected({ status, code: data?.error.code ?? null, subcode: data?.error.error_subcode ?? null });
}

function codeOf(error: unknown): string {
  if (error instanceof Error && 'code' in error) return String(error.code);
  return error instanceof Error ? error.name : 'unknown';
}
