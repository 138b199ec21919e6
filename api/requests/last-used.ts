import type { Knex } from 'knex';
import { recordKeyUses } from '../../db/organizations/api-keys.ts';
import type { Log } from '../../process/log.ts';

/** Collects the last use of each key and writes all with one statement. */
export interface LastUsed {
  touch(keyId: string): void;
  flush(): Promise<void>;
  stop(): Promise<void>;
}

/** A write per request would cost more than the request. */
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
      log.warn('keyUses.writeFailed', { keyCount: flushed.size, error });
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
