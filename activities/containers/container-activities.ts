import { ApplicationFailure } from '@temporalio/common';
import type { Knex } from 'knex';
import type { ContainerStatus, PartOutcome, PlatformContainerState } from '../../contract/containers/status.ts';
import { failureTypes } from '../../contract/failures.ts';
import { endUnknown, moveContainer } from '../../db/containers/containers.ts';
import {
  lostDetail,
  nameOfPart,
  recordCheck,
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
import { withHeartbeat, withHeartbeatToTheAnswer } from '../with-heartbeat.ts';

export interface ContainerActivityDeps {
  readonly db: Knex;
  readonly secretBox: SecretBox;
  readonly outbound?: Pick<OutboundLog, 'record'>;
  readonly platformMedia: PlatformMedia;
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
    return container.parts.find((part) => part.position === position)?.outcome ?? 'lost';
  };

  return {
    /** Creates a part with a single call. Never sends a part again. */
    async createPart({ containerId, position }: PartOfContainer): Promise<PartOutcome> {
      const container = await requireContainer(db, containerId);
      const key = { id: container.id, position };
      const known = container.parts.find((part) => part.position === position)?.outcome;
      if (known) return known;
      const account = await findContainerAccount(deps, { container, operation: 'createContainer' });
      if (!account) {
        await settlePart(db, { ...key, reason: 'Not created: the channel is disconnected. Connect it again.' });
      } else if (await takePart(db, key)) {
        await send(container, account, position);
      } else {
        await settlePart(db, key);
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
      const nextCheckAt = new Date(check.nextCheckAtMs);
      const open = container.parts.filter(({ position, state }) =>
        children ? position > 0 && state === 'in_progress' : position === 0,
      );
      const account = await findContainerAccount(deps, { container, operation: 'readContainer' });
      const seen = await withHeartbeat((signal) =>
        Promise.all(open.map(({ platformId }) => readState({ account, platformId, signal }))),
      );
      for (const [index, { state, detail }] of seen.entries()) {
        const { position } = open[index]!;
        if (state !== 'unreadable') await recordCheck(db, { id: container.id, position, state, detail, nextCheckAt });
      }
      const known = container.parts.flatMap(({ position, state }) =>
        children && position > 0 && state ? [state] : [],
      );
      const earlier = known.filter((state) => state !== 'in_progress');
      const result = combineStates([...earlier, ...seen.map(({ state }) => state)]);
      if (result === 'unreadable') await recordNextCheck(db, { id: container.id, nextCheckAt });
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

  async function send(container: ContainerRecord, account: PlatformAccountAccess, position: number): Promise<void> {
    const key = { id: container.id, position };
    const parameters = parametersOf(container, position);
    const answer = await withHeartbeatToTheAnswer((signal) =>
      platformMedia.createContainer(account, parameters, signal),
    );
    switch (answer.outcome) {
      case 'accepted':
        return await recordPart(db, { ...key, outcome: 'accepted', platformId: answer.id });
      case 'rejected':
        return await recordPart(db, {
          ...key,
          outcome: 'rejected',
          detail: `${nameOfPart(position)} was rejected by the platform: ${rejectionText(answer)}`,
        });
      case 'lost':
        return await recordPart(db, { ...key, outcome: 'lost', detail: lostDetail(position) });
    }
  }

  /** A part missing on the platform has failed; other errors are temporary. */
  async function readState({ account, platformId, signal }: PartRead): Promise<PartState> {
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

interface PartState {
  readonly state: CheckResult;
  readonly detail: string | null;
}

function combineStates(states: readonly CheckResult[]): CheckResult {
  const order = ['error', 'expired', 'unreadable', 'in_progress', 'published'] as const;
  return order.find((state) => states.includes(state)) ?? 'finished';
}

const unreadable: PartState = { state: 'unreadable', detail: null };

/** Statuses that can end immediately. A sent publish must be resolved first. */
const unpublished: readonly ContainerStatus[] = ['creating', 'in_progress', 'finished', 'unknown'];

const CANCELLED = 'Not published: its workflow was cancelled. Create it again if you still need it.';
const UNRESOLVED =
  'The publish call was sent, but its outcome could not be read before the container expired. Check the account.';

export function rejectionText({ code, subcode, text }: Extract<WriteAnswer, { outcome: 'rejected' }>): string {
  const codes = [code !== null && `code ${code}`, subcode !== null && `subcode ${subcode}`].filter(Boolean).join(', ');
  return codes === '' ? text : `${codes}: ${text}`;
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
