import { hkdfSync, timingSafeEqual } from 'node:crypto';
import type { RingKey } from './secret-box.ts';

/**
 * Keys of secrets that authenticate by computation: whoever has such a key makes the secret. They are derived from
 * `ENCRYPTION_KEYS`, which no database holds, so that reading the database, or a backup of it, forges nothing. The
 * first key of the ring signs, every key verifies. Random tokens need no such key: their hashes give nothing away.
 */
export interface SigningRing {
  /** The ids of its keys, the active one first. */
  readonly keyIds: readonly string[];
  /** Returns the key that signs. */
  active(purpose: SigningPurpose): SigningKey;
  /** Returns every key that verifies, the active one first. */
  all(purpose: SigningPurpose): readonly SigningKey[];
  /** Returns the key with this id; undefined if the ring has none. */
  find(purpose: SigningPurpose, keyId: string): SigningKey | undefined;
}

/** What a key signs. Each purpose has its own key, so that no tag stands for another. */
export type SigningPurpose =
  | 'access-token'
  | 'refresh-token'
  | 'onboarding-form'
  | 'known-browser'
  | 'email-code'
  | 'client-address'
  | 'demo-staff-key';

export interface SigningKey {
  /** The id of the ring key that it is derived from. */
  readonly keyId: string;
  readonly bytes: Uint8Array;
}

const KEY_BYTES = 32;

/**
 * Derives with HKDF-SHA-256, labelled by purpose. The same ring keys encrypt with AES-GCM; a derived key reveals
 * nothing of its ring key, so the two uses stay independent.
 */
export function createSigningRing(keys: readonly RingKey[]): SigningRing {
  const [active] = keys;
  if (!active) throw new Error('A signing ring needs at least one key');
  const derived = new Map<string, SigningKey>();
  const derive = (purpose: SigningPurpose, { id, bytes }: RingKey): SigningKey => {
    const name = `${purpose}/${id}`;
    const known = derived.get(name);
    if (known) return known;
    const key = { keyId: id, bytes: new Uint8Array(hkdfSync('sha256', bytes, '', `signing/${purpose}`, KEY_BYTES)) };
    derived.set(name, key);
    return key;
  };
  return {
    keyIds: keys.map(({ id }) => id),
    active: (purpose) => derive(purpose, active),
    all: (purpose) => keys.map((key) => derive(purpose, key)),
    find: (purpose, keyId) => {
      const key = keys.find(({ id }) => id === keyId);
      return key && derive(purpose, key);
    },
  };
}

/**
 * Returns the key that made this tag; undefined if none did. Compares text, not bytes: base64url spells the same bytes
 * in several ways, and only the one that was issued counts.
 */
export function keyOfTag(
  keys: readonly SigningKey[],
  given: string,
  tagOf: (key: Uint8Array) => string,
): SigningKey | undefined {
  const shown = Buffer.from(given);
  return keys.find(({ bytes }) => {
    const expected = Buffer.from(tagOf(bytes));
    return shown.length === expected.length && timingSafeEqual(shown, expected);
  });
}
