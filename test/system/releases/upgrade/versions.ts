import type { StopList } from '../../../../dev/processes/stop-list.ts';
import { copyAsNext, lastRelease, tree, type Version } from '../last-release.ts';

/**
 * Returns the last release and this tree. Without a last release, or on request, returns this tree and a copy of it as the
 * next version.
 */
export async function preparePair(
  stops: StopList,
  { toNext = false }: { readonly toNext?: boolean } = {},
): Promise<{ from: Version; to: Version }> {
  const present = { name: 'this tree', root: tree };
  const last = toNext ? undefined : await lastRelease();
  const other = last ?? (await copyAsNext());
  stops.add({ name: other.name, stop: other.remove });
  return last ? { from: last, to: present } : { from: present, to: other };
}
