import { ApplicationFailure } from '@temporalio/common';
import type { Knex } from 'knex';
import type { ContainerStatus, PartOutcome, PlatformContainerState } from '../../contract/containers/status.ts';
import { failureTypes } from '../../contract/failures.ts';
import { endUnknown, moveContainer } from '../../db/containers/containers.ts';
import {
  lostDetail,
  nameOfPart,
  recordLook,
  recordNextCheck,
  recordPart,
  settlePart,
  takePart,
} from '../../db/containers/parts.ts';
import { type ContainerRecord, loadContainer } from '../../db/containers/records.ts';
import type { OutboundLog } from '../../db/operations/outbound-calls.ts';
import type { SecretBox } from '../../db/core/secret-box.ts';
import type { Log } from '../../process/log.ts';
import { PlatformRejected, PlatformUnavailable } from '../../platform/client/errors.ts';
import type { PlatformAccountAccess, PlatformMedia, WriteAnswer } from '../../platform/media/media.ts';
import { carouselParameters, childParameters, containerParameters } from '../../platform/media/parameters.ts';
import { isMissingObject } from '../../platform/client/permission-codes.ts';
import { findContainerAccount } from './find-container-account.ts';
import { withHeartbeat } from '../with-heartbeat.ts';

export interface ContainerActivityDeps {
  readonly db: Knex;
  readonly secretBox: SecretBox;
  /** Where calls to the platform are written down; left out where nobody reads it. */
  readonly outbound?: Pick<OutboundLog, 'record'>;
  readonly platformMedia: PlatformMedia;
  readonly log: Log;
}

export type ContainerActivities = ReturnType<typeof createContainerActivities>;

export interface PartOfContainer {
  readonly containerId: string;
  /** 0 for the container itself, 1 … for a carousel's children. */
  readonly position: number;
}

export interface LookAtContainer {
  readonly containerId: string;
  /** At a carousel's children instead of the container itself. */
  readonly children: boolean;
  /** When the next look will be, should it still be in progress. */
  readonly nextCheckAtMs: number;
}

/** How a look at the platform went; `unreadable` says nothing about the container. */
export type LookResult = PlatformContainerState | 'unreadable';

/** Why a container ends that nothing at the platform has ended. */
export type ContainerEndReason = 'expired' | 'cancelled' | 'unresolved';

/** The activities that make a container at the platform and watch it; those that publish it are beside them. */
export function createContainerActivities(deps: ContainerActivityDeps) {
  const { db, platformMedia, log } = deps;

  const partOutcome = async (containerId: string, position: number): Promise<PartOutcome> => {
    const container = await requireContainer(db, containerId);
    return container.parts.find((part) => part.position === position)?.outcome ?? 'lost';
  };

  return {
    /** Makes a part at the platform: by one call, ever. A part that was sent before is only told about. */
    async createPart({ containerId, position }: PartOfContainer): Promise<PartOutcome> {
      const container = await requireContainer(db, containerId);
      const key = { id: container.id, position };
      const known = container.parts.find((part) => part.position === position)?.outcome;
      if (known) return known;
      const account = await findContainerAccount(deps, { container, operation: 'createContainer' });
      if (!account) {
        await settlePart(db, { ...key, reason: 'Not sent: the channel is disconnected.' });
      } else if (await takePart(db, key)) {
        await send(container, account, position);
      } else {
        await settlePart(db, key);
      }
      const outcome = await partOutcome(containerId, position);
      log.info('container.created', { containerId, position, outcome });
      return outcome;
    },

    /** Says what became of a part whose creation was broken off: it never sends anything. */
    async settleCreate({ containerId, position }: PartOfContainer): Promise<PartOutcome> {
      const { id } = await requireContainer(db, containerId);
      await settlePart(db, { id, position });
      return await partOutcome(containerId, position);
    },

    /**
     * Looks how far the platform is with the container, or with those children of a carousel that it is not done with,
     * and writes it down. Of several children the worst counts: failed, else still in progress.
     */
    async checkContainer(look: LookAtContainer): Promise<LookResult> {
      const { containerId, children } = look;
      const container = await requireContainer(db, containerId);
      const nextCheckAt = new Date(look.nextCheckAtMs);
      const open = container.parts.filter(({ position, state }) =>
        children ? position > 0 && state === 'in_progress' : position === 0,
      );
      const account = await findContainerAccount(deps, { container, operation: 'readContainer' });
      const seen = await withHeartbeat((signal) =>
        Promise.all(open.map(({ platformId }) => readState({ account, platformId, signal }))),
      );
      for (const [index, { state, detail }] of seen.entries()) {
        const { position } = open[index]!;
        if (state !== 'unreadable') await recordLook(db, { id: container.id, position, state, detail, nextCheckAt });
      }
      // A look that was broken off may have written the worst down already.
      const known = container.parts.flatMap(({ position, state }) =>
        children && position > 0 && state ? [state] : [],
      );
      const earlier = known.filter((state) => state !== 'in_progress');
      const result = overall([...earlier, ...seen.map(({ state }) => state)]);
      if (result === 'unreadable') await recordNextCheck(db, { id: container.id, nextCheckAt });
      log.info('container.checked', { containerId, children, result });
      return result;
    },

    /** How an earlier run of this container's workflow has left it. */
    async readStanding({ containerId }: { readonly containerId: string }): Promise<ContainerStatus> {
      return (await requireContainer(db, containerId)).status;
    },

    /** Ends a container that nothing at the platform has ended; one that has ended meanwhile stays as it is. */
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

  async function send(container: ContainerRecord, account: PlatformAccountAccess, position: number): Promise<void> {
    const key = { id: container.id, position };
    const parameters = parametersOf(container, position);
    const answer = await withHeartbeat((signal) => platformMedia.createContainer(account, parameters, signal));
    switch (answer.outcome) {
      case 'accepted':
        return await recordPart(db, { ...key, outcome: 'accepted', platformId: answer.id });
      case 'rejected':
        return await recordPart(db, {
          ...key,
          outcome: 'rejected',
          detail: `${nameOfPart(position)} was refused: ${refusalText(answer)}`,
        });
      case 'lost':
        return await recordPart(db, { ...key, outcome: 'lost', detail: lostDetail(position) });
    }
  }

  /** A container that the platform does not know any more has failed; whatever else keeps it from answering may pass. */
  async function readState({ account, platformId, signal }: PartRead): Promise<SeenPart> {
    if (!account || platformId === null) return unreadable;
    try {
      const { status, detail } = await platformMedia.readContainer(account, platformId, signal);
      return { state: status, detail };
    } catch (error) {
      if (error instanceof PlatformRejected && isMissingObject(error)) return { state: 'error', detail: error.message };
      if (error instanceof PlatformRejected || error instanceof PlatformUnavailable) return unreadable;
      throw error;
    }
  }
}

interface PartRead {
  readonly account: PlatformAccountAccess | undefined;
  readonly platformId: string | null;
  readonly signal: AbortSignal;
}

interface SeenPart {
  readonly state: LookResult;
  readonly detail: string | null;
}

/** A failed child fails all of them; one that is not known or not done keeps all of them waiting. */
function overall(states: readonly LookResult[]): LookResult {
  const order = ['error', 'expired', 'unreadable', 'in_progress', 'published'] as const;
  return order.find((state) => states.includes(state)) ?? 'finished';
}

const unreadable: SeenPart = { state: 'unreadable', detail: null };

/** What may end without looking at the platform again: a publish that may have left is cleared up first. */
const unpublished: readonly ContainerStatus[] = ['creating', 'in_progress', 'finished', 'unknown'];

const CANCELLED = 'Given up: its workflow was cancelled.';
const UNRESOLVED =
  'It was sent to be published, and until its end nobody could read whether it was. Look at the account.';

/** The platform's codes and words about a call that it refused. */
export function refusalText({ code, subcode, text }: Extract<WriteAnswer, { outcome: 'rejected' }>): string {
  const codes = [code !== null && `code ${code}`, subcode !== null && `subcode ${subcode}`].filter(Boolean).join(', ');
  return codes === '' ? text : `${codes}: ${text}`;
}

export async function requireContainer(db: Knex, containerId: string): Promise<ContainerRecord> {
  const container = await loadContainer(db, containerId);
  if (container) return container;
  throw ApplicationFailure.nonRetryable(`No container ${containerId}`, failureTypes.containerNotFound);
}

function expiredDetail(status: ContainerStatus): string {
  return status === 'unknown'
    ? "The answer to its creation was lost; by now the platform's own copy, should there have been one, is gone."
    : 'Not published within 24 hours: the platform has dropped it.';
}

function parametersOf({ request, childCount, parts }: ContainerRecord, position: number) {
  if (position > 0) return childParameters(request, position - 1);
  if (childCount === 0) return containerParameters(request);
  const childIds = parts.flatMap((part) => (part.position > 0 && part.platformId ? [part.platformId] : []));
  return carouselParameters(request, childIds);
}
