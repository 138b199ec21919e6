import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';
import { DelayedAnswers } from '../servers/delayed-answers.ts';
import { readBody } from '../servers/http-server.ts';
import { answerSchema, performAnswer, type Answer } from './answer.ts';
import { isServiceSignatureValid, isStandardSignatureValid } from './check-signature.ts';
import { RequestLog, type RequestRecord, type SignatureVerdict } from './request-log.ts';

/** Omitted fields keep their value; null restores the default. */
export const webhookScript = z.strictObject({
  /** Without it, GET probes fail with 403. */
  verifyToken: z.string().nullable().optional(),
  secret: z.string().nullable().optional(),
  /** What differs from the default answers. */
  probe: z.strictObject({ get: answerSchema.optional(), post: answerSchema.optional() }).nullable().optional(),
  /** One for each delivery. */
  answers: z.array(answerSchema).nullable().optional(),
  /** The answer to later deliveries. Default: 200. */
  then: answerSchema.nullable().optional(),
});

export type WebhookScript = z.output<typeof webhookScript>;

export interface ReceivedRequest extends Omit<RequestRecord, 'receivedAtMs' | 'body' | 'verdict'> {
  readonly receivedAt: string;
  readonly bodyBase64: string | null;
  readonly signatureValid: boolean | null;
  readonly standardSignatureValid: boolean | null;
}

const MAX_READ_BYTES = 64 * 1024 * 1024;
/** Per body. The rest is only counted and hashed. */
const MAX_KEPT_BYTES = 256 * 1024;
const DEFAULT_WAIT_MS = 90_000;

export class ScriptedWebhook {
  readonly log = new RequestLog();
  readonly url: string;
  #script: WebhookScript = {};
  #answers: Answer[] = [];
  readonly #delayed = new DelayedAnswers();

  constructor(url: string) {
    this.url = url;
  }

  get answersLeft(): number {
    return this.#answers.length;
  }

  set(script: WebhookScript): void {
    this.#script = { ...this.#script, ...script };
    if (script.answers !== undefined) this.#answers = [...(script.answers ?? [])];
  }

  requests(page: { readonly after?: number; readonly limit?: number } = {}): ReceivedRequest[] {
    return this.log.list(page).map((record) => presentRequest(record, this.#script.secret ?? undefined));
  }

  deliveries(): ReceivedRequest[] {
    return this.requests().filter(({ isProbe }) => !isProbe);
  }

  /** Counts since the last `clear`. Rejects on timeout. */
  async waitForDeliveries(count: number, timeoutMs: number = DEFAULT_WAIT_MS): Promise<ReceivedRequest[]> {
    const isMet = await this.log.waitUntil(() => this.log.counts.deliveryCount >= count, timeoutMs);
    if (isMet) return this.deliveries();
    throw new Error(
      `Only ${this.log.counts.deliveryCount} of ${count} deliveries reached ${this.url} in ${timeoutMs} ms`,
    );
  }

  release(): void {
    this.#delayed.release();
  }

  clear(): void {
    this.log.clear();
  }

  async receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readBody(request, MAX_READ_BYTES);
    const record = this.#recordOf(request, body);
    this.log.add(record);
    performAnswer(response, this.#answerTo(record), {
      delayed: this.#delayed,
      onAnswered: (status) => void (record.answeredStatus = status),
    });
    this.log.wake();
  }

  #recordOf(request: IncomingMessage, body: Buffer): RequestRecord {
    const { method = '', url: path = '', headers } = request;
    const isProbe = method === 'GET' || 'x-service-probe' in headers || body.length === 0;
    const receivedAtMs = Date.now();
    const secret = isProbe ? undefined : (this.#script.secret ?? undefined);
    return {
      number: this.log.nextNumber,
      receivedAtMs,
      method,
      path,
      headers,
      bodyLength: body.length,
      sha256: createHash('sha256').update(body).digest('hex'),
      isProbe,
      // Copied, because a part would keep the whole read buffer in memory.
      body: Buffer.from(body.subarray(0, MAX_KEPT_BYTES)),
      verdict: secret === undefined ? null : checkSignatures({ headers, body, receivedAtMs }, secret),
      answeredStatus: null,
    };
  }

  #answerTo({ isProbe, method }: RequestRecord): Answer {
    if (!isProbe) return this.#answers.shift() ?? this.#script.then ?? {};
    const { get, post = {} } = this.#script.probe ?? {};
    if (method !== 'GET') return post;
    if (get?.mode !== undefined) return get;
    const token = this.#script.verifyToken ?? undefined;
    return {
      status: token === undefined && get?.body === undefined ? 403 : 200,
      body: token ?? 'This webhook has no verify token.',
      headers: { 'content-type': 'text/plain; charset=utf-8' },
      ...get,
    };
  }
}

/** A secret set after the arrival applies if the whole body was kept. */
function presentRequest(record: RequestRecord, secret: string | undefined): ReceivedRequest {
  const { receivedAtMs, body, verdict, ...facts } = record;
  const isWhole = body?.length === record.bodyLength;
  const isCheckable = secret !== undefined && !record.isProbe && isWhole;
  const checked = verdict ?? (isCheckable ? checkSignatures({ ...record, body }, secret) : null);
  return {
    ...facts,
    receivedAt: new Date(receivedAtMs).toISOString(),
    bodyBase64: body?.toString('base64') ?? null,
    signatureValid: checked?.signatureValid ?? null,
    standardSignatureValid: checked?.standardSignatureValid ?? null,
  };
}

interface CheckedRequest {
  readonly headers: IncomingHttpHeaders;
  readonly body: Uint8Array;
  readonly receivedAtMs: number;
}

function checkSignatures({ headers, body, receivedAtMs }: CheckedRequest, secret: string): SignatureVerdict {
  return {
    signatureValid: isServiceSignatureValid({ headers, body, secret }),
    standardSignatureValid: isStandardSignatureValid({ headers, body, secret, atMs: receivedAtMs }),
  };
}
