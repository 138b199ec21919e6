import type { Log } from '../../process/log.ts';
import type { GatewayMeter } from '../../metrics/gateway-metrics.ts';
import { isObjectId, kindById, photoAccountOf } from '../../platform/ownership/ids.ts';
import type { SubjectKind } from '../../platform/ownership/edges.ts';
import { type Finding, isNotShown, type OwnerLookUp, ownerLookUps } from '../../platform/ownership/lookups.ts';
import { refusalCodes } from '../../platform/forwarding/rewrite-answer.ts';
import { scanJson } from '../../contract/envelope/json-tape.ts';
import { readBounded } from '../upstream/bounded-body.ts';
import type { ChannelCall } from '../calls/call.ts';
import { noteDeadCredential } from '../upstream/dead-credential.ts';
import type { ChannelDirectory, GatewayLimits } from '../calls/deps.ts';
import { createKnownOwners, type KnownOwners } from './known-owners.ts';
import { disconnected, platformAway, scopeDenied } from '../calls/refusal.ts';
import type { CallOnce } from '../upstream/call-once.ts';

/**
 * Whose an object is. An id that shows it needs nothing else; for others the platform is asked with the channel's
 * credential, and what it says is remembered for minutes.
 */
export interface Ownership {
  /** The kind of an object that belongs to the call's channel; refuses any other. */
  require(call: ChannelCall, objectId: string): Promise<SubjectKind>;
  /** Notes ids that an edge of an object of the channel has listed or made. */
  learn(call: ChannelCall, ids: readonly string[], kind: SubjectKind): void;
  /** Stores whose media containers are that a call has made. Never fails: the platform has made them already. */
  recordContainers(
    call: ChannelCall,
    made: { readonly accountId: string; readonly ids: readonly string[] },
  ): Promise<void>;
}

/** A comment stands under a comment or a photo, which stands under a post. */
const MAX_STEPS = 4;

const CONTAINER_FORM = /^\d{1,64}$/;

interface OwnershipNeeds {
  readonly once: CallOnce;
  readonly limits: GatewayLimits;
  readonly channels: ChannelDirectory;
  readonly meter?: Pick<GatewayMeter, 'ownerLookedUp'> | undefined;
  readonly log: Log;
}

export function createOwnership({ once, limits, channels, meter, log }: OwnershipNeeds): Ownership {
  const known: KnownOwners = createKnownOwners();

  async function kindOf(call: ChannelCall, objectId: string, step: number): Promise<SubjectKind | undefined> {
    if (!isObjectId(objectId) || step > MAX_STEPS) return undefined;
    const shown = kindById(call.channel, objectId);
    if (shown) return shown;
    const remembered = known.find(call.channel, objectId);
    meter?.ownerLookedUp(remembered ? 'hit' : 'miss');
    if (remembered) return remembered === 'foreign' ? undefined : remembered;
    const kind = await askedKind(call, objectId, step);
    known.remember(call.channel, objectId, kind ?? 'foreign');
    return kind;
  }

  async function askedKind(call: ChannelCall, objectId: string, step: number): Promise<SubjectKind | undefined> {
    if (await isOwnContainer(call, objectId)) return 'photo_object';
    for (const lookUp of ownerLookUps(call.channel, objectId)) {
      const finding = await ask(call, lookUp);
      if (finding === 'unclear') continue;
      if (finding === 'foreign') return undefined;
      if (!('ask' in finding)) return finding.kind;
      return (await kindOf(call, finding.ask, step + 1)) && finding.kind;
    }
    return undefined;
  }

  /** The platform names no owner of a container, and that it can be read proves nothing: it may be another account's. */
  async function isOwnContainer({ channel }: ChannelCall, platformId: string): Promise<boolean> {
    const accountId = photoAccountOf(channel);
    if (accountId === null || !CONTAINER_FORM.test(platformId)) return false;
    return await channels.containers.isOwn({ channelId: channel.channelId, accountId, platformId });
  }

  async function ask(call: ChannelCall, { path, query, find }: OwnerLookUp): Promise<Finding> {
    const answer = await once(call, { method: 'GET', path, query, operation: 'owner_look_up' });
    const bytes = await readBounded(answer, limits.answerBytes);
    const json = scanJson(bytes);
    const refusal = refusalCodes('faultAtByte' in json ? undefined : json);
    answer.finish(refusal?.text);
    if (answer.status === 200 && !('faultAtByte' in json)) return find(JSON.parse(bytes.toString()));
    if (refusal && (await noteDeadCredential({ channels, log }, call, refusal))) throw disconnected();
    if ((refusal && isNotShown(refusal)) || answer.status === 404) return 'unclear';
    throw platformAway('The platform did not say whose object this is. Nothing was sent on.');
  }

  return {
    async require(call, objectId) {
      const kind = await kindOf(call, objectId, 0);
      if (!kind) throw scopeDenied();
      return kind;
    },
    learn(call, ids, kind) {
      for (const id of ids) {
        if (isObjectId(id) && !kindById(call.channel, id)) known.remember(call.channel, id, kind);
      }
    },
    async recordContainers({ channel, requestId }, { accountId, ids }) {
      const platformIds = ids.filter((id) => CONTAINER_FORM.test(id));
      if (platformIds.length === 0) return;
      try {
        await channels.containers.record({ channelId: channel.channelId, accountId, platformIds });
      } catch (error) {
        log.error('container.recordFailed', { requestId, channelId: channel.channelPublicId, error });
      }
    },
  };
}
