import type { StopList } from '../../../../dev/processes/stop-list.ts';
import { copyAsNext, tree, unpackLastRelease } from '../unpacked-release.ts';
import type { Version } from './generation.ts';

export const versionPairs = ['last release', 'next version'] as const;
/** `last release`: from it to this tree. `next version`: from this tree to a copy whose workflows differ. */
export type VersionPair = (typeof versionPairs)[number];

export async function preparePair(pair: VersionPair, stops: StopList): Promise<{ from: Version; to: Version }> {
  const present = { name: 'this tree', root: tree };
  if (pair === 'last release') {
    const { manifest, root, remove } = await unpackLastRelease();
    stops.add({ name: pair, stop: remove });
    return { from: { name: manifest.version, root }, to: present };
  }
  const { root, remove } = await copyAsNext();
  stops.add({ name: pair, stop: remove });
  return { from: present, to: { name: pair, root } };
}
