const MAX_LENGTH = 300;
const REDACTED = '[redacted]';
/** Shorter ones are made up for development, and occur within ordinary words. */
const MIN_SECRET_LENGTH = 8;

/**
 * A text of the platform's as people may see it: on one line, bounded, and without the secrets that the call carried.
 * Cut last, so that no part of a secret is left at the end.
 */
export function shownText(text: string, secrets: readonly string[]): string {
  // Besides control characters, those that turn the direction of what follows.
  const line = text.toWellFormed().replace(/[\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069\s]+/gu, ' ');
  const spellings = secrets.flatMap((secret) => [secret, encodeURIComponent(secret.toWellFormed())]);
  const longestFirst = spellings.filter(Boolean).sort((left, right) => right.length - left.length);
  const clean = longestFirst.reduce((rest, secret) => rest.replace(occurrences(secret), REDACTED), line).trim();
  const characters = [...clean];
  return characters.length > MAX_LENGTH ? `${characters.slice(0, MAX_LENGTH - 1).join('')}…` : clean;
}

function occurrences(secret: string): RegExp {
  const literal = secret.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
  return new RegExp(secret.length < MIN_SECRET_LENGTH ? `(?<!\\w)${literal}(?!\\w)` : literal, 'g');
}
