import type { IncomingMessage } from 'node:http';
import { CHANNEL_TOKEN_PREFIX } from '../../contract/channels/token.ts';
import { resourceMetadataUrl } from '../../contract/identity/resource-metadata.ts';
import type { OpenedToken } from '../../db/channels/open-token.ts';
import { judgeParameter } from '../../platform/ownership/parameters.ts';
import type { Admission } from './admission.ts';
import type { ChannelDirectory } from '../calls/deps.ts';
import { disconnected, missingBearer, Refusal } from '../calls/refusal.ts';

/** A bearer token's characters; anything else is none of ours, and not looked up. */
const FORM = /^hmat_[A-Za-z0-9_-]{20,128}$/;
/** Clients of the platform's uploads write the second one. */
const SCHEMES = { calls: /^Bearer +(\S+) *$/i, uploads: /^(?:Bearer|OAuth) +(\S+) *$/i };

export interface Authenticated extends OpenedToken {
  readonly token: string;
}

export interface Authenticating {
  readonly request: IncomingMessage;
  readonly query: URLSearchParams;
  readonly channels: ChannelDirectory;
  /** Where the API is reached. */
  readonly baseUrl: string;
  readonly admission: Admission;
  readonly clientAddress: string;
  readonly scheme?: keyof typeof SCHEMES;
}

/** The channel behind the request's token, which is taken from the Authorization header alone. */
export async function authenticate(asked: Authenticating): Promise<Authenticated> {
  const { request, query, channels, admission, clientAddress, scheme = 'calls' } = asked;
  if ([...query.keys()].some((name) => judgeParameter(name) === 'credential')) {
    throw missingBearer('A token is taken from the Authorization header only, never from the query.');
  }
  const header = request.headers.authorization;
  if (header === undefined || header.trim() === '') {
    throw missingBearer('The header Authorization: Bearer hmat_… with a channel token is missing.');
  }
  const token = SCHEMES[scheme].exec(header)?.[1];
  if (token === undefined)
    throw missingBearer('The Authorization header must be Bearer with a channel token (hmat_…).');
  if (!token.startsWith(CHANNEL_TOKEN_PREFIX)) {
    admission.countFailure(clientAddress);
    throw new Refusal(
      'CREDENTIAL_NOT_ACCEPTED_HERE',
      'Only channel tokens (hmat_…) are accepted here; API keys (hmok_…) are for the management API.',
    );
  }
  const opened = FORM.test(token) ? await channels.openToken(token) : undefined;
  if (opened === 'disconnected') throw disconnected();
  if (opened === undefined) {
    admission.countFailure(clientAddress);
    const metadataUrl = resourceMetadataUrl(asked.baseUrl);
    const headers = { 'www-authenticate': `Bearer error="invalid_token", resource_metadata="${metadataUrl}"` };
    throw new Refusal('AUTH_REQUIRED', 'This channel token is unknown, revoked or expired.', { headers });
  }
  return { token, ...opened };
}

/** Where a request comes from; behind a proxy the address that the proxy saw. */
export function clientAddressOf(request: IncomingMessage, trustProxy: boolean): string {
  const forwarded = trustProxy ? request.headers['x-forwarded-for'] : undefined;
  const last = typeof forwarded === 'string' ? forwarded.split(',').at(-1)?.trim() : undefined;
  return last || (request.socket.remoteAddress ?? '');
}
