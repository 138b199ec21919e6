/**
 * Divides long synchronous work into slices. All requests share one chain of turns, so a turn of the event loop has at
 * most one slice, however many requests wait for one: others wait for a slice, not for all of them.
 */
export type NextTurn = () => Promise<void>;

let last = Promise.resolve();

export const nextTurn: NextTurn = () => {
  const turn = last.then(() => new Promise<void>((resolve) => setImmediate(resolve)));
  last = turn;
  return turn;
};

/** Bodies of 64 KiB take up to 3 ms to parse, and those of people far less. */
const SLICE_BYTES = 65_536;
/** What an item costs beyond its bytes. */
const ITEM_BYTES = 256;

export interface Sliced<Item> {
  readonly bytesOf: (item: Item) => number;
  /** Optional. Default: `nextTurn`. */
  readonly next?: NextTurn | undefined;
}

/** Yields the items, and waits for a turn before each slice. */
export async function* inSlices<Item>(
  items: Iterable<Item>,
  { bytesOf, next = nextTurn }: Sliced<Item>,
): AsyncGenerator<Item, void, void> {
  let bytes = SLICE_BYTES;
  for (const item of items) {
    if (bytes >= SLICE_BYTES) {
      await next();
      bytes = 0;
    }
    yield item;
    bytes += bytesOf(item) + ITEM_BYTES;
  }
}
