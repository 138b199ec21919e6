import {
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
  randomFillSync,
} from 'node:crypto';
import type { RingKey } from './secret-box.ts';

/**
 * Encryption of event bodies and receivers' responses: AES-256-GCM over bytes. A sealed body is
 *
 *     version (1) | salt (16) | nonce (12) | ciphertext | tag (16)
 *
 * The column beside it holds the id of the ring key; null means plaintext. The context is authenticated with the body,
 * which therefore does not open in another channel, conversation or event type.
 *
 * The ring key never encrypts a body. Each process derives a data key from it by HKDF-SHA-256 and a random salt, and
 * draws another salt after 2^24 bodies. Nonces then collide within one data key with a probability below 2^-49. NIST SP
 * 800-38D allows 2^32 random nonces per key, which 3,000 bodies a second reach in 17 days. With data keys, 2^40 bodies
 * (11 years) stay below 2^-33.
 */
export interface BodyBox {
  readonly activeKeyId: string;
  /** Whether new bodies are sealed. Sealed bodies open in any case. */
  readonly encryptsBodies: boolean;
  /** Returns the bytes unchanged if bodies are not encrypted or the body is empty. */
  store(plain: Uint8Array, context: string): StoredBytes;
  seal(plain: Uint8Array, context: string): Buffer;
  /** Throws `BodyUnreadable` if the ring lacks the key or the bytes fail authentication. */
  open(stored: StoredBody): Buffer;
}

export interface StoredBytes {
  readonly bytes: Uint8Array;
  /** Null: plaintext. */
  readonly keyId: string | null;
}

export interface SealedBody {
  readonly sealed: Buffer;
  readonly keyId: string;
  readonly context: string;
}

/** A body as it was read; sealed bodies are opened where they are used. */
export type StoredBody = Buffer | SealedBody;

export const BODY_UNREADABLE = 'body_unreadable';

/** A body that cannot be decrypted: a fault of the installation, never of a receiver. */
export class BodyUnreadable extends Error {
  declare readonly code: typeof BODY_UNREADABLE;
  declare readonly keyId: string;

  constructor({ keyId, context }: SealedBody, cause?: unknown) {
    super(`The body of ${context} cannot be decrypted with key ${keyId}`, { cause });
    this.name = 'BodyUnreadable';
    this.code = BODY_UNREADABLE;
    this.keyId = keyId;
  }
}

const VERSION = 1;
const SALT_BYTES = 16;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEAD_BYTES = 1 + SALT_BYTES + NONCE_BYTES;
export const SEALED_OVERHEAD_BYTES = HEAD_BYTES + TAG_BYTES;
const BODIES_PER_DATA_KEY = 2 ** 24;
const DATA_KEY_BYTES = 32;
/** Separates these keys from others that are derived from the ring. */
const DATA_KEY_INFO = 'stored-bodies v1';
/** A process reads bodies of few salts: those of the processes that accepted them recently. */
const MAX_DATA_KEYS = 1_000;

interface DataKey {
  readonly salt: Buffer;
  readonly key: KeyObject;
  sealedCount: number;
}

export interface BodyBoxOptions {
  /** The first key seals, all of them open. */
  readonly keys: readonly RingKey[];
  readonly encryptsBodies: boolean;
}

export function createBodyBox({ keys, encryptsBodies }: BodyBoxOptions): BodyBox {
  const [active] = keys;
  if (!active) throw new Error('A body box needs at least one key');
  const ring = new Map(keys.map(({ id, bytes }) => [id, bytes]));
  const dataKeys = new Map<string, KeyObject>();
  const freshNonce = createNonces();
  let current: DataKey | undefined;

  return {
    activeKeyId: active.id,
    encryptsBodies,
    store: (plain, context) =>
      encryptsBodies && plain.length > 0
        ? { bytes: seal(plain, context), keyId: active.id }
        : { bytes: plain, keyId: null },
    seal,
    open: (stored) => (Buffer.isBuffer(stored) ? stored : open(stored)),
  };

  function seal(plain: Uint8Array, context: string): Buffer {
    if (!current || current.sealedCount >= BODIES_PER_DATA_KEY) current = freshDataKey(active!.bytes);
    current.sealedCount++;
    const nonce = freshNonce();
    const cipher = createCipheriv('aes-256-gcm', current.key, nonce, { authTagLength: TAG_BYTES });
    cipher.setAAD(Buffer.from(context));
    const ciphertext = cipher.update(plain);
    cipher.final();
    return Buffer.concat([Buffer.of(VERSION), current.salt, nonce, ciphertext, cipher.getAuthTag()]);
  }

  function open(body: SealedBody): Buffer {
    const { sealed, context } = body;
    if (sealed.length < SEALED_OVERHEAD_BYTES || sealed[0] !== VERSION) throw new BodyUnreadable(body);
    const nonce = sealed.subarray(1 + SALT_BYTES, HEAD_BYTES);
    const decipher = createDecipheriv('aes-256-gcm', dataKeyOf(body), nonce, { authTagLength: TAG_BYTES })
      .setAAD(Buffer.from(context))
      .setAuthTag(sealed.subarray(-TAG_BYTES));
    try {
      const plain = decipher.update(sealed.subarray(HEAD_BYTES, -TAG_BYTES));
      decipher.final(); // throws unless the tag matches; returns no bytes in GCM
      return plain;
    } catch (cause) {
      throw new BodyUnreadable(body, cause);
    }
  }

  function dataKeyOf(body: SealedBody): KeyObject {
    const salt = body.sealed.subarray(1, 1 + SALT_BYTES);
    const name = `${body.keyId} ${salt.toString('latin1')}`;
    const known = dataKeys.get(name);
    if (known) return known;
    const ringKey = ring.get(body.keyId);
    if (!ringKey) throw new BodyUnreadable(body);
    const derived = deriveDataKey(ringKey, salt);
    if (dataKeys.size >= MAX_DATA_KEYS) dataKeys.delete(dataKeys.keys().next().value!);
    dataKeys.set(name, derived);
    return derived;
  }
}

/** Draws a thousand nonces at a time: a call for each would take a third of the sealing time. */
function createNonces(): () => Buffer {
  const drawn = Buffer.alloc(NONCE_BYTES * 1_024);
  let next = drawn.length;
  return () => {
    if (next === drawn.length) {
      randomFillSync(drawn);
      next = 0;
    }
    next += NONCE_BYTES;
    return drawn.subarray(next - NONCE_BYTES, next);
  };
}

function freshDataKey(ringKey: Uint8Array): DataKey {
  const salt = randomBytes(SALT_BYTES);
  return { salt, key: deriveDataKey(ringKey, salt), sealedCount: 0 };
}

function deriveDataKey(ringKey: Uint8Array, salt: Buffer): KeyObject {
  return createSecretKey(Buffer.from(hkdfSync('sha256', ringKey, salt, DATA_KEY_INFO, DATA_KEY_BYTES)));
}
