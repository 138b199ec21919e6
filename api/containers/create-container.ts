import type { StartedContainer } from '../../contract/containers/workflow.ts';
import type { ContainerInput } from '../../openapi/containers/schema.ts';
import { abandonCreate, insertContainer } from '../../db/containers/containers.ts';
import type { ChannelRecord } from '../../db/channels/records.ts';
import { type ContainerRecord, findContainerByKey, loadContainer } from '../../db/containers/records.ts';
import { keyHash, requestHash } from '../routing/request-hash.ts';
import type { ApiDeps } from '../requests/deps.ts';
import { Conflict, OutcomeUnknown, PlatformRefused, WorkflowUnavailable } from '../requests/errors.ts';
import { locationOf } from './present.ts';

export interface ContainerCreate {
  readonly channel: ChannelRecord;
  readonly request: ContainerInput;
  readonly idempotencyKey: string | null;
}

/**
 * Makes a media container: stores it, has its workflow create it at the platform, and waits until that is settled.
 * Returns the container when the platform has taken it and throws the refusal otherwise. The row decides, whatever
 * became of the call that waited for it; a repeat by its idempotency key joins the wait, and starts the workflow where
 * the first request never came to it.
 */
export async function createContainer(deps: ApiDeps, create: ContainerCreate): Promise<ContainerRecord> {
  const container = await storedContainer(deps, create);
  return answerFor(container.acceptance === null ? await settled(deps, container) : container);
}

async function storedContainer({ db }: ApiDeps, create: ContainerCreate): Promise<ContainerRecord> {
  const { channel, request, idempotencyKey } = create;
  if (channel.type !== 'photoapp') {
    throw new Conflict('CHANNEL_TYPE_MISMATCH', `Media containers are for photoapp channels; this is ${channel.type}.`);
  }
  const hash = requestHash(request);
  const idempotency = idempotencyKey === null ? null : { keyHash: keyHash(idempotencyKey) };
  if (!channel.connected) {
    // A repeat is answered as the first was, whatever has become of the channel since.
    const known = idempotency && (await findContainerByKey(db, { channelId: channel.id, ...idempotency }));
    if (!known) throw disconnected();
    return requireSame(known, { channel, sameRequest: known.requestHash.equals(hash) });
  }
  const { id: channelId, workspaceId } = channel;
  const inserted = await insertContainer(db, { channelId, workspaceId, request, requestHash: hash, idempotency });
  return requireSame(inserted.container, { channel, sameRequest: inserted.sameRequest });
}

/** A channel may have moved to another workspace, where the containers of the first one are nobody's business. */
function requireSame(
  container: ContainerRecord,
  { channel, sameRequest }: { readonly channel: ChannelRecord; readonly sameRequest: boolean },
): ContainerRecord {
  if (sameRequest && container.workspacePublicId === channel.workspacePublicId) return container;
  throw new Conflict(
    'IDEMPOTENCY_KEY_REUSED',
    'This Idempotency-Key came with another request before. Choose another.',
  );
}

/** The container when its creation is settled, or as it is when the wait for that was given up. */
async function settled({ db, temporal, log }: ApiDeps, container: ContainerRecord): Promise<ContainerRecord> {
  const { id, publicId } = container;
  const started = await temporal.createContainer(startOf(container));
  if (started.state !== 'ended') {
    log.warn('containerCreate.unanswered', { containerId: publicId, error: started.cause });
    if (started.state === 'not_started' && (await abandonCreate(db, { id }))) {
      throw new WorkflowUnavailable('Nothing was started and nothing was published. Try again shortly.', {
        headers: { location: locationOf(container) },
      });
    }
  }
  const now = await loadContainer(db, publicId);
  if (!now) throw new Error(`No container ${publicId}`);
  return now;
}

/** Turns what the row says about the creation into the answer. */
function answerFor(container: ContainerRecord): ContainerRecord {
  const { publicId, statusDetail } = container;
  const headers = { location: locationOf(container) };
  switch (container.acceptance) {
    case 'accepted':
      return container;
    case 'rejected':
      throw new PlatformRefused(statusDetail ?? 'The platform refused the container.', { headers });
    case 'not_sent':
      throw new WorkflowUnavailable(
        `${statusDetail ?? 'The container was not sent to the platform in time.'} Nothing was published. Try again ` +
          'shortly, with another Idempotency-Key where you gave one.',
        { headers },
      );
    case 'lost':
      throw new OutcomeUnknown(
        `The platform's answer about the container ${publicId} was lost: it may or may not have been made, and nothing ` +
          'was published. Do not repeat this blindly: look at the account by hand first.',
        { headers },
      );
    case null:
      throw new OutcomeUnknown(
        `It is not known yet whether the platform has taken the container ${publicId}. Do not repeat this blindly: ` +
          `read GET ${headers.location} first, or repeat it with the same Idempotency-Key where you gave one.`,
        { headers },
      );
  }
}

export function disconnected(): Conflict {
  return new Conflict('CHANNEL_DISCONNECTED', 'The channel is disconnected. Connect it again first.');
}

/** What the container's workflow is started with. */
export function startOf(container: ContainerRecord): StartedContainer {
  return {
    containerId: container.publicId,
    channelId: container.channelPublicId,
    workspaceId: container.workspacePublicId,
    mediaType: container.mediaType,
    childCount: container.childCount,
    autoPublish: container.autoPublish,
    expiresAtMs: container.expiresAt.getTime(),
    status: container.status,
  };
}
