import type { Knex } from 'knex';
import { isId } from '../../contract/ids.ts';
import { DEFAULT_REPLAY_RATE, UNVERIFIED_REPLAY_RATE, type ReplayMove } from '../../contract/replays/replay.ts';
import type { ReplayInput } from '../../openapi/replays/routes.ts';
import { type AuditContext, recordAudit } from '../../db/audit/record-audit.ts';
import {
  findKeyedReplay,
  type KeyedReplay,
  lockReplayKey,
  type ReplayKey,
  findReplay,
  insertReplay,
  type ReplayRecord,
  replayStartOf,
  moveReplay as move,
} from '../../db/replays/replays.ts';
import { countUnverified, verifySubscriptions } from '../../db/replays/verify-subscriptions.ts';
import { countMatching, type ReplayPlace, takeSnapshot } from '../../db/replays/plan.ts';
import { enforceOrganizationLimit, enforcePortalReplays } from '../../db/organizations/limits.ts';
import { findListener } from '../../db/listeners/listeners.ts';
import { findSubscription } from '../../db/subscriptions/subscriptions.ts';
import { keyHash, requestHash } from '../routing/request-hash.ts';
import type { SlowReadRequest } from '../requests/slow-reads.ts';
import type { ApiDeps } from '../requests/deps.ts';
import { Conflict, InvalidRequest, KeyReused, NotFound } from '../requests/errors.ts';
import { replayFiltersOf } from './replay-filters.ts';

export interface CreateReplay {
  readonly place: ReplayPlace;
  readonly input: ReplayInput;
  readonly idempotencyKey: string | null;
  readonly audit: AuditContext;
  readonly caller: SlowReadRequest;
}

export interface CreatedReplay {
  /** Null for a dry run. */
  readonly replayId: string | null;
  readonly matched: number;
  readonly isCountComplete: boolean;
}

export interface PacedReplay extends CreatedReplay {
  readonly ratePerSecond: number;
  readonly unverifiedDestinations: number;
}

/** Replays the deliveries committed at this moment. A dry run only counts. Temporal outages only delay the replay. */
export async function createReplay(deps: ApiDeps, request: CreateReplay): Promise<PacedReplay> {
  const { place, input } = request;
  const created = await storeReplay(deps, request);
  await verifySubscriptions(deps.db, place);
  const { destination = null } = input;
  const unverifiedDestinations = await countUnverified(deps.db, { place, destination });
  const { ratePerSecond = DEFAULT_REPLAY_RATE } = input;
  const isSlow = destination !== null && unverifiedDestinations > 0;
  return {
    ...created,
    ratePerSecond: isSlow ? Math.min(ratePerSecond, UNVERIFIED_REPLAY_RATE) : ratePerSecond,
    unverifiedDestinations,
  };
}

async function storeReplay(deps: ApiDeps, request: CreateReplay): Promise<CreatedReplay> {
  const { db } = deps;
  const { place, input, audit } = request;
  if (audit.actor.type === 'staff' && input.search !== undefined) {
    throw new InvalidRequest('body.search: is not available to staff, who cannot search texts.');
  }
  const since = new Date(input.since);
  const until = new Date(input.until);
  const key = input.dryRun ? undefined : keyOf(request);
  const { organizationId } = place;
  const repeated = key && (await findKeyedReplay(db, { organizationId, key }));
  if (repeated) return answerOf(repeated);
  const criteria = {
    place,
    since,
    until,
    statuses: [...new Set(input.statuses)],
    eventTypes: input.eventTypes ? [...new Set(input.eventTypes)] : null,
    destinationSlot: await slotOf(deps, place, input.destination),
    ...(await deps.slowReads.run(request.caller, async () => ({
      filters: await replayFiltersOf(deps, { place, input }),
      snapshot: await takeSnapshot(db),
    }))),
  };
  const { matched, isComplete: isCountComplete } = await deps.slowReads.run(request.caller, () =>
    countMatching(deps.readDb, criteria),
  );
  if (input.dryRun) {
    const [, targetId = null] = input.scope.split(':');
    await recordAudit(db, { ...audit, action: 'replay.counted', targetId, reason: audit.reason ?? input.scope });
    return { replayId: null, matched, isCountComplete };
  }
  const created = await db.transaction(async (trx) => {
    if (key) await lockReplayKey(trx, key);
    const overtaken = key && (await findKeyedReplay(trx, { organizationId, key }));
    if (overtaken) return answerOf(overtaken);
    await enforceLimits(trx, request);
    const { destination = null, ratePerSecond = DEFAULT_REPLAY_RATE } = input;
    const replayId = await insertReplay(trx, {
      ...criteria,
      destination,
      ratePerSecond,
      matched,
      isCountComplete,
      key,
      byPortal: audit.actor.type === 'portal',
    });
    const reason = audit.reason ?? input.scope;
    await recordAudit(trx, { ...audit, action: 'replay.created', targetId: replayId, reason });
    return { replayId, matched, isCountComplete };
  });
  const replay = await findReplay(db, created.replayId);
  if (replay) await signalReplay(deps, replay);
  return created;
}

async function enforceLimits(trx: Knex, { place, audit }: CreateReplay): Promise<void> {
  const { organizationId, workspaceId } = place;
  if (audit.actor.type === 'staff') return;
  await enforceOrganizationLimit(trx, { organizationId, limit: 'runningReplays' });
  if (audit.actor.type === 'portal' && workspaceId !== null) await enforcePortalReplays(trx, { workspaceId });
}

/** If the signal fails, a worker sends it later. */
async function signalReplay({ starts, log }: ApiDeps, replay: ReplayRecord): Promise<void> {
  const signalled = await starts.signalReplay(replayStartOf(replay));
  if (signalled.state !== 'ended')
    log.warn('replay.signalFailed', { replayId: replay.publicId, error: signalled.cause });
}

/** Staff, organizations and customers must not get each other's replay. */
function keyOf({ place, idempotencyKey, input, audit }: CreateReplay): ReplayKey | undefined {
  if (idempotencyKey === null) return undefined;
  const { type, id } = audit.actor;
  const whose = type === 'staff' ? 'staff' : type === 'portal' ? `portal:${id}` : 'organization';
  // A channel may move: in another workspace, the same scope selects other deliveries.
  const content = { ...input, workspaceId: place.workspaceId };
  return { keyHash: keyHash(`${whose}:${idempotencyKey}`), requestHash: requestHash(content) };
}

function answerOf(keyed: KeyedReplay): CreatedReplay & { readonly replayId: string } {
  if (keyed.outcome === 'repeated') {
    const { replayId, matched, isCountComplete } = keyed;
    return { replayId, matched, isCountComplete };
  }
  throw new KeyReused('replay');
}

async function slotOf({ db }: ApiDeps, place: ReplayPlace, destination: string | undefined): Promise<number | null> {
  if (destination === undefined) return null;
  if (destination === 'webhook') return 0;
  const { channelId } = place;
  if (channelId === null)
    throw new Error('A destination of one channel requires the scope of that channel, which the schema enforces');
  if (isId('listener', destination)) {
    const listener = await findListener(db, { channelId, publicId: destination });
    if (!listener) throw new NotFound('LISTENER_NOT_FOUND');
    return listener.destinationId;
  }
  const subscription = await findSubscription(db, { channelId, publicId: destination });
  if (!subscription) throw new NotFound('SUBSCRIPTION_NOT_FOUND');
  return subscription.destinationId;
}

interface MoveReplay {
  readonly replay: ReplayRecord;
  readonly how: ReplayMove;
  readonly audit: AuditContext;
}

/** Changes the row first, because the workflow reads it before each batch. */
export async function moveReplay(deps: ApiDeps, { replay, how, audit }: MoveReplay): Promise<ReplayRecord> {
  const { publicId, organizationId, workspaceId } = replay;
  const moved = await deps.db.transaction(async (trx) => {
    const record = await move(trx, { publicId, move: how });
    if (!record) throw new Conflict('REPLAY_ENDED', `The replay has ended: ${replay.status}.`);
    const entry = { ...audit, organizationId, workspaceId };
    await recordAudit(trx, { ...entry, action: `replay.${pastTense[how]}`, targetId: publicId });
    return record;
  });
  await signalReplay(deps, moved);
  return moved;
}

const pastTense: Readonly<Record<ReplayMove, string>> = { pause: 'paused', resume: 'resumed', cancel: 'cancelled' };
