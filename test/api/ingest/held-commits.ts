import { createGroupCommit, type GroupCommitOptions } from '../../../api/ingest/group-commit.ts';

const bounds = {
  maxItemsPerCommit: 10,
  maxBytesPerCommit: 1_000,
  itemsPerTurn: 4,
  maxWaitingItems: 100,
  maxWaitingBytes: 1_000,
  bytesOf: (item: string) => item.length,
};

/** Commits that end on command. */
export function heldCommits(options: Partial<GroupCommitOptions<string>> = {}) {
  const writes: { readonly items: readonly string[]; readonly end: (error?: Error) => void }[] = [];
  let onWrite: (() => void) | undefined;
  const commits = createGroupCommit<string>({
    write: (items) =>
      new Promise<void>((resolve, reject) => {
        writes.push({ items, end: (error) => (error ? reject(error) : resolve()) });
        onWrite?.();
      }),
    keyOf: (item) => item,
    ...bounds,
    isPoison: () => true,
    ...options,
  });
  const until = async (count: number): Promise<void> => {
    while (writes.length < count) await new Promise<void>((resolve) => (onWrite = resolve));
  };
  return { ...commits, writes, until };
}

/** Accepts any number of items. */
export function directCommits(write: (items: readonly string[]) => Promise<void>) {
  return createGroupCommit<string>({
    write,
    keyOf: (item) => item,
    isPoison: (error) => error instanceof Error && error.message === 'refused',
    ...bounds,
    maxWaitingItems: Infinity,
    maxWaitingBytes: Infinity,
  });
}
