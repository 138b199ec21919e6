import type { Readable } from 'node:stream';
import { proofOf, proofParameter } from '../../platform/client/app-secret-proof.ts';
import { apiVersions } from '../../platform/client/api-versions.ts';
import type { ChannelCall } from '../calls/call.ts';
import type { Upstream, UpstreamAnswer } from './upstream.ts';

export interface PlatformRequest {
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
