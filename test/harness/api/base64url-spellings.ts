const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** Sets an unused bit of the last character of 32 base64url bytes: a different text with the same bytes. */
export function respelled(text: string): string {
  return text.slice(0, -1) + ALPHABET[ALPHABET.indexOf(text.at(-1) ?? '') + 1];
}
