import { DEFAULT_OVERLAP_SECONDS } from '../../contract/channels/token.ts';
import type { ErrorCode } from '../../contract/errors.ts';
import { MAX_ROTATIONS, type RevealedRotationBody } from '../../openapi/reveals/routes.ts';
import { type AuditContext, recordAudit } from '../../db/audit/record-audit.ts';
import { endToken, lockConnected } from '../../db/channels/tokens.ts';
import { type ChannelRecord, findChannelRecord } from '../../db/channels/records.ts';
import { listRevealedSecrets, type Readers, type RevealedSecret } from '../../db/reveals/list-reveals.ts';
import { rotateUnusedVerifyToken } from '../../db/webhooks/configs.ts';
import type { ApiDeps } from '../requests/deps.ts';
import { HttpError } from '../requests/errors.ts';
import { rotateChannelToken } from '../channels/rotate-channel-token.ts';
import { rotateHmac } from '../webhooks/routes.ts';

export interface RevealedRotation {
  readonly readers: Readers;
  readonly overlapSeconds?: number | undefined;
  readonly channels?: readonly string[] | undefined;
  readonly audit: Pick<AuditContext, 'actor' | 'requestId' | 'clientAddress'>;
  readonly mayRotate: (channel: ChannelRecord) => Promise<boolean>;
}

interface Rotations {
  readonly rotations: RevealedRotationBody[];
  readonly remaining: number;
}

type Outcome = Pick<RevealedRotationBody, 'status'> & { readonly endsAt?: Date | null; readonly code?: ErrorCode };

/** Rotates the secrets that are still current. A failure does not stop the others. */
export async function rotateRevealed(deps: ApiDeps, request: RevealedRotation): Promise<Rotations> {
  const secrets = await listRevealedSecrets(deps.db, request);
  // Those of a webhook change only when it is saved, and must not use up the limit.
  const verifyTokens = secrets.filter(({ kind }) => kind === 'verify_token');
  const others = secrets.filter(({ kind }) => kind !== 'verify_token');
  const rotations: RevealedRotationBody[] = [];
  let isTemporalAway = false;
  for (const secret of others.slice(0, MAX_ROTATIONS)) {
    if (!(await isStillCurrent(deps, { request, secret }))) continue;
    const needsWorkflow = secret.kind === 'token' && secret.holderKeyId === null;
    // One wait for Temporal is enough.
    const outcome: Outcome =
      needsWorkflow && isTemporalAway ? failed('WORKFLOW_UNAVAILABLE') : await outcomeOf(deps, { request, secret });
    isTemporalAway ||= outcome.code === 'WORKFLOW_UNAVAILABLE';
    rotations.push(present(secret, outcome));
  }
  for (const secret of verifyTokens)
    rotations.push(present(secret, await verifyTokenOutcome(deps, { request, secret })));
  return { rotations, remaining: Math.max(0, others.length - MAX_ROTATIONS) };
}

interface OneRotation {
  readonly request: RevealedRotation;
  readonly secret: RevealedSecret;
}

/** A concurrent rotation may have succeeded; another would end its overlap. */
async function isStillCurrent({ db }: ApiDeps, { request, secret }: OneRotation): Promise<boolean> {
  const channels = [secret.channelPublicId];
  const current = await listRevealedSecrets(db, { readers: request.readers, channels });
  return current.some(({ kind, number }) => kind === secret.kind && number === secret.number);
}

async function outcomeOf(deps: ApiDeps, one: OneRotation): Promise<Outcome> {
  const { request, secret } = one;
  try {
    const channel = await findChannelRecord(deps.db, { publicId: secret.channelPublicId });
    if (!channel) return failed('CHANNEL_NOT_FOUND');
    if (secret.holderKeyId !== null) return await endHeldToken(deps, { ...one, channel });
    if (!(await request.mayRotate(channel))) return failed('FORBIDDEN');
    return { status: 'rotated', endsAt: await rotate(deps, { ...one, channel }) };
  } catch (error) {
    if (error instanceof HttpError) return failed(error.code);
    throw error;
  }
}

/** The receiver of a webhook answers with its token, so that another one needs a save. */
async function verifyTokenOutcome({ db, secretBox }: ApiDeps, { request, secret }: OneRotation): Promise<Outcome> {
  const channel = await findChannelRecord(db, { publicId: secret.channelPublicId });
  if (!channel) return failed('CHANNEL_NOT_FOUND');
  if (channel.webhookUrl !== null || !(await request.mayRotate(channel))) return { status: 'needs_save' };
  const isRotated = await rotateUnusedVerifyToken(db, secretBox, {
    channelId: channel.id,
    channelPublicId: channel.publicId,
    version: secret.number,
    audit: contextOf(request, channel),
  });
  return { status: isRotated ? 'rotated' : 'needs_save' };
}

type OnChannel = OneRotation & { readonly channel: ChannelRecord };

/** Concurrent calls must rotate a secret once: a second rotation would end the first one's overlap. */
async function rotate(deps: ApiDeps, { request, secret, channel }: OnChannel): Promise<Date | null> {
  const { overlapSeconds = DEFAULT_OVERLAP_SECONDS } = request;
  const requestedBy = contextOf(request, channel);
  const idempotencyKey = `revealed:${secret.kind}:${secret.number}`;
  const rotation = { channel, overlapSeconds, idempotencyKey, requestedBy };
  const { previousExpiresAt } =
    secret.kind === 'token'
      ? await rotateChannelToken(deps, { ...rotation, holderKeyId: null })
      : await rotateHmac(deps, rotation);
  return previousExpiresAt;
}

/** An active agent gets a new token on its next request. */
async function endHeldToken({ db }: ApiDeps, { request, secret, channel }: OnChannel): Promise<Outcome> {
  const { overlapSeconds = DEFAULT_OVERLAP_SECONDS } = request;
  return await db.transaction(async (trx) => {
    await lockConnected(trx, channel.id);
    const endsAt = await endToken(trx, { id: secret.number, overlapSeconds });
    const audit = contextOf(request, channel);
    await recordAudit(trx, { ...audit, action: 'channelToken.ended', targetId: channel.publicId });
    return { status: 'ended', endsAt };
  });
}

function contextOf({ audit }: RevealedRotation, { organizationId, workspaceId }: ChannelRecord): AuditContext {
  return { ...audit, organizationId, workspaceId };
}

function failed(code: ErrorCode): Outcome {
  return { status: 'failed', code };
}

function present({ channelPublicId, kind }: RevealedSecret, { status, endsAt, code }: Outcome): RevealedRotationBody {
  return { channelId: channelPublicId, kind, status, endsAt: endsAt?.toISOString() ?? null, code: code ?? null };
}
