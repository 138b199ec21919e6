import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { type HmacSha256, type SigningSecret, webhookSecretBase64 } from '../../contract/deliveries/signature.ts';
import { sealedContexts } from '../../db/core/sealed-columns.ts';
import type { SecretBox } from '../../db/core/secret-box.ts';

export type OpenSecret = (sealed: string, channelId: string) => SigningSecret<KeyObject>;

/** Without the cache, decryption would cost as much as the signature. */
const MAX_OPEN = 5_000;

export function createOpenSecret(secretBox: SecretBox): OpenSecret {
  const open = new Map<string, SigningSecret<KeyObject>>();
  return (sealed, channelId) => {
    const known = open.get(sealed);
    if (known) return known;
    const text = secretBox.open(sealed, sealedContexts.webhookSecret(channelId));
    const secret = signingSecret(text);
    if (open.size >= MAX_OPEN) open.delete(open.keys().next().value!);
    open.set(sealed, secret);
    return secret;
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
