import type { ShareOwner, Shares } from '../../../process/shares.ts';

/** Takes slots until the owner's share is full. Returns a function that releases them. */
export function fillShare(shares: Shares, owner: ShareOwner): () => void {
  const taken: (() => void)[] = [];
  for (let give = shares.tryTake(owner); give; give = shares.tryTake(owner)) taken.push(give);
  return () => {
    for (const give of taken) give();
  };
}
