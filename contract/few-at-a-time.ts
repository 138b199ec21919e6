/**
 * Does a work for each item, at most `limit` at a time, and waits until all ended. Begins no further one as soon as one
 * rejects or resolves to false.
 */
export async function fewAtATime<Item>(
  items: readonly Item[],
  limit: number,
  work: (item: Item, index: number) => Promise<unknown>,
): Promise<void> {
  const rest = items.entries();
  let isEnded = false;
  const workOn = async (): Promise<void> => {
    for (const [index, item] of rest) {
      const goesOn = await work(item, index).catch((error: unknown) => {
        isEnded = true;
        throw error;
      });
      if (goesOn === false) isEnded = true;
      if (isEnded) return;
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, workOn));
}
