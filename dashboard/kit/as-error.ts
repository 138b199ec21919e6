/** Returns what was thrown as an error. Its own file, so that code without a browser can import it. */
export function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
