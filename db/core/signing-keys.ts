import { hkdfSync, timingSafeEqual } from 'node:crypto';
import type { RingKey } from './secret-box.ts';

/**
 * Keys that sign tokens, derived from `ENCRYPTION_KEYS`, so that access to the database or a backup is not enough to
 * forge a token. Random tokens need no signing key: the database keeps only their hashes.
 */
export interface SigningRing {
  /** The active key first. */
  readonly keyIds: readonly string[];
  /** Returns the key that signs. */
  active(purpose: SigningPurpose): SigningKey;
  /** Returns every key that verifies, the active one first. */
  all(purpose: SigningPurpose): readonly SigningKey[];
  find(purpose: SigningPurpose, keyId: string): SigningKey | undefined;
}

/** Each purpose has its own key, so that a tag for one is never valid for another. */
export type SigningPurpose =
  | 'access-token'
  | 'refresh-token'
  | 'onboarding-form'
  | 'known-browser'
  | 'email-code'
  | 'client-address'
  | 'demo-staff-key';

export interface SigningKey {
  /** The id of the ring key that this key is derived from. */
  readonly keyId: string;
  readonly bytes: Uint8Array;
}

const KEY_BYTES = 32;

/**
 * Uses HKDF-SHA-256, labelled by purpose. A derived key reveals nothing of its ring key, which also encrypts with
 * AES-GCM.
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

/** Returns undefined if no key made this tag. Compares text, because only the issued base64url spelling is valid. */
export function keyOfTag(
  keys: readonly SigningKey[],
  tag: string,
  tagOf: (key: Uint8Array) => string,
): SigningKey | undefined {
  const shown = Buffer.from(tag);
  return keys.find(({ bytes }) => {
    const expected = Buffer.from(tagOf(bytes));
    return shown.length === expected.length && timingSafeEqual(shown, expected);
  });
}
