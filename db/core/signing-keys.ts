import { hkdfSync, timingSafeEqual } from 'node:crypto';
import type { RingKey } from './secret-box.ts';

/** Signing keys are derived from `ENCRYPTION_KEYS`, so that a copy of the database is not enough to forge a token. */
export interface SigningRing {
  /** Starts with the active key. */
  readonly keyIds: readonly string[];
  active(purpose: SigningPurpose): SigningKey;
  all(purpose: SigningPurpose): readonly SigningKey[];
  find(purpose: SigningPurpose, keyId: string): SigningKey | undefined;
}

/** A tag for one purpose is never valid for another. */
export type SigningPurpose =
  | 'access-token'
  | 'refresh-token'
  | 'portal-session'
  | 'onboarding-form'
  | 'known-browser'
  | 'email-code'
  | 'client-address'
  | 'demo-staff-key'
  | 'delivery-offers';

export interface SigningKey {
  readonly keyId: string;
  readonly bytes: Uint8Array;
}

const KEY_BYTES = 32;

/** A key derived by HKDF-SHA-256 reveals nothing about its ring key. */
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

/** Compares text, because only the issued base64url spelling is valid. */
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
