import { ApplicationFailure } from '@temporalio/common';
import type { Knex } from 'knex';
import { MAX_POLL_MS } from '../../contract/containers/poll.ts';
import {
  type ContainerStatus,
  CREATE_DEADLINE_MS,
  type PartOutcome,
  type PlatformContainerState,
} from '../../contract/containers/status.ts';
import { failureTypes } from '../../contract/failures.ts';
import { type ContainerRefusal, endUnknown, moveContainer } from '../../db/containers/containers.ts';
import {
  lostDetail,
  nameOfPart,
  recordCheck,
  recordPart,
  recordPublishable,
  recordUnreadable,
  releasePart,
  settlePart,
  takePart,
} from '../../db/containers/parts.ts';
import { type ContainerRecord, loadContainer } from '../../db/containers/records.ts';
import type { OutboundLog } from '../../db/operations/outbound-calls.ts';
import type { SecretBox } from '../../db/core/secret-box.ts';
import type { Log } from '../../process/log.ts';
import { PlatformUnavailable } from '../../platform/client/errors.ts';
import type { PlatformAccountAccess, PlatformMedia, WriteAnswer } from '../../platform/media/media.ts';
import { carouselParameters, childParameters, containerParameters } from '../../platform/media/parameters.ts';
import { isMissingMedia } from '../../platform/client/refusals.ts';
import { type ContainerAccount, findContainerAccount, noteRefusedCredential } from './find-container-account.ts';
import { findPost, POST_NOT_FOUND } from './find-post.ts';
import { type PartReading, readPart } from './read-part.ts';
import type { Shares } from '../../process/shares.ts';
import { SHORT_WAIT_MS, tryAgainLater } from '../deliveries/receiver-slots.ts';
import { withHeartbeat, withHeartbeatToTheAnswer } from '../with-heartbeat.ts';

export interface ContainerActivityDeps {
  readonly db: Knex;
  readonly secretBox: SecretBox;
  readonly outbound?: Pick<OutboundLog, 'record'>;
  readonly platformMedia: PlatformMedia;
  readonly mediaShares: Shares;
  readonly log: Log;
}

export type ContainerActivities = ReturnType<typeof createContainerActivities>;

export interface PartOfContainer {
  readonly containerId: string;
  /** 0 for the container itself; 1 and up for a carousel's children. */
  readonly position: number;
}

export interface CheckContainer {
  readonly containerId: string;
  readonly children: boolean;
  readonly nextCheckAtMs: number;
}

export type CheckResult = PlatformContainerState | 'unreadable';

export type ContainerEndReason = 'expired' | 'cancelled' | 'unresolved';

export function createContainerActivities(deps: ContainerActivityDeps) {
  const { db, platformMedia, log } = deps;

  const partOutcome = async (containerId: string, position: number): Promise<PartOutcome> => {
    const container = await requireContainer(db, containerId);
    const part = container.parts.find((each) => each.position === position);
    return part?.outcome ?? (part?.sent === false ? 'not_sent' : 'lost');
  };

  return {
    /** Creates a part with a single call. Never sends a part again. */
    async createPart({ containerId, position }: PartOfContainer): Promise<PartOutcome> {
      const container = await requireContainer(db, containerId);
      const key = { id: container.id, position };
      const known = container.parts.find((part) => part.position === position)?.outcome;
      if (known) return known;
      const giveBack = takeShare(container);
      if (!giveBack) tryAgainLater(SHORT_WAIT_MS);
      try {
        if (giveBack) await create(container, position);
        else await settlePart(db, { ...key, reason: BUSY });
      } finally {
        giveBack?.();
      }
      const outcome = await partOutcome(containerId, position);
      log.info('container.created', { containerId, position, outcome });
      return outcome;
    },

    async settleCreate({ containerId, position }: PartOfContainer): Promise<PartOutcome> {
      const { id } = await requireContainer(db, containerId);
      await settlePart(db, { id, position });
      return await partOutcome(containerId, position);
    },

    /** Records the state of a container, or the combined state of a carousel's unfinished children. */
    async checkContainer(check: CheckContainer): Promise<CheckResult> {
      const { containerId, children } = check;
      const container = await requireContainer(db, containerId);
      const account = await findContainerAccount(deps, { container, operation: 'readContainer' });
      const result = await withHeartbeat((signal) => checkParts({ ...check, container, account, signal }));
      log.info('container.checked', { containerId, children, result });
      return result;
    },

    async readStanding({ containerId }: { readonly containerId: string }): Promise<ContainerStatus> {
      return (await requireContainer(db, containerId)).status;
    },

    async endContainer(end: {
      readonly containerId: string;
      readonly reason: ContainerEndReason;
    }): Promise<ContainerStatus> {
      const { id, status, parts } = await requireContainer(db, end.containerId);
      switch (end.reason) {
        case 'expired':
          await moveContainer(db, { id, to: 'expired', from: unpublished, detail: expiredDetail(status) });
          break;
        case 'cancelled':
          for (const { position, sent, outcome } of parts) {
            if (!sent && outcome === null) await settlePart(db, { id, position, reason: CANCELLED });
          }
          await moveContainer(db, { id, to: 'error', from: unpublished, detail: CANCELLED });
          break;
        case 'unresolved':
          await endUnknown(db, { id, detail: UNRESOLVED });
          break;
      }
      const ended = (await requireContainer(db, end.containerId)).status;
      log.info('container.ended', { containerId: end.containerId, status: ended });
      return ended;
    },
  };

  /** Requests wait in the API for a share. A scheduled post has no request, and its container has time to wait. */
  function takeShare({ organizationId, createBy, createdAt }: ContainerRecord) {
    const isRequested = createBy.getTime() < createdAt.getTime() + 2 * CREATE_DEADLINE_MS;
    return isRequested ? () => undefined : deps.mediaShares.tryTake({ organizationId });
  }

  async function create(container: ContainerRecord, position: number): Promise<void> {
    const key = { id: container.id, position };
    const account = await findContainerAccount(deps, { container, operation: 'createContainer' });
    if (!account) {
      await settlePart(db, { ...key, reason: 'Not created: the channel is disconnected. Connect it again.' });
    } else if (account.refusedReason !== null) {
      await settlePart(db, { ...key, reason: `Not created: ${account.refusedReason}` });
    } else if (await takePart(db, key)) {
      await send(container, account, position);
    } else {
      await settlePart(db, key);
    }
  }

  async function send(container: ContainerRecord, account: ContainerAccount, position: number): Promise<void> {
    const key = { id: container.id, position };
    const parameters = parametersOf(container, position);
    const answer = await withHeartbeatToTheAnswer((signal) =>
      platformMedia.createContainer(account, parameters, signal),
    );
    switch (answer.outcome) {
      case 'accepted':
        return await recordPart(db, { ...key, outcome: 'accepted', platformId: answer.id });
      case 'rejected':
        await noteRefusedCredential(deps, { container, account, answer });
        if (position === 0 && container.childCount > 0 && mayBeTooEarly(answer)) {
          return await releasePart(db, { id: container.id, detail: rejectionText(answer) });
        }
        return await recordPart(db, {
          ...key,
          outcome: 'rejected',
          detail: `${nameOfPart(position)} was rejected by the platform: ${rejectionText(answer)}`,
          refusal: containerRefusal(answer.refusal),
        });
      case 'lost':
        return await recordPart(db, { ...key, outcome: 'lost', detail: lostDetail(position) });
    }
  }

  async function checkParts(check: PartsCheck): Promise<CheckResult> {
    const { container, account, children, signal } = check;
    const open = container.parts.filter(({ position, state }) =>
      children ? position > 0 && state === 'in_progress' : position === 0,
    );
    const readings = await Promise.all(
      open.map(async ({ position, platformId }) => ({
        position,
        ...(await readPart({ platformMedia, account, platformId, signal })),
      })),
    );
    for (const reading of readings) await recordReading(check, reading);
    return await recordResult(check, readings);
  }

  async function recordReading(check: PartsCheck, { position, state, detail }: ReadPart): Promise<void> {
    if (state === 'hidden' || state === 'unreadable') return;
    const post = position === 0 && state === 'published' ? await search(check) : {};
    const nextCheckAt = new Date(check.nextCheckAtMs);
    await recordCheck(db, { id: check.container.id, position, state, detail, nextCheckAt, ...post });
  }

  async function recordResult(check: PartsCheck, readings: readonly ReadPart[]): Promise<CheckResult> {
    const { container, children, nextCheckAtMs } = check;
    const { id, expiresAt } = container;
    const known = container.parts.flatMap(({ position, state }) =>
      children && position > 0 && state && state !== 'in_progress' ? [state] : [],
    );
    const result = combineStates([...known, ...readings.map(({ state }) => state)]);
    const isEarly = isTooEarly(container, nextCheckAtMs);
    if (result !== 'hidden' && result !== 'unreadable') {
      return children && result === 'finished' && isEarly ? 'in_progress' : result;
    }
    const detail = detailOf(readings);
    if (result === 'hidden' && !isEarly && expiresAt.getTime() > Date.now()) {
      if (!children) await recordPublishable(db, { id, detail: `${detail} ${PUBLISHABLE}` });
      return 'finished';
    }
    await recordUnreadable(db, { id, detail, nextCheckAt: new Date(nextCheckAtMs) });
    return 'unreadable';
  }

  /** The container is published even if its post can't be found. */
  async function search({ container, account, signal }: PartsCheck) {
    if (container.mediaId !== null || !account) return {};
    const post = await findPost({ db, platformMedia, container, account, signal }).catch((error: unknown) => {
      if (error instanceof PlatformUnavailable) return undefined;
      throw error;
    });
    return post ? { post, detail: null } : { detail: POST_NOT_FOUND };
  }
}

interface PartsCheck extends CheckContainer {
  readonly container: ContainerRecord;
  readonly account: PlatformAccountAccess | undefined;
  readonly signal: AbortSignal;
}

type ReadPart = PartReading & { readonly position: number };

/**
 * A hidden part may be finished, because the platform accepted it. A carousel or a publish that comes too early is
 * refused without an effect.
 */
function combineStates(states: readonly PartReading['state'][]): PlatformContainerState | 'hidden' | 'unreadable' {
  const order = ['error', 'expired', 'unreadable', 'in_progress', 'hidden', 'published'] as const;
  return order.find((state) => states.includes(state)) ?? 'finished';
}

/** Whether the platform said so a moment ago. The pauses grow with the time that it needs. */
function isTooEarly({ tooEarlyAt, createdAt }: ContainerRecord, nextCheckAtMs: number): boolean {
  if (tooEarlyAt === null) return false;
  const pauseMs = Math.max((nextCheckAtMs - Date.now()) / 2, (tooEarlyAt.getTime() - createdAt.getTime()) / 10);
  return Date.now() - tooEarlyAt.getTime() < Math.min(pauseMs, MAX_POLL_MS);
}

function detailOf(readings: readonly ReadPart[]): string | null {
  const unshown = readings.find(({ state }) => state === 'hidden' || state === 'unreadable');
  if (!unshown) return null;
  return unshown.position === 0 ? unshown.detail : `${nameOfPart(unshown.position)}: ${unshown.detail}`;
}

const PUBLISHABLE = 'The platform accepted it, so it can be published. If that is too early, publish it again later.';

/** Statuses that can end immediately. A sent publish must be resolved first. */
const unpublished: readonly ContainerStatus[] = ['creating', 'in_progress', 'finished', 'unknown'];

const BUSY = 'Not created: too many posts of the organization were due at the same time.';
const CANCELLED = 'Not published: its workflow was cancelled. Create it again if you still need it.';
const UNRESOLVED =
  'The publish call was sent, but its outcome could not be read before the container expired. Check the account.';

type RefusedWrite = Extract<WriteAnswer, { outcome: 'rejected' }>;

/** The platform accepted the children, so that it may also call them missing only for now. */
function mayBeTooEarly(answer: RefusedWrite): boolean {
  return answer.refusal.kind === 'not_ready' || isMissingMedia(answer);
}

export function rejectionText({ code, subcode, text }: RefusedWrite): string {
  const codes = [code !== null && `code ${code}`, subcode !== null && `subcode ${subcode}`].filter(Boolean).join(', ');
  return codes === '' ? text : `${codes}: ${text}`;
}

export function containerRefusal({ code, retryAfterSeconds }: RefusedWrite['refusal']): ContainerRefusal {
  return { code, retryAt: retryAfterSeconds === null ? null : new Date(Date.now() + retryAfterSeconds * 1_000) };
}

export async function requireContainer(db: Knex, containerId: string): Promise<ContainerRecord> {
  const container = await loadContainer(db, containerId);
  if (container) return container;
  throw ApplicationFailure.nonRetryable(`Container ${containerId} not found`, failureTypes.containerNotFound);
}

function expiredDetail(status: ContainerStatus): string {
  return status === 'unknown'
    ? 'The response to the create call was lost, and any container it created has expired. Create it again.'
    : 'Not published within 24 hours: the platform has deleted the container. Create it again.';
}

function parametersOf({ request, childCount, parts }: ContainerRecord, position: number) {
  if (position > 0) return childParameters(request, position - 1);
  if (childCount === 0) return containerParameters(request);
  const childIds = parts.flatMap((part) => (part.position > 0 && part.platformId ? [part.platformId] : []));
  return carouselParameters(request, childIds);
}
