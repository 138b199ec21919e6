import { DEFAULT_REPLAY_RATE } from '../contract/replay.ts';
import type { ReplayInput } from '../contract/schemas/replay.ts';
import { type AuditContext, recordAudit } from '../db/audit-entries.ts';
import { countMatching, type ReplayPlace, takeSnapshot } from '../db/queries/replay-plan.ts';
import { findReplay, insertReplay, type ReplayRecord, replayStartOf } from '../db/replays.ts';
import { findSubscription } from '../db/subscriptions.ts';
import type { ApiDeps } from './deps.ts';
import { InvalidRequest, NotFound } from './errors.ts';

export interface CreateReplay {
  readonly place: ReplayPlace;
  readonly input: ReplayInput;
  readonly audit: AuditContext;
}

/**
 * Stores a replay and tells its workflow; a dry run only counts. What is replayed is decided here, by a snapshot: what
 * has been committed at this moment. A Temporal that is away delays the replay, and no more.
 */
export async function createReplay(
  deps: ApiDeps,
  { place, input, audit }: CreateReplay,
): Promise<{ replayId: string | null; matched: number }> {
  const { db } = deps;
  const [since, until] = [new Date(input.since), new Date(input.until)];
  if (since >= until) throw new InvalidRequest('body.until: must be later than since.');
  const criteria = {
    place,
    since,
    until,
    statuses: [...new Set(input.statuses)],
    eventTypes: input.eventTypes ? [...new Set(input.eventTypes)] : null,
    destinationSlot: await slotOf(deps, place, input.destination),
    snapshot: await takeSnapshot(db),
  };
  const matched = await countMatching(db, criteria);
  if (input.dryRun) return { replayId: null, matched };
  const replayId = await db.transaction(async (trx) => {
    const { destination = null, ratePerSecond = DEFAULT_REPLAY_RATE } = input;
    const publicId = await insertReplay(trx, { ...criteria, destination, ratePerSecond, matched });
    await recordAudit(trx, { ...audit, action: 'replay.created', targetId: publicId, reason: input.scope });
    return publicId;
  });
  const replay = await findReplay(db, replayId);
  if (replay) await tellReplay(deps, replay);
  return { replayId, matched };
}

/** Has the replay's workflow look at its row, as far as it can be reached; a worker sees to it otherwise. */
export async function tellReplay({ temporal, log }: ApiDeps, replay: ReplayRecord): Promise<void> {
  const told = await temporal.replayMoved(replayStartOf(replay));
  if (told.state !== 'ended') log.warn('replay.untold', { replayId: replay.publicId, error: told.cause });
}

/** A subscription belongs to one channel: for all others there would be nothing to send to. */
async function slotOf({ db }: ApiDeps, place: ReplayPlace, destination: string | undefined): Promise<number | null> {
  if (destination === undefined) return null;
  if (destination === 'webhook') return 0;
  const { channelId } = place;
  if (channelId === null) throw new InvalidRequest('body.destination: a subscription takes the scope of its channel.');
  const subscription = await findSubscription(db, { channelId, publicId: destination });
  if (!subscription) throw new NotFound('SUBSCRIPTION_NOT_FOUND');
  return subscription.destinationId;
}
