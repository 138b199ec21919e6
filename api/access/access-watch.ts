import { setTimeout as sleep } from 'node:timers/promises';
import type { Knex } from 'knex';
import { fewAtATime } from '../../contract/few-at-a-time.ts';
import { type AccessSubject, readAccessStates } from '../../db/people/access-states.ts';
import type { Log } from '../../process/log.ts';
import { outsideRequests } from '../requests/request-tenant.ts';

/**
 * Ends streams and long polls whose caller loses access. One periodic statement reads all access states; the route's
 * checks run again only after a change.
 */
export interface AccessWatch {
  watch(subject: AccessSubject, isRefused: () => Promise<boolean>): WatchedAccess;
}

export interface WatchedAccess {
  readonly ended: AbortSignal;
  stop(): void;
}

export interface AccessWatchDeps {
  readonly db: Knex;
  readonly log: Log;
  readonly everyMs?: number | undefined;
}

/** Streams must end within a second of a revocation. */
const CHECK_MS = 500;
/** A burst of new streams must not take all database connections. */
const CHECKS_AT_ONCE = 8;

interface Watched {
  readonly subject: AccessSubject;
  readonly isRefused: () => Promise<boolean>;
  readonly ending: AbortController;
  /** Undefined until the first read: access may have changed since the route's checks. */
  state: string | undefined;
}

export function createAccessWatch({ db, log, everyMs = CHECK_MS }: AccessWatchDeps): AccessWatch {
  const open = new Set<Watched>();
  let isWatching = false;

  return {
    watch(subject, isRefused) {
      const one: Watched = { subject, isRefused, ending: new AbortController(), state: undefined };
      open.add(one);
      if (!isWatching) outsideRequests(() => void watchOn());
      return { ended: one.ending.signal, stop: () => void open.delete(one) };
    },
  };

  async function watchOn(): Promise<void> {
    isWatching = true;
    while (open.size > 0) {
      await sleep(everyMs);
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
    await fewAtATime(changed, CHECKS_AT_ONCE, checkOne);
  }
}

async function checkOne({ one, state }: { readonly one: Watched; readonly state: string | undefined }): Promise<void> {
  if (await one.isRefused()) one.ending.abort();
  else one.state = state;
}
