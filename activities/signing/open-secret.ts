import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { type HmacSha256, type SigningSecret, webhookSecretBase64 } from '../../contract/deliveries/signature.ts';
import type { DestinationCredentials } from '../../contract/destinations/options.ts';
import { sealedContexts } from '../../db/core/sealed-columns.ts';
import type { SecretBox } from '../../db/core/secret-box.ts';
import { BoundedMap } from '../../process/bounded-map.ts';

/** Without the cache, decryption would cost as much as the signature. */
const MAX_OPEN = 5_000;

export type OpenSecret = (sealed: string, channelId: string) => SigningSecret<KeyObject>;

export function createOpenSecret(secretBox: SecretBox): OpenSecret {
  return cached((sealed, channelId) => signingSecret(secretBox.open(sealed, sealedContexts.webhookSecret(channelId))));
}

/** Returns the headers that a destination wants with each delivery. */
export type OpenCredentials = (sealed: string, channelId: string) => Readonly<Record<string, string>>;

export function createOpenCredentials(secretBox: SecretBox): OpenCredentials {
  return cached((sealed, channelId) => {
    const text = secretBox.open(sealed, sealedContexts.destinationCredentials(channelId));
    const { headers, authorization } = JSON.parse(text) as DestinationCredentials;
    return authorization === null ? headers : { ...headers, authorization };
  });
}

function cached<Opened>(open: (sealed: string, channelId: string) => Opened): typeof open {
  const opened = new BoundedMap<string, Opened>(MAX_OPEN);
  return (sealed, channelId) => {
    const known = opened.get(sealed);
    if (known !== undefined) return known;
    const fresh = open(sealed, channelId);
    opened.set(sealed, fresh);
    return fresh;
  };
}

/** Returns key objects, because creating one for each HMAC would cost several times the HMAC. */
export function signingSecret(text: string): SigningSecret<KeyObject> {
  return {
    shown: createSecretKey(text, 'utf8'),
    decoded: createSecretKey(webhookSecretBase64(text), 'base64'),
  };
}

export const hmacSha256: HmacSha256<KeyObject> = (key, chunks, encoding) => {
  const hmac = createHmac('sha256', key);
  for (const chunk of chunks) hmac.update(chunk);
  return hmac.digest(encoding);
};
