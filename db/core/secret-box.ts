import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/**
 * Encrypts secrets with AES-256-GCM as `v1.<keyId>.<iv>.<ciphertext and tag>`. The context is authenticated, so a
 * ciphertext does not open in another row.
 */
export interface SecretBox {
  readonly activeKeyId: string;
  seal(plain: string, context: string): string;
  open(sealed: string, context: string): string;
}

/** A key ring encrypts with its first key and decrypts with all. */
export interface RingKey {
  readonly id: string;
  readonly bytes: Uint8Array;
}

/** The recommended length for GCM. */
const IV_BYTES = 12;
const TAG_BYTES = 16;
const VERSION = 'v1';

export function createSecretBox(keys: readonly RingKey[]): SecretBox {
  const [active] = keys;
  if (!active) throw new Error('A secret box needs at least one key');
  const ring = new Map(keys.map(({ id, bytes }) => [id, bytes]));
  return {
    activeKeyId: active.id,
    seal: (plain, context) => seal(active, plain, context),
    open: (sealed, context) => open(ring, sealed, context),
  };
}

export function sealedPrefix(keyId: string): string {
  return `${VERSION}.${keyId}.`;
}

function seal({ id, bytes }: RingKey, plain: string, context: string): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', bytes, iv, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(context));
  const text = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  return `${sealedPrefix(id)}${iv.toString('base64url')}.${text.toString('base64url')}`;
}

function open(ring: ReadonlyMap<string, Uint8Array>, sealed: string, context: string): string {
  const [version, keyId = '', iv = '', text = '', ...rest] = sealed.split('.');
  if (version !== VERSION || rest.length > 0) throw new Error(`Not a sealed text: ${context}`);
  const bytes = ring.get(keyId);
  if (!bytes) throw new Error(`The key ring has no key ${keyId}, which sealed ${context}`);
  const data = Buffer.from(text, 'base64url');
  if (data.length < TAG_BYTES) throw new Error(`Not a sealed text: ${context}`);
  const decipher = createDecipheriv('aes-256-gcm', bytes, Buffer.from(iv, 'base64url'), { authTagLength: TAG_BYTES })
    .setAAD(Buffer.from(context))
    .setAuthTag(data.subarray(-TAG_BYTES));
  try {
    return Buffer.concat([decipher.update(data.subarray(0, -TAG_BYTES)), decipher.final()]).toString('utf8');
  } catch (cause) {
    throw new Error(`The sealed value of ${context} could not be decrypted`, { cause });
  }
}
