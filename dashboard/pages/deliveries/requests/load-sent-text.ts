import type { ApiClient, Schema } from '../../../../client/create-client.ts';
import { ApiError } from '../../../../client/errors.ts';
import { sentText } from '../../../../contract/deliveries/sent-text.ts';
import { hexOf } from './browser-hmac.ts';

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
