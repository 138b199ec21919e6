import { fileRequestHeaders, forwardedRequestHeaders } from '../../platform/forwarding/gateway-headers.ts';
import { hasBody } from '../../process/lingering-close.ts';
import { fileScopes } from '../../platform/ownership/call-scopes.ts';
import type { SendAnswer } from './answer.ts';
import type { ChannelCall } from '../calls/call.ts';
import type { GatewayLimits } from '../calls/deps.ts';
import { MethodNotAllowed } from '../../process/http-errors.ts';
import { boundedUpload } from './request-body.ts';
import type { AddressUse, SealedAddresses } from './sealed-address.ts';
import { requireTokenScopes } from '../access/token-scopes.ts';
import type { Upstream } from '../upstream/upstream.ts';

export interface FileNeeds {
  readonly upstream: Upstream;
  readonly sealed: SealedAddresses;
  readonly giveAnswer: SendAnswer;
  readonly limits: GatewayLimits;
}

export type PassFile = (call: ChannelCall, use: AddressUse, sealed: string) => Promise<void>;

const methods = { media: ['GET'], uploads: ['GET', 'POST'] } as const;
const schemes = { media: 'Bearer', uploads: 'OAuth' } as const;
/** The platform refuses downloads without a User-Agent. */
const USER_AGENT = 'Service-Gateway/1.0';

export function createPassFile({ upstream, sealed, giveAnswer, limits }: FileNeeds): PassFile {
  return async (call, use, text) => {
    requireTokenScopes(call.channel, [fileScopes[use]]);
    const url = sealed.open(use, call.channel.channelPublicId, text);
    const method = methods[use].find((each) => each === call.request.method);
    if (method === undefined) throw new MethodNotAllowed(methods[use]);
    call.logFields['path'] = use;
    const body = method === 'POST' && hasBody(call.request) ? boundedUpload(call, limits.bodyBytes) : undefined;
    const headers = { ...headersOf(call), authorization: `${schemes[use]} ${call.account.token}` };
    const answer = await upstream.send(call, { method, url, path: use, headers, body });
    await giveAnswer(call, answer, { isFile: use === 'media' });
  };
}

function headersOf({ request }: ChannelCall): Record<string, string> {
  const headers: Record<string, string> = { 'accept-encoding': 'identity', 'user-agent': USER_AGENT };
  for (const name of [...forwardedRequestHeaders, ...fileRequestHeaders]) {
    const value = request.headers[name];
    if (typeof value === 'string') headers[name] = value;
  }
  const length = request.headers['content-length'];
  if (length !== undefined && Number(length) > 0) headers['content-length'] = length;
  return headers;
}
