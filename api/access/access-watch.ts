import { setTimeout as sleep } from 'node:timers/promises';
import type { Knex } from 'knex';
import { type AccessSubject, readAccessStates } from '../../db/people/access-states.ts';
import type { Log } from '../../process/log.ts';

/**
 * Ends streams and waiting readers whose access has ended: a key or a session revoked, a role taken away, a channel
 * moved. One statement each moment asks for all that are open in this process what their access rests on. Only where
 * that has changed are the checks of the route made again, so that this file decides nothing about access by itself.
 * It asks the database rather than listening to it: a revocation needs to notify nobody, and any process may make it.
 */
export interface AccessWatch {
  watch(subject: AccessSubject, isRefused: () => Promise<boolean>): WatchedAccess;
}

export interface WatchedAccess {
  /** Aborts once the access has ended. */
  readonly ended: AbortSignal;
  stop(): void;
}

export interface AccessWatchDeps {
  readonly db: Knex;
  readonly log: Log;
  readonly everyMs?: number | undefined;
}

/** Streams end within a second of a revocation: this, one statement, and the checks of the route. */
const CHECK_MS = 500;
/** Routes' checks at once: after a burst of new streams each is checked again, beside all other work. */
const CHECKS_AT_ONCE = 8;

interface Watched {
  readonly subject: AccessSubject;
  readonly isRefused: () => Promise<boolean>;
  readonly ending: AbortController;
  /** Undefined until it was read once: what changed between the route's checks and that is not known. */
  state: string | undefined;
}

export function createAccessWatch({ db, log, everyMs = CHECK_MS }: AccessWatchDeps): AccessWatch {
  const open = new Set<Watched>();
  let isWatching = false;

  return {
    watch(subject, isRefused) {
      const one: Watched = { subject, isRefused, ending: new AbortController(), state: undefined };
      open.add(one);
      if (!isWatching) void watchOn();
      return { ended: one.ending.signal, stop: () => void open.delete(one) };
    },
  };

  async function watchOn(): Promise<void> {
    isWatching = true;
    while (open.size > 0) {
      await sleep(everyMs);
      // While the database is away it has said nothing about access.
      await checkAll([...open]).catch((error: unknown) => log.warn('access.checkFailed', { error }));
    }
    isWatching = false;
  }

  async function checkAll(all: readonly Watched[]): Promise<void> {
    if (all.length === 0) return;
    const states = await readAccessStates(
      db,
      all.map(({ subject }) => subject),
    );
    const changed = all.flatMap((one, place) => (states[place] === one.state ? [] : [{ one, state: states[place] }]));
    for (let from = 0; from < changed.length; from += CHECKS_AT_ONCE) {
      await Promise.all(changed.slice(from, from + CHECKS_AT_ONCE).map(checkOne));
    }
  }
}

async function checkOne({ one, state }: { readonly one: Watched; readonly state: string | undefined }): Promise<void> {
  if (await one.isRefused()) one.ending.abort();
  else one.state = state;
}
