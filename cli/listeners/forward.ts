import type { Schema } from '../../client/create-client.ts';
import type { World } from '../terminal/world.ts';

type Delivery = Schema<'ListenerDelivery'>;

export interface LocalResponse {
  readonly outcome: 'accepted' | 'rejected' | 'no_response';
  readonly status: number | null;
  readonly durationMs: number;
  readonly body: string | null;
  readonly error: string | null;
}

export interface Forwarding {
  readonly world: World;
  readonly url: string;
  readonly timeoutMs: number;
}

/** The ledger keeps no more. */
const MAX_KEPT_BYTES = 16 * 1024;
const MAX_ERROR_LENGTH = 200;
const connectionHeaders = new Set(['host', 'connection', 'content-length', 'transfer-encoding']);

/** Does not follow redirects. */
export async function forward(
  { world, url, timeoutMs }: Forwarding,
  { headers, payload }: Delivery,
): Promise<LocalResponse> {
  const startedAtMs = world.now();
  const since = () => Math.max(0, Math.round(world.now() - startedAtMs));
  try {
    const response = await world.fetch(
      new Request(url, {
        method: 'POST',
        headers: Object.entries(headers).filter(([name]) => !connectionHeaders.has(name)),
        body: payload,
        redirect: 'manual',
        signal: AbortSignal.any([world.signal, AbortSignal.timeout(timeoutMs)]),
      }),
    );
    const body = await beginningOf(response);
    return {
      outcome: response.ok ? 'accepted' : 'rejected',
      status: response.status,
      durationMs: since(),
      body,
      error: null,
    };
  } catch (error) {
    world.signal.throwIfAborted();
    return { outcome: 'no_response', status: null, durationMs: since(), body: null, error: reasonOf(error, timeoutMs) };
  }
}

async function beginningOf({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body ?? []) {
    chunks.push(chunk);
    length += chunk.length;
    if (length >= MAX_KEPT_BYTES) break;
  }
  return new TextDecoder().decode(Buffer.concat(chunks).subarray(0, MAX_KEPT_BYTES), { stream: true });
}

function reasonOf(error: unknown, timeoutMs: number): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return `no response within ${timeoutMs / 1000} s`;
  const inner = error.cause instanceof Error ? error.cause : error;
  const code = 'code' in inner && typeof inner.code === 'string' ? inner.code : null;
  const text = code === 'ECONNREFUSED' ? 'connection refused' : inner.message || code || error.message;
  return text.replaceAll(/\p{Cc}/gu, ' ').slice(0, MAX_ERROR_LENGTH) || 'no response';
}
