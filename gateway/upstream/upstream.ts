import type { Readable } from 'node:stream';
import { Agent, type Dispatcher, request } from 'undici';
import type { OutboundLog } from '../../db/operations/outbound-calls.ts';
import type { GatewayMeter } from '../../metrics/gateway-metrics.ts';
import { isBeforeSending } from '../../platform/client/send-call.ts';
import { platformRequestIdHeaders } from '../../platform/forwarding/gateway-headers.ts';
import type { Log } from '../../process/log.ts';
import type { ChannelCall } from '../calls/call.ts';
import type { ChannelDirectory, GatewayLimits } from '../calls/deps.ts';
import { HttpError, PlatformUnreachable } from '../../process/http-errors.ts';
import { isIncomplete } from '../../process/lingering-close.ts';
import { outcomeUnknown, stopping } from '../calls/errors.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import { proofOf, proofParameter } from '../../platform/client/app-secret-proof.ts';
import { isDeadCredential } from '../../platform/client/refusals.ts';
import type { RefusalCodes } from '../../platform/forwarding/rewrite-answer.ts';
import { deadCredentialReason } from '../../platform/oauth/credentials.ts';
import { apiVersions } from '../../platform/client/chatapp-word.ts';

export interface UpstreamCall {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly url: string;
  readonly path: string;
  readonly operation?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer | Readable | undefined;
}

export interface UpstreamAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Dispatcher.ResponseData['body'];
  readonly finish: (error?: string) => void;
  /** Returns the error for a response that breaks off. */
  readonly lost: (cause: unknown) => HttpError;
}

/** Never retries and never follows redirects. */
export interface Upstream {
  send(call: ChannelCall, upstreamCall: UpstreamCall): Promise<UpstreamAnswer>;
  /** Answers all callers that wait. Their calls continue, so that the outcome is recorded. */
  endCalls(): void;
  close(options: { readonly withinMs: number }): Promise<void>;
}

const CONNECT_TIMEOUT_MS = 5_000;
/** Below the platform's idle timeouts, because reusing a closing connection makes the outcome unknown. */
const KEEP_ALIVE_MS = 4_000;
/** Ended calls reject in the same moment. */
const DESTROYED_MS = 1_000;

interface UpstreamNeeds {
  readonly limits: GatewayLimits;
  readonly outbound: OutboundLog;
  readonly meter?: Pick<GatewayMeter, 'platformCalled'> | undefined;
}

export function createUpstream({ limits, outbound, meter }: UpstreamNeeds): Upstream {
  const agent = new Agent({
    connectTimeout: CONNECT_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
    headersTimeout: limits.headersMs,
    bodyTimeout: limits.headersMs,
    allowH2: false,
  });

  const running = createRunningCalls();

  async function send(call: ChannelCall, { method, url, path, operation, headers, body }: UpstreamCall) {
    if (running.hasEnded()) throw stopping();
    const finish = recordOnce({ call, outbound, meter, method, path, operation: operation ?? null });
    const lost = (cause: unknown): HttpError => lostAnswer({ call, cause, method });
    const early = (): HttpError => answeredEarly(call, method);
    const options = { dispatcher: agent, method, headers, signal: call.signal, body: body ?? null };
    const answering = request(url, options);
    try {
      const answer = await running.wait(answering, early);
      if (method !== 'GET') endBodyEarly(answer.body, early);
      const { statusCode: status } = answer;
      const platformRequestId = platformRequestIdOf(answer.headers);
      const end = (error?: string): void => finish({ status, error: error ?? null, platformRequestId });
      return { status, headers: answer.headers, body: answer.body, finish: end, lost };
    } catch (error) {
      if (running.hasEnded()) finishLater(answering, { finish, call });
      else finish({ status: null, error: codeOf(error, call), platformRequestId: null });
      throw lost(error);
    }
  }

  /** The status alone does not tell the caller what was done. */
  function endBodyEarly(body: UpstreamAnswer['body'], early: () => HttpError): void {
    const settled = running.untilEnd(() => body.destroy(early()));
    body.once('close', settled);
  }

  async function close({ withinMs }: { readonly withinMs: number }): Promise<void> {
    await running.idle(withinMs);
    await agent.destroy();
    await running.idle(DESTROYED_MS);
  }

  return { send, endCalls: running.end, close };
}

/** Records a call whose caller has been answered. */
function finishLater(
  answering: Promise<Dispatcher.ResponseData>,
  { finish, call }: { readonly finish: (ending: Ending) => void; readonly call: ChannelCall },
): void {
  const answered = async ({ statusCode: status, headers, body }: Dispatcher.ResponseData): Promise<void> => {
    finish({ status, error: null, platformRequestId: platformRequestIdOf(headers) });
    await body.dump();
  };
  const failed = (error: unknown): void =>
    finish({ status: null, error: codeOf(error, call), platformRequestId: null });
  answering.then(answered).catch(failed);
}

function answeredEarly({ request }: ChannelCall, method: string): HttpError {
  if (isIncomplete(request)) return stopping();
  if (method !== 'GET') return outcomeUnknown();
  return new PlatformUnreachable('The gateway is stopping, and the platform did not answer in time.');
}

interface Recording {
  readonly call: ChannelCall;
  readonly outbound: OutboundLog;
  readonly meter: UpstreamNeeds['meter'];
  readonly method: string;
  readonly path: string;
  readonly operation: string | null;
}

interface Ending {
  readonly status: number | null;
  readonly error: string | null;
  readonly platformRequestId: string | null;
}

function recordOnce({ call, outbound, meter, ...what }: Recording): (ending: Ending) => void {
  const startedAt = new Date();
  const startedAtMs = performance.now();
  let isRecorded = false;
  return (ending) => {
    if (isRecorded) return;
    isRecorded = true;
    const durationMs = performance.now() - startedAtMs;
    const purpose = what.operation === 'owner_look_up' ? 'owner_look_up' : 'call';
    call.tally.platformMs += durationMs;
    call.tally.isAnswerLost ||= ending.error === 'answer_lost';
    meter?.platformCalled({ purpose, status: ending.status, durationMs });
    outbound.record({
      ...what,
      ...ending,
      channelId: call.channel.channelId,
      workspaceId: call.channel.workspaceId,
      via: 'gateway',
      caller: call.caller,
      durationMs,
      requestId: call.requestId,
      callerRequestId: call.callerRequestId,
      startedAt,
    });
  };
}

/** A sent request without a response may have changed something, unless it is a GET. */
function lostAnswer({ call, cause, method }: { call: ChannelCall; cause: unknown; method: string }): HttpError {
  if (cause instanceof HttpError) return cause;
  if (call.signal.reason instanceof HttpError) return call.signal.reason;
  if (isBeforeSending(cause)) return new PlatformUnreachable('The platform cannot be reached. Nothing was sent.');
  return method === 'GET' ? new PlatformUnreachable('The platform did not answer.') : outcomeUnknown();
}

function platformRequestIdOf(headers: UpstreamAnswer['headers']): string | null {
  const found = platformRequestIdHeaders.map((name) => headers[name]).find((value) => typeof value === 'string');
  return typeof found === 'string' ? found.slice(0, 200) : null;
}

function codeOf(error: unknown, call: ChannelCall): string {
  if (call.isGone()) return 'caller_gone';
  if (error instanceof HttpError) return error.code;
  if (call.signal.aborted) return 'timed_out';
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code;
  return error instanceof Error ? error.name : 'unknown';
}

/** Calls to the platform, so that a stop can answer their callers while the calls continue. */
interface RunningCalls {
  /** Settles like the call, or rejects with `early` when the callers are answered. */
  wait<Answer>(call: Promise<Answer>, early: () => Error): Promise<Answer>;
  /** Calls `end` when the callers are answered, unless the returned function is called first. */
  untilEnd(end: () => void): () => void;
  readonly hasEnded: () => boolean;
  /** Answers all callers that wait. */
  end(): void;
  /** Resolves when no call is left, at the latest after this time. */
  idle(withinMs: number): Promise<void>;
}

function createRunningCalls(): RunningCalls {
  const running = new Set<Promise<unknown>>();
  const ends = new Set<() => void>();
  let hasEnded = false;

  function untilEnd(end: () => void): () => void {
    ends.add(end);
    return () => void ends.delete(end);
  }

  return {
    async wait(call, early) {
      const over: Promise<boolean> = call.then(
        () => running.delete(over),
        () => running.delete(over),
      );
      running.add(over);
      const { promise: answeredEarly, reject } = Promise.withResolvers<never>();
      const settled = untilEnd(() => reject(early()));
      try {
        return await Promise.race([call, answeredEarly]);
      } finally {
        settled();
      }
    },
    untilEnd,
    hasEnded: () => hasEnded,
    end() {
      hasEnded = true;
      for (const end of [...ends]) end();
    },
    async idle(withinMs) {
      if (running.size === 0) return;
      await Promise.race([Promise.all(running), sleep(withinMs, undefined, { ref: false })]);
    },
  };
}

interface PlatformRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  /** Optional. A caller's query stays text to keep its encoding. */
  readonly query?: string | Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer | Readable | undefined;
  readonly operation?: string;
}

/** Adds the version, the channel's credential and the proof. */
export type CallOnce = (call: ChannelCall, request: PlatformRequest) => Promise<UpstreamAnswer>;

interface CallOnceNeeds {
  readonly upstream: Upstream;
  readonly apiUrl: string;
  readonly appSecret: string;
}

export function createCallOnce({ upstream, apiUrl, appSecret }: CallOnceNeeds): CallOnce {
  return (call, { method, path, query = '', headers = {}, body, operation }) => {
    const { token } = call.account;
    const given = typeof query === 'string' ? query : new URLSearchParams(query).toString();
    const search = `${given}${given && '&'}${proofParameter}=${proofOf(token, appSecret)}`;
    return upstream.send(call, {
      method,
      url: `${apiUrl}/${apiVersions[call.channel.type]}/${path}?${search}`,
      path,
      headers: { 'accept-encoding': 'identity', ...headers, authorization: `Bearer ${token}` },
      body,
      ...(operation !== undefined && { operation }),
    });
  };
}

/**
 * Returns why the credential is invalid, if the error code means that, and stops further calls. The channel still receives
 * its events.
 */
export async function noteDeadCredential(
  { channels, log }: { readonly channels: ChannelDirectory; readonly log: Log },
  { channel, account, requestId }: ChannelCall,
  { code, subcode }: Pick<RefusalCodes, 'code' | 'subcode'>,
): Promise<string | undefined> {
  if (!isDeadCredential({ code, subcode })) return undefined;
  const reason = deadCredentialReason({ code, subcode });
  try {
    await channels.refuseCredential({ channelId: channel.channelId, reason, refusedToken: account.token });
  } catch (error) {
    // The next call or the health check tries again.
    log.warn('gateway.refuseFailed', { requestId, channelId: channel.channelPublicId, error });
  }
  return reason;
}
