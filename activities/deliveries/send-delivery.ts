import { hash } from 'node:crypto';
import { outcomeOfStatus } from '../../contract/deliveries/outcome-of-status.ts';
import { isInstallationFault } from '../../contract/deliveries/egress-errors.ts';
import type { SignableDelivery } from '../../contract/deliveries/signable-delivery.ts';
import { type DestinationOptions, isDebounced, timeoutMsOf } from '../../contract/destinations/options.ts';
import type { IdKey } from '../../contract/ids.ts';
import { parseRetryAfterMs } from '../../contract/deliveries/retry-schedule.ts';
import { type BodyBox, BodyUnreadable, type StoredBody } from '../../db/core/body-box.ts';
import { packRequest } from '../../db/deliveries/pack-request.ts';
import { parseSignatures } from '../../contract/deliveries/signature.ts';
import { bodyContexts } from '../../db/core/body-contexts.ts';
import type { OpenCredentials, OpenSecret } from '../signing/open-secret.ts';
import type { Attempt } from '../../db/ledger/attempts.ts';
import { createSignBatch, createSignDelivery } from '../signing/sign-delivery.ts';
import type { NotSentReason, SentResult } from '../../egress/result.ts';
import type { Egress } from '../../egress/client.ts';
import type { Permit } from '../../egress/permit.ts';
import { noTraces, type Traces } from '../../process/traces/traces.ts';
import { beginAttempts, createBeginAttempt } from './trace-attempts.ts';

/** The body is signed and sent byte for byte as it was accepted. */
export interface DeliveryToSend extends Omit<SignableDelivery, 'body'> {
  readonly url: string;
  readonly body: StoredBody;
  readonly destinationId: number;
  readonly workspaceId: string;
  /** Optional. Deliveries of one group share connections. Default: one group per destination. */
  readonly connectionGroup?: string;
  /** Optional. How long it waits for a connection without a permit. Default: it does not wait. */
  readonly maxWaitMs?: number;
  /** Null if the event is not sampled. */
  readonly traceParent: string | null;
  readonly sendsTraceParent: boolean;
  /** Optional. Default: the installation's defaults. */
  readonly options?: DestinationOptions | null;
  /** Optional. Static headers and authorization. Default: none. */
  readonly sealedCredentials?: string | null;
  /** Optional. Further deliveries of the conversation in the same request. Default: none. */
  readonly following?: readonly FollowingDelivery[];
}

export interface FollowingDelivery extends Pick<
  DeliveryToSend,
  'id' | 'eventId' | 'eventType' | 'eventFlags' | 'body' | 'traceParent'
> {
  readonly attemptCount: number;
}

export interface SentAttempt extends Attempt {
  /** Optional. The attempts of the deliveries that followed in the same request. Default: none. */
  readonly following?: readonly Attempt[];
}

export interface SendDeliveryDeps {
  readonly egress: Egress;
  readonly idKey: IdKey;
  readonly openSecret: OpenSecret;
  readonly openCredentials: OpenCredentials;
  readonly bodyBox: BodyBox;
  /** Optional. Default: no traces. */
  readonly traces?: Traces | undefined;
}

/** With a permit, waits for a connection until the permit is withdrawn. Otherwise waits for at most `maxWaitMs`. */
export type SendDelivery = (delivery: DeliveryToSend, number: number, permit?: Permit) => Promise<SentAttempt>;

/** An internal error prevented the request. It does not count as an attempt and should be retried soon. */
export class InstallationFault extends Error {
  constructor({ error, detail }: { readonly error: string; readonly detail: string }) {
    super(`Not sent: ${error} (${detail})`);
    // Workflow histories store this name.
    this.name = 'OwnFault';
  }
}

/** The request found no connection while it was wanted. Neither the receiver nor the network is at fault. */
export class NotSent extends InstallationFault {
  readonly reason: NotSentReason;

  constructor(reason: NotSentReason) {
    super({ error: 'not_sent', detail: reason });
    this.reason = reason;
  }
}

/**
 * Signs and posts a delivery. Throws `InstallationFault` or `BodyUnreadable` if nothing was sent. Encrypts the response
 * body, which may quote the event.
 */
export function createSendDelivery({ traces = noTraces, ...deps }: SendDeliveryDeps): SendDelivery {
  const { egress, idKey, openSecret, openCredentials, bodyBox } = deps;
  const sign = createSignDelivery({ idKey, openSecret });
  const signBatch = createSignBatch({ idKey, openSecret });
  const beginAttempt = createBeginAttempt({ traces, idKey });
  return async (delivery, number, permit) => {
    const traced = beginAttempts(beginAttempt, delivery, number);
    if (!traced) return await send(delivery, number, { permit });
    const header = delivery.sendsTraceParent ? { traceparent: traced.traceParent } : {};
    try {
      const attempt = await send(delivery, number, { permit, header });
      traced.end(attempt);
      return attempt;
    } catch (error) {
      traced.fail(error);
      throw error;
    }
  };

  async function send(delivery: DeliveryToSend, number: number, { permit, header }: Sending): Promise<SentAttempt> {
    const { url, workspaceId, connectionGroup: group = delivery.destinationId } = delivery;
    const { headers: signed, body } = signedRequest(delivery, number);
    const { sealedCredentials, channelId } = delivery;
    const own = sealedCredentials ? openCredentials(sealedCredentials, channelId) : undefined;
    // The service's own headers take precedence.
    const headers = own || header ? { ...own, ...signed, ...header } : signed;
    const maxWaitMs = permit === undefined ? (delivery.maxWaitMs ?? 0) : undefined;
    const waiting = { group, workspaceId, permit, maxWaitMs, timeoutMs: timeoutMsOf(delivery.options) };
    const result = await egress.send({ method: 'POST', url, headers, body, ...waiting });
    if (result.outcome === 'not_sent') throw new NotSent(result.reason);
    if (result.outcome === 'no_response' && isInstallationFault(result.error)) throw new InstallationFault(result);
    // A blocked request was not sent.
    const request = result.outcome === 'blocked' ? null : packSent({ url, body, signed, own, header });
    return toSentAttempt(delivery, { ...toAttempt(result, number), request });
  }

  function signedRequest(delivery: DeliveryToSend, number: number): SignedRequest {
    if (isDebounced(delivery.options)) {
      const parts = [delivery, ...(delivery.following ?? [])].map(
        ({ id, eventId, eventType, eventFlags, body }, index) => {
          const attempted = delivery.following?.[index - 1]?.attemptCount;
          return {
            id,
            eventId,
            eventType,
            eventFlags: eventFlags ?? null,
            body: openOf(id, body),
            number: attempted === undefined ? number : attempted + 1,
          };
        },
      );
      return signBatch(delivery, parts);
    }
    const body = bodyBox.open(delivery.body);
    return { headers: sign({ ...delivery, body }, number), body };
  }

  function openOf(deliveryNumber: number, body: StoredBody): Buffer {
    try {
      return bodyBox.open(body);
    } catch (error) {
      if (error instanceof BodyUnreadable) error.deliveryNumber = deliveryNumber;
      throw error;
    }
  }

  function toSentAttempt({ id, options, following = [] }: DeliveryToSend, attempt: Attempt): SentAttempt {
    if (!isDebounced(options)) return sealResponse(attempt, id);
    const batch = [id, ...following.map((one) => one.id)];
    return {
      ...sealResponse({ ...attempt, batch }, id),
      following: following.map((one) => sealResponse({ ...attempt, number: one.attemptCount + 1, batch }, one.id)),
    };
  }

  function sealResponse(attempt: Attempt, deliveryNumber: number): Attempt {
    if (attempt.responseBody === null) return attempt;
    const { bytes, keyId } = bodyBox.store(attempt.responseBody, bodyContexts.response(deliveryNumber));
    return { ...attempt, responseBody: bytes, responseBodyKeyId: keyId };
  }
}

export interface SentParts {
  readonly url: string;
  readonly body: Uint8Array;
  readonly signed: Readonly<Record<string, string>>;
  /** Optional. Static headers and the authorization. */
  readonly own?: Readonly<Record<string, string>> | undefined;
  /** Optional. The header of a traced attempt. */
  readonly header?: Readonly<Record<string, string>> | undefined;
}

/** Packs what the ledger keeps of a request. */
export function packSent({ url, body, signed, own = {}, header = {} }: SentParts): Buffer {
  const { service, standard } = parseSignatures(signed);
  return packRequest({
    url,
    atSeconds: Number(signed['webhook-timestamp']),
    bodySha256: hash('sha256', body, 'buffer'),
    signatures: service.map((hex, index) => ({
      service: Buffer.from(hex, 'hex'),
      standard: Buffer.from(standard[index]!, 'base64'),
    })),
    redactedHeaders: Object.keys(own),
    traceParent: header['traceparent'] ?? null,
  });
}

interface SignedRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

interface Sending {
  readonly permit: Permit | undefined;
  readonly header?: Readonly<Record<string, string>>;
}

export function undefinedIfUnreadable(error: unknown): undefined {
  if (!(error instanceof BodyUnreadable)) throw error;
}

function toAttempt(result: SentResult, number: number): Attempt {
  const { startedAtMs, durationMs } = result;
  if (result.outcome !== 'answered') {
    const { outcome, error } = result;
    return { number, startedAtMs, durationMs, outcome, status: null, responseHeaders: null, responseBody: null, error };
  }
  return {
    number,
    startedAtMs,
    durationMs,
    outcome: outcomeOfStatus(result.status),
    status: result.status,
    responseHeaders: result.headers,
    responseBody: result.body,
    error: result.bodyError,
  };
}

/** Contains no text of the receiver, because it is shown in the Temporal UI. */
export function describeAttempt({ outcome, status, error }: Pick<Attempt, 'outcome' | 'status' | 'error'>): string {
  return `${outcome} (${status ?? error})`;
}

export function retryAfterMs(attempt: Attempt): number | undefined {
  return parseRetryAfterMs(attempt.responseHeaders?.['retry-after'], attempt.startedAtMs + attempt.durationMs);
}
