/** Returns what a statement or call rejects with, or undefined. */
export async function failureOf(act: PromiseLike<unknown>): Promise<unknown> {
  return await Promise.resolve(act).then(
    () => undefined,
    (error: unknown) => error,
  );
}
