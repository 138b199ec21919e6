import type { ContainerInput } from '../../openapi/containers/schema.ts';
import { abandonCreate, insertContainer } from '../../db/containers/containers.ts';
import type { ChannelRecord } from '../../db/channels/records.ts';
import {
  containerStartOf,
  type ContainerRecord,
  findContainerByKey,
  loadContainer,
} from '../../db/containers/records.ts';
import { keyHash, requestHash } from '../routing/request-hash.ts';
import { runStaged } from '../routing/run-staged.ts';
import type { ApiDeps } from '../requests/deps.ts';
import { Conflict, KeyReused, OutcomeUnknown, PlatformRefused, WorkflowUnavailable } from '../requests/errors.ts';
import { uncallable } from '../requests/uncallable.ts';
import { locationOf } from './present.ts';

export interface ContainerCreate {
  readonly channel: ChannelRecord;
  readonly request: ContainerInput;
  readonly idempotencyKey: string | null;
}

/**
 * Stores a container, which its workflow creates at the platform. A repeat with the same Idempotency-Key joins the
 * wait, and starts the workflow if the first request did not.
 */
export async function createContainer(deps: ApiDeps, create: ContainerCreate): Promise<ContainerRecord> {
  const { db, starts, log } = deps;
  const container = await storedContainer(deps, create);
  const { id, publicId } = container;
  const headers = { location: locationOf(container) };
  const settled = requireAccepted(container);
  if (settled) return settled;
  return await runStaged({
    run: () => starts.createContainer(containerStartOf(container)),
    logUnanswered: ({ cause: error }) => log.warn('containerCreate.unanswered', { containerId: publicId, error }),
    giveUp: (state) => state === 'not_started' && abandonCreate(db, { id }),
    decide: async () => {
      const now = await loadContainer(db, publicId);
      if (!now) throw new Error(`No container ${publicId}`);
      return requireAccepted(now);
    },
    unavailable: () =>
      new WorkflowUnavailable(
        'Nothing was started and nothing was published, because the workflow service is not available. Try again shortly.',
        { headers },
      ),
    unknown: () =>
      new OutcomeUnknown(
        `It is not known yet whether the platform has accepted the container ${publicId}. Do not repeat this blindly: ` +
          `read GET ${headers.location} first, or repeat it with the same Idempotency-Key if you sent one.`,
        { headers },
      ),
  });
}

async function storedContainer({ db }: ApiDeps, create: ContainerCreate): Promise<ContainerRecord> {
  const { channel, request, idempotencyKey } = create;
  if (channel.type !== 'photoapp') {
    throw new Conflict('CHANNEL_TYPE_MISMATCH', `Media containers are for photoapp channels; this is ${channel.type}.`);
  }
  const hash = requestHash(request);
  const idempotency = idempotencyKey === null ? null : { keyHash: keyHash(idempotencyKey) };
  const refusal = uncallable(channel);
  if (refusal) {
    // A repeat gets the first request's answer, even if the channel was disconnected since.
    const known = idempotency && (await findContainerByKey(db, { channelId: channel.id, ...idempotency }));
    if (!known) throw refusal;
    return requireSame(known, { channel, sameRequest: known.requestHash.equals(hash) });
  }
  const { id: channelId, workspaceId } = channel;
  const inserted = await insertContainer(db, { channelId, workspaceId, request, requestHash: hash, idempotency });
  return requireSame(inserted.container, { channel, sameRequest: inserted.sameRequest });
}

/** A channel's new workspace can't see the containers of its old one. */
function requireSame(
  container: ContainerRecord,
  { channel, sameRequest }: { readonly channel: ChannelRecord; readonly sameRequest: boolean },
): ContainerRecord {
  if (sameRequest && container.workspacePublicId === channel.workspacePublicId) return container;
  throw new KeyReused();
}

/** Returns undefined while the platform has not decided. */
function requireAccepted(container: ContainerRecord): ContainerRecord | undefined {
  const { publicId, statusDetail } = container;
  const headers = { location: locationOf(container) };
  switch (container.acceptance) {
    case 'accepted':
      return container;
    case 'rejected':
      throw platformRefused(container, 'The platform refused the container.');
    case 'not_sent':
      throw new WorkflowUnavailable(
        `${statusDetail ?? 'The container was not sent to the platform in time.'} Nothing was published. Try again ` +
          'shortly, with another Idempotency-Key if you sent one.',
        { headers },
      );
    case 'lost':
      throw new OutcomeUnknown(
        `The platform's answer about the container ${publicId} was lost: it may or may not have been made, and nothing ` +
          'was published. Do not repeat this blindly: look at the account first.',
        { headers },
      );
    case null:
      return undefined;
  }
}

export function platformRefused(container: ContainerRecord, fallback: string): PlatformRefused {
  const { refusalCode, statusDetail } = container;
  return new PlatformRefused(refusalCode ?? 'PLATFORM_REJECTED', statusDetail ?? fallback, {
    headers: { location: locationOf(container) },
    retryAfterSeconds: refusalRetrySeconds(container),
  });
}

/** Returns undefined if a repeat does not help. */
export function refusalRetrySeconds({ refusalRetryAt }: ContainerRecord): number | undefined {
  if (refusalRetryAt === null) return undefined;
  return Math.max(1, Math.ceil((refusalRetryAt.getTime() - Date.now()) / 1_000));
}
