import type { Knex } from 'knex';
import { recordKeyUses } from '../../db/organizations/api-keys.ts';
import type { Log } from '../../process/log.ts';

/** Remembers when each key was used last, and writes it down for all of them together. */
export interface LastUsed {
  touch(keyId: string): void;
  flush(): Promise<void>;
  /** Writes down what is left. */
  stop(): Promise<void>;
}

/** A person who looks at the list can't tell half a minute, and a write a request would cost more than the request. */
const FLUSH_INTERVAL_MS = 30_000;

export function createLastUsed({ db, log }: { db: Knex; log: Log }): LastUsed {
  let uses = new Map<string, Date>();
  const timer = setInterval(() => void flush(), FLUSH_INTERVAL_MS).unref();

  async function flush(): Promise<void> {
    if (uses.size === 0) return;
    const flushed = uses;
    uses = new Map();
    try {
      await recordKeyUses(
        db,
        [...flushed].map(([publicId, usedAt]) => ({ publicId, usedAt })),
      );
    } catch (error) {
      log.warn('keyUses.unwritten', { keyCount: flushed.size, error });
      uses = new Map([...flushed, ...uses]); // later uses win
    }
  }

  return {
    touch: (keyId) => void uses.set(keyId, new Date()),
    flush,
    stop: () => {
      clearInterval(timer);
      return flush();
    },
  };
}
