import type { GraphNode } from './fields.ts';
import type { ContentView } from './photoapp-nodes.ts';
import type { ContentObject } from './store.ts';

/** Lists that are always empty, because the simulator holds nothing for them. Keys: product and kind of object. */
const emptyLists: Readonly<Record<string, readonly string[]>> = {
  'photoapp account': ['live_media', 'product_tags', 'recently_searched_hashtags', 'upcoming_events'],
  'photoapp post': ['product_tags'],
  'pageapp account': ['visitor_posts', 'tagged', 'ratings', 'events'],
  'pageapp post': ['sharedposts'],
  'pageapp upload': ['captions', 'sharedposts'],
};
const likedKinds: ReadonlySet<string> = new Set(['post', 'comment', 'upload']);

/** Edges without rules of their own: empty lists, and the likes of the account itself. */
export function sideEdges({ store }: ContentView, { id, kind, product, accountId }: ContentObject) {
  const likes = (more: GraphNode['fields']) => (): GraphNode[] => {
    const name = store.get('account', accountId)?.name;
    const fields = { name, ...more };
    return store.likes.has(id)
      ? [{ id: accountId, type: 'Profile', defaults: ['id', ...Object.keys(fields)], fields }]
      : [];
  };
  const empty = (emptyLists[`${product} ${kind}`] ?? []).map((edge) => [edge, () => []] as const);
  return {
    ...Object.fromEntries(empty),
    ...(likedKinds.has(kind) && { likes: likes({}) }),
    ...(likedKinds.has(kind) && product === 'pageapp' && { reactions: likes({ type: 'LIKE' }) }),
  };
}
