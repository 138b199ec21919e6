import type { HmacKey, TextHmac } from '../../../../contract/deliveries/signature-case.ts';

/** HMAC-SHA256 in the browser. Nothing leaves the page. */
export const browserHmac: TextHmac = async (key, text) => {
  if (!isSecureContext) throw new Error('The browser computes signatures only on pages with https.');
  const bytes = bytesOf(key);
  if (bytes === null || bytes.length === 0) return null;
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const imported = await crypto.subtle.importKey('raw', bytes, algorithm, false, ['sign']);
  const digest = new Uint8Array(await crypto.subtle.sign('HMAC', imported, new TextEncoder().encode(text)));
  return {
    hex: hexOf(digest),
    base64: btoa(String.fromCharCode(...digest)),
  };
};

export function hexOf(digest: Uint8Array): string {
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function bytesOf(key: HmacKey): Uint8Array<ArrayBuffer> | null {
  if ('text' in key) return new TextEncoder().encode(key.text);
  try {
    return Uint8Array.from(atob(key.base64), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}
