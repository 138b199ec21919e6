import type { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';
import { DelayedAnswers } from '../servers/delayed-answers.ts';
import { readBody } from '../servers/http-server.ts';
import { answerSchema, performAnswer, type Answer } from './answer.ts';
import { RequestLog, type RequestLogLimits } from './request-log.ts';
import {
  checkSignatures,
  presentRequest,
  sha256Hex,
  type ReceivedRequest,
  type RequestRecord,
} from './request-record.ts';

/** Omitted fields keep their value; null restores the default. */
export const webhookScript = z.strictObject({
  /** Without it, GET probes fail with 403. */
  verifyToken: z.string().nullable().optional(),
  secret: z.string().nullable().optional(),
  probe: z
    .strictObject({
      getStatus: z.int().min(200).max(599).optional(),
      getBody: z.string().optional(),
      postStatus: z.int().min(200).max(599).optional(),
      get: answerSchema.optional(),
      post: answerSchema.optional(),
    })
    .nullable()
    .optional(),
  /** One for each delivery. */
  answers: z.array(answerSchema).nullable().optional(),
  /** The answer to later deliveries. Default: 200. */
  then: answerSchema.nullable().optional(),
});

export type WebhookScript = z.output<typeof webhookScript>;

export interface ScriptedWebhookOptions extends RequestLogLimits {
  readonly url: string;
  readonly keepBodies: boolean;
  /** Per body. The rest is only counted and hashed. */
  readonly maxKeptBytes: number;
}

const MAX_READ_BYTES = 64 * 1024 * 1024;
const DEFAULT_WAIT_MS = 90_000;

export class ScriptedWebhook {
  readonly log: RequestLog;
  readonly #options: ScriptedWebhookOptions;
  #script: WebhookScript = {};
  #answers: Answer[] = [];
  readonly #delayed = new DelayedAnswers();

  constructor(options: ScriptedWebhookOptions) {
    this.#options = options;
    this.log = new RequestLog(options);
  }

  get url(): string {
    return this.#options.url;
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
    const { keepBodies, maxKeptBytes } = this.#options;
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
      sha256: sha256Hex(body),
      isProbe,
      // Copied, because a part would keep the whole read buffer in memory.
      body: keepBodies ? Buffer.from(body.subarray(0, maxKeptBytes)) : undefined,
      verdict: secret === undefined ? null : checkSignatures({ headers, body, receivedAtMs }, secret),
      answeredStatus: null,
    };
  }

  #answerTo({ isProbe, method }: RequestRecord): Answer {
    if (!isProbe) return this.#answers.shift() ?? this.#script.then ?? {};
    return method === 'GET' ? this.#getProbeAnswer() : this.#postProbeAnswer();
  }

  #getProbeAnswer(): Answer {
    const { get, getStatus, getBody } = this.#script.probe ?? {};
    if (get) return get;
    const token = getBody ?? this.#script.verifyToken ?? undefined;
    return {
      status: getStatus ?? (token === undefined ? 403 : 200),
      body: token ?? 'This webhook has no verify token.',
      headers: { 'content-type': 'text/plain; charset=utf-8' },
    };
  }

  #postProbeAnswer(): Answer {
    const { post, postStatus } = this.#script.probe ?? {};
    return post ?? { status: postStatus };
  }
}
