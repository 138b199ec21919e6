import type { Readable } from 'node:stream';
import { Agent, type Dispatcher, request } from 'undici';
import type { OutboundLog } from '../../db/operations/outbound-calls.ts';
import type { GatewayMeter } from '../../metrics/gateway-metrics.ts';
import { isBeforeSending } from '../../platform/client/connect-failure.ts';
import { platformRequestIdHeaders } from '../../platform/forwarding/gateway-headers.ts';
import type { ChannelCall } from '../calls/call.ts';
import type { GatewayLimits } from '../calls/deps.ts';
import { outcomeUnknown, platformAway, Refusal } from '../calls/refusal.ts';

export interface UpstreamCall {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly url: string;
  /** As the list of calls shows it. */
  readonly path: string;
  readonly operation?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer | Readable | undefined;
}

export interface UpstreamAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Dispatcher.ResponseData['body'];
  /** Writes the call down, once its answer has been read or lost. */
  readonly finish: (error?: string) => void;
  /** What to tell the caller when the rest of the answer does not come. */
  readonly lost: (cause: unknown) => Refusal;
}

/** Calls to the platform, each made once. Its hosts are the operator's settings; redirects are not followed. */
export interface Upstream {
  send(call: ChannelCall, upstreamCall: UpstreamCall): Promise<UpstreamAnswer>;
  close(): Promise<void>;
}

const CONNECT_TIMEOUT_MS = 5_000;
/**
 * Well below the idle time-outs of the platform: on a connection that it closes just as it is used, the outcome of a
 * send would be unknown. A connection for each send would be safer still, and cost two round trips more.
 */
const KEEP_ALIVE_MS = 4_000;

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

  async function send(call: ChannelCall, { method, url, path, operation, headers, body }: UpstreamCall) {
    const finish = recordOnce({ call, outbound, meter, method, path, operation: operation ?? null });
    const lost = (cause: unknown): Refusal => lostAnswer({ call, cause, method });
    try {
      const options = { dispatcher: agent, method, headers, signal: call.signal, body: body ?? null };
      const answer = await request(url, options);
      const { statusCode: status } = answer;
      const platformRequestId = platformIdOf(answer.headers);
      const end = (error?: string): void => finish({ status, error: error ?? null, platformRequestId });
      return { status, headers: answer.headers, body: answer.body, finish: end, lost };
    } catch (error) {
      finish({ status: null, error: codeOf(error, call), platformRequestId: null });
      throw lost(error);
    }
  }

  return { send, close: () => agent.destroy() };
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
      startedAt,
    });
  };
}

/** A failure to send changes nothing; what was sent and is not answered may have been done, unless it only reads. */
function lostAnswer({ call, cause, method }: { call: ChannelCall; cause: unknown; method: string }): Refusal {
  if (cause instanceof Refusal) return cause;
  if (call.signal.reason instanceof Refusal) return call.signal.reason;
  if (isBeforeSending(cause)) return platformAway('The platform can not be reached. Nothing was sent.');
  return method === 'GET' ? platformAway('The platform did not answer.') : outcomeUnknown();
}

function platformIdOf(headers: UpstreamAnswer['headers']): string | null {
  const found = platformRequestIdHeaders.map((name) => headers[name]).find((value) => typeof value === 'string');
  return typeof found === 'string' ? found.slice(0, 200) : null;
}

function codeOf(error: unknown, call: ChannelCall): string {
  if (call.isGone()) return 'caller_gone';
  if (error instanceof Refusal) return error.code;
  if (call.signal.aborted) return 'timed_out';
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code;
  return error instanceof Error ? error.name : 'unknown';
}
