/** A blank after the colon of a header, or after the semicolon of its parameters: no reader needs it. */
const OPTIONAL_BLANK = /(?<=[:;]) /;

/**
 * Headers of a part that are shorter by so many bytes, in blanks that mean nothing; longer, where the number is negative.
 * Undefined where they have too few.
 */
export function shortenedHeaders(headers: string, bytes: number): string | undefined {
  if (bytes <= 0) return headers.replace(':', `:${' '.repeat(-bytes)}`);
  const shorter = headers.replace(OPTIONAL_BLANK, '');
  return shorter.length === headers.length ? undefined : shortenedHeaders(shorter, bytes - 1);
}
