import type { ApiClient, Schema } from '../../../client/create-client.ts';
import { ApiError } from '../../../client/errors.ts';
import { eventCountHeader } from '../../../contract/deliveries/batch.ts';
import { curlCommand } from '../../../contract/deliveries/curl-command.ts';
import { sentText } from '../../../contract/deliveries/sent-text.ts';

/** Returns the recorded request with its signatures. The body of an array is read when the command is needed. */
export function requestCurl(api: Pick<ApiClient, 'get'>, sent: SentDelivery): string | (() => Promise<string>) {
  const { request, payload } = sent;
  if (request.headers[eventCountHeader] === undefined) return curlCommand({ ...request, payload });
  return async () => {
    const body = await loadSentText(api, sent);
    if (body === null) throw new Error('Not copied: an event of this request is no longer stored as it was sent.');
    return curlCommand({ ...request, payload: body });
  };
}

export interface SentDelivery {
  readonly deliveryId: string;
  readonly payload: string;
  readonly request: Schema<'SentRequest'>;
}

/**
 * Returns the body of a request, for which it reads the other deliveries of an array. Returns null if one of its events
 * is no longer stored as it was sent.
 */
export async function loadSentText(api: Pick<ApiClient, 'get'>, sent: SentDelivery): Promise<string | null> {
  const payloadOf = async (wd: string): Promise<string | null> => {
    try {
      return (await api.get('/deliveries/{wd}', { params: { path: { wd } } })).payload;
    } catch (error) {
      if (error instanceof ApiError && error.code === 'DELIVERY_NOT_FOUND') return null;
      throw error;
    }
  };
  return await sentText(sent.request, sent, { payloadOf, sha256Hex });
}

async function sha256Hex(text: string): Promise<string> {
  if (!isSecureContext) throw new Error('The browser computes the digest of a body only on pages with https.');
  return hexOf(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))));
}

export function hexOf(digest: Uint8Array): string {
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
