import type { PublishQuota } from './effects.ts';
import type { MediaScript } from './script.ts';
import { DAY_MS, type MediaStore } from './store.ts';

export interface ScriptedQuota extends PublishQuota {
  /** Takes the posts so far as counted in the scripted number. */
  restart(): void;
}

/** Counts the posts of the moving 24 hours, from the number on that the control gives. */
export function createPublishQuota({ store, script }: { store: MediaStore; script: MediaScript }): ScriptedQuota {
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
