const MAX_LENGTH = 300;
const REDACTED = '[redacted]';
/** Shorter secrets exist only in development, and match whole words only. */
const MIN_SECRET_LENGTH = 8;

/** Makes a platform text safe to show. Truncates last, so that no part of a secret remains. */
export function redactPlatformText(text: string, secrets: readonly string[]): string {
  // Control characters and those that change the text direction.
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
