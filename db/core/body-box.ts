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
import { BoundedMap } from '../../process/bounded-map.ts';

/**
 * Encrypts event and response bodies with AES-256-GCM. A sealed body is
 *
 *     version (1) | salt (16) | nonce (12) | ciphertext | tag (16)
 *
 * A separate column holds the ring key's id, or null for plaintext. The context is authenticated, so a body does not
 * open in another context.
 *
 * Each process derives a data key from the ring key by HKDF-SHA-256 and a random salt, and replaces it after 2^24
 * bodies. NIST SP 800-38D allows 2^32 random nonces per key, which 3,000 bodies a second reach in 17 days. With data
 * keys, the collision probability for 2^40 bodies (11 years) is below 2^-33.
 */
export interface BodyBox {
  readonly activeKeyId: string;
  /** Affects new bodies only. */
  readonly encryptsBodies: boolean;
  store(plain: Uint8Array, context: string): StoredBytes;
  seal(plain: Uint8Array, context: string): Buffer;
  /** Throws `BodyUnreadable`. */
  open(stored: StoredBody): Buffer;
}

export interface StoredBytes {
  readonly bytes: Uint8Array;
  readonly keyId: string | null;
}

export interface SealedBody {
  readonly sealed: Buffer;
  readonly keyId: string;
  readonly context: string;
}

export type StoredBody = Buffer | SealedBody;

export const BODY_UNREADABLE = 'body_unreadable';

/** A fault of the installation, never of the receiver. */
export class BodyUnreadable extends Error {
  declare readonly code: typeof BODY_UNREADABLE;
  declare readonly keyId: string;
  /** Undefined unless the body is one of several in a request. */
  declare deliveryNumber?: number;

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
const DATA_KEY_INFO = 'stored-bodies v1';
const MAX_DATA_KEYS = 1_000;

interface DataKey {
  readonly salt: Buffer;
  readonly key: KeyObject;
  sealedCount: number;
}

export interface BodyBoxOptions {
  readonly keys: readonly RingKey[];
  readonly encryptsBodies: boolean;
}

export function createBodyBox({ keys, encryptsBodies }: BodyBoxOptions): BodyBox {
  const [active] = keys;
  if (!active) throw new Error('A body box needs at least one key');
  const ring = new Map(keys.map(({ id, bytes }) => [id, bytes]));
  const dataKeys = new BoundedMap<string, KeyObject>(MAX_DATA_KEYS);
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
      decipher.final(); // verifies the tag; returns no bytes in GCM
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
    dataKeys.set(name, derived);
    return derived;
  }
}

/** One random call per nonce would take a third of the sealing time. */
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
