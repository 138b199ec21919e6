import type { IncomingMessage } from 'node:http';
import { isAllowed, parseCidrs } from '../../contract/addresses/classify-address.ts';
import { CHANNEL_TOKEN_PREFIX } from '../../contract/channels/token.ts';
import { resourceMetadataUrl } from '../../contract/identity/resource-metadata.ts';
import type { OpenedToken } from '../../db/channels/open-token.ts';
import { classifyParameter } from '../../platform/ownership/parameters.ts';
import type { Admission } from './admission.ts';
import type { ChannelDirectory } from '../calls/deps.ts';
import { AddressNotAllowed, HttpError } from '../../process/http-errors.ts';
import { credentialRefused, disconnected, MissingBearer } from '../calls/errors.ts';

/** Other forms are refused without a query. */
const TOKEN_FORM = /^hmat_[A-Za-z0-9_-]{20,128}$/;
/** The platform's upload clients send OAuth. */
const SCHEMES = { calls: /^Bearer +(\S+) *$/i, uploads: /^(?:Bearer|OAuth) +(\S+) *$/i };

export interface Authenticated extends Omit<OpenedToken, 'allowedCidrs'> {
  readonly token: string;
}

export interface Authenticating {
  readonly request: IncomingMessage;
  readonly query: URLSearchParams;
  readonly channels: ChannelDirectory;
  readonly baseUrl: string;
  readonly admission: Admission;
  readonly clientAddress: string;
  readonly scheme?: keyof typeof SCHEMES;
}

export async function authenticate(asked: Authenticating): Promise<Authenticated> {
  const { request, query, channels, admission, clientAddress, scheme = 'calls' } = asked;
  if ([...query.keys()].some((name) => classifyParameter(name) === 'credential')) {
    throw new MissingBearer('Send the token in the Authorization header, not in the query.');
  }
  const header = request.headers.authorization;
  if (header === undefined || header.trim() === '') {
    throw new MissingBearer(
      'The Authorization header is missing. Send "Authorization: Bearer hmat_…" with a channel token.',
    );
  }
  const token = SCHEMES[scheme].exec(header)?.[1];
  if (token === undefined)
    throw new MissingBearer('The Authorization header must be "Bearer hmat_…" with a channel token.');
  if (!token.startsWith(CHANNEL_TOKEN_PREFIX)) {
    admission.countFailure(clientAddress);
    throw new HttpError(
      'CREDENTIAL_NOT_ACCEPTED_HERE',
      'The gateway accepts only channel tokens (hmat_…). Use API keys (hmok_…) with the management API.',
    );
  }
  const opened = TOKEN_FORM.test(token) ? await channels.openToken(token) : undefined;
  if (opened === 'disconnected') throw disconnected();
  if (opened === undefined) {
    admission.countFailure(clientAddress);
    const metadataUrl = resourceMetadataUrl(asked.baseUrl);
    const headers = { 'www-authenticate': `Bearer error="invalid_token", resource_metadata="${metadataUrl}"` };
    throw new HttpError('AUTH_REQUIRED', 'This channel token is unknown, revoked or expired.', { headers });
  }
  const { account, allowedCidrs } = opened;
  if (allowedCidrs && !isAllowed(clientAddress, allowedCidrs.flatMap(parseCidrs))) {
    admission.countFailure(clientAddress);
    throw new AddressNotAllowed();
  }
  const { refusedReason } = account;
  if (refusedReason !== null) throw credentialRefused(refusedReason);
  return { token, channel: opened.channel, account };
}
