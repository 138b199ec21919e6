import type { MediaScript } from './script.ts';
import { DAY_MS, type MediaStore } from './store.ts';

export interface PublishQuota {
  /** Adds the posts since `restart` to the scripted number, if any. */
  used(account: string, nowMs: number): number;
  restart(): void;
}

export function createPublishQuota({ store, script }: { store: MediaStore; script: MediaScript }): PublishQuota {
  let counted: ReadonlySet<string> = new Set();

  return {
    used(account, nowMs) {
      const { used } = script.settings().quota;
      const posts = store.posts().filter((post) => post.account === account && nowMs - post.postedAtMs < DAY_MS);
      if (used === null) return posts.length;
      return used + posts.filter(({ id }) => !counted.has(id)).length;
    },
    restart() {
      counted = new Set(store.posts().map(({ id }) => id));
    },
  };
}
