import type { Log } from '../../process/log.ts';
import type { GatewayMeter } from '../../metrics/gateway-metrics.ts';
import { isObjectId, kindById, photoAccountOf } from '../../platform/ownership/ids.ts';
import type { SubjectKind } from '../../platform/ownership/edges.ts';
import { isNotShown } from '../../platform/client/refusals.ts';
import { type Finding, type OwnerLookup, ownerLookups } from '../../platform/ownership/owner-lookups.ts';
import { refusalCodes } from '../../platform/forwarding/rewrite-answer.ts';
import { scanJson } from '../../contract/envelope/json-tape.ts';
import { readBounded } from '../upstream/bounded-body.ts';
import type { ChannelCall } from '../calls/call.ts';
import type { ChannelDirectory, GatewayLimits } from '../calls/deps.ts';
import { PlatformUnreachable } from '../../process/http-errors.ts';
import { credentialRefused, objectDenied } from '../calls/errors.ts';
import { type CallOnce, noteDeadCredential } from '../upstream/upstream.ts';
import type { TokenChannel } from '../../db/channels/tokens.ts';

/** Decides by an object's id, or by a cached lookup at the platform. */
export interface Ownership {
  /** Throws ScopeDenied for foreign objects. */
  require(call: ChannelCall, objectId: string): Promise<SubjectKind>;
  learn(call: ChannelCall, ids: readonly string[], kind: SubjectKind): void;
  /** Logs failures instead of throwing, because the containers already exist. */
  recordContainers(
    call: ChannelCall,
    made: { readonly accountId: string; readonly ids: readonly string[] },
  ): Promise<void>;
}

/** Enough for a reply to a comment on a photo of a post. */
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
    const kind = await lookUpKind(call, objectId, step);
    known.remember(call.channel, objectId, kind ?? 'foreign');
    return kind;
  }

  async function lookUpKind(call: ChannelCall, objectId: string, step: number): Promise<SubjectKind | undefined> {
    if (await isOwnContainer(call, objectId)) return 'photo_object';
    for (const lookUp of ownerLookups(call.channel, objectId)) {
      const finding = await ask(call, lookUp);
      if (finding === 'unclear') continue;
      if (finding === 'foreign') return undefined;
      if (!('ask' in finding)) return finding.kind;
      return (await kindOf(call, finding.ask, step + 1)) && finding.kind;
    }
    return undefined;
  }

  /** The platform does not name a container's owner, and other accounts can read it. */
  async function isOwnContainer({ channel }: ChannelCall, platformId: string): Promise<boolean> {
    const accountId = photoAccountOf(channel);
    if (accountId === null || !CONTAINER_FORM.test(platformId)) return false;
    return await channels.containers.isOwn({ channelId: channel.channelId, accountId, platformId });
  }

  async function ask(call: ChannelCall, { path, query, find }: OwnerLookup): Promise<Finding> {
    const answer = await once(call, { method: 'GET', path, query, operation: 'owner_look_up' });
    const bytes = await readBounded(answer, limits.answerBytes);
    const json = scanJson(bytes);
    const refusal = refusalCodes('faultAtByte' in json ? undefined : json);
    answer.finish(refusal?.text);
    if (answer.status === 200 && !('faultAtByte' in json)) return find(JSON.parse(bytes.toString()));
    const dead = refusal && (await noteDeadCredential({ channels, log }, call, refusal));
    if (dead !== undefined) throw credentialRefused(dead);
    if ((refusal && isNotShown(refusal)) || answer.status === 404) return 'unclear';
    throw new PlatformUnreachable('The platform did not return the owner of this object. The call was not sent.');
  }

  return {
    async require(call, objectId) {
      const kind = await kindOf(call, objectId, 0);
      if (!kind) throw objectDenied();
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

interface KnownOwners {
  find(channel: TokenChannel, objectId: string): SubjectKind | 'foreign' | undefined;
  remember(channel: TokenChannel, objectId: string, kind: SubjectKind | 'foreign'): void;
}

const MAX_KNOWN = 10_000;
/** Owners don't change, and the platform reports deleted objects. */
const OWNED_MS = 10 * 60_000;
/** A new object may not be readable yet. */
const FOREIGN_MS = 5_000;

function createKnownOwners(now: () => number = () => performance.now()): KnownOwners {
  const known = new Map<string, { readonly kind: SubjectKind | 'foreign'; readonly untilMs: number }>();
  // Includes the accounts, because a Page's photo account may change.
  const keyOf = ({ channelId, resourceId, linkedResourceId }: TokenChannel, objectId: string): string =>
    `${channelId}/${resourceId}/${linkedResourceId ?? ''}/${objectId}`;

  return {
    find(channel, objectId) {
      const key = keyOf(channel, objectId);
      const entry = known.get(key);
      if (!entry) return undefined;
      known.delete(key);
      if (entry.untilMs <= now()) return undefined;
      known.set(key, entry); // least recently used first
      return entry.kind;
    },
    remember(channel, objectId, kind) {
      const key = keyOf(channel, objectId);
      known.delete(key);
      known.set(key, { kind, untilMs: now() + (kind === 'foreign' ? FOREIGN_MS : OWNED_MS) });
      if (known.size <= MAX_KNOWN) return;
      const [oldest] = known.keys();
      if (oldest !== undefined) known.delete(oldest);
    },
  };
}
