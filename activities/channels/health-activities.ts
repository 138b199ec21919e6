import type { Knex } from 'knex';
import type { CheckHealthInput, HealthFailure, HealthPage } from '../../contract/channels/health.ts';
import { judgeHealth } from '../../contract/channels/judge-health.ts';
import { channelHealthWorkflowId } from '../../contract/ids.ts';
import type { SecretBox } from '../../db/core/secret-box.ts';
import { refuseCredential } from '../../db/channels/refused-credentials.ts';
import {
  type CheckedChannel,
  type CheckResult,
  claimDueHealth,
  findCheckedChannel,
  postponeDisconnected,
  releaseHealth,
  storeHealth,
} from '../../db/channels/health-checks.ts';
import type { OutboundLog } from '../../db/operations/outbound-calls.ts';
import { PlatformRejected, PlatformUnavailable } from '../../platform/client/errors.ts';
import { type RateLimit, rateLimitOf, refusalOf } from '../../platform/client/refusals.ts';
import type { PlatformHealth } from '../../platform/health/health.ts';
import { deadCredentialReason } from '../../platform/oauth/credentials.ts';
import type { Log } from '../../process/log.ts';
import { withHeartbeat } from '../with-heartbeat.ts';

export type HealthActivities = ReturnType<typeof createHealthActivities>;

export interface HealthSettings {
  /** Between checks of a channel. 0 disables the scheduled checks. */
  readonly intervalMs: number;
  readonly callsPerMinute: number;
}

export interface HealthActivityDeps {
  readonly db: Knex;
  readonly secretBox: SecretBox;
  readonly platformHealth: PlatformHealth;
  readonly outbound?: Pick<OutboundLog, 'record'>;
  readonly health: HealthSettings;
  readonly alertLimits: { readonly credentialEndsMs: number };
  readonly stopping: AbortSignal;
  readonly log: Log;
}

/** Bounds an activity: the calls for a channel take at most 30 s. */
const PAGE_SIZE = 10;
/** After this many channels in a row without an answer, the platform is down, and the next run continues. */
const MAX_UNANSWERED = 3;
/** Shares of the interval, so that channels that were connected together are not checked together for ever. */
const MIN_SHARE = 0.9;
const SHARE_SPREAD = 0.2;
const FIRST_BACKOFF_MS = 5 * 60_000;
const MAX_LIMITED_MS = 24 * 3_600_000;
const MINUTE_MS = 60_000;

interface Checked {
  readonly callCount: number;
  readonly failure: HealthFailure | null;
  /** Whether the whole app has to wait. */
  readonly isAppLimited: boolean;
}

export function createHealthActivities(deps: HealthActivityDeps) {
  const { db, secretBox, health, stopping, log } = deps;

  return {
    /** Safe to repeat: channels that were checked are no longer due, and claims of a lost worker expire. */
    async checkDueHealth(): Promise<HealthPage> {
      if (health.intervalMs === 0) return { checkedCount: 0, failedCount: 0, isDone: true, waitMs: 0 };
      await postponeDisconnected(db);
      return await withHeartbeat(checkPage);
    },

    async checkChannelHealth({ channelId }: CheckHealthInput): Promise<'checked' | 'failed' | 'not_connected'> {
      const channel = await findCheckedChannel(db, secretBox, channelId);
      if (!channel) return 'not_connected';
      const { failure } = await withHeartbeat((signal) => check(channel, signal));
      return failure === null ? 'checked' : 'failed';
    },
  };

  async function checkPage(signal: AbortSignal): Promise<HealthPage> {
    const beganMs = performance.now();
    const due = await claimDueHealth(db, secretBox, PAGE_SIZE);
    const progress = { checkedCount: 0, failedCount: 0, callCount: 0, unanswered: 0, isAppLimited: false };
    const isOver = (): boolean =>
      stopping.aborted || signal.aborted || progress.isAppLimited || progress.unanswered === MAX_UNANSWERED;
    for (const channel of due) {
      if (isOver()) break;
      const { callCount, failure, isAppLimited } = await check(channel, signal);
      progress.checkedCount += 1;
      progress.callCount += callCount;
      progress.failedCount += failure === null ? 0 : 1;
      progress.unanswered = failure === 'platform_unavailable' ? progress.unanswered + 1 : 0;
      progress.isAppLimited = isAppLimited;
    }
    const { checkedCount, failedCount, callCount } = progress;
    await release(due.slice(checkedCount), isOver() && !stopping.aborted ? FIRST_BACKOFF_MS : 0);
    const paceMs = (callCount * MINUTE_MS) / health.callsPerMinute - (performance.now() - beganMs);
    const isDone = due.length < PAGE_SIZE || isOver();
    return { checkedCount, failedCount, isDone, waitMs: Math.max(0, Math.ceil(paceMs)) };
  }

  async function release(left: readonly CheckedChannel[], afterMs: number): Promise<void> {
    if (left.length > 0) await releaseHealth(db, { channelIds: left.map(({ id }) => id), afterMs });
  }

  /** One channel's failure never affects another. */
  async function check(channel: CheckedChannel, signal: AbortSignal): Promise<Checked> {
    const startedAt = new Date();
    const calls = { count: 0 };
    try {
      const result = await read(channel, { signal, calls });
      // What only one reading says is read again soon.
      const nextCheckMs = result.outcome === 'failed' ? backoffMs(channel.failedCount) : nextIntervalMs();
      await store(channel, { startedAt, nextCheckMs, result });
      return { callCount: calls.count, failure: null, isAppLimited: false };
    } catch (error) {
      const limit = rateLimitOf(error);
      const failure = failureOf(error, limit);
      const nextCheckMs = limit ? limitedMs(limit) : backoffMs(channel.failedCount);
      await store(channel, { startedAt, nextCheckMs, result: { outcome: 'failed', failure } });
      log.warn('channelHealth.checkFailed', { channelId: channel.publicId, failure, error });
      return { callCount: calls.count, failure, isAppLimited: limit?.of === 'app' };
    }
  }

  /** Nothing is decided by one reading alone: a refused credential and a missing account are read again. */
  async function read(
    channel: CheckedChannel,
    { signal, calls }: { readonly signal: AbortSignal; readonly calls: { count: number } },
  ): Promise<CheckResult> {
    const { id: channelId, publicId, workspaceId, type, resourceId, businessAccountId } = channel;
    const token = tokenOf(channel);
    const ids = { workspaceId, channelId, caller: channelHealthWorkflowId(publicId), requestId: publicId };
    const answer = await deps.platformHealth.read({
      type,
      resourceId,
      token,
      businessAccountId,
      signal,
      onCall: (report) => {
        calls.count += 1;
        deps.outbound?.record({ ...report, ...ids, via: 'workflow', operation: 'checkHealth' });
      },
    });
    if (answer.outcome === 'not_found') {
      return channel.failure === 'account_hidden' ? answer : { outcome: 'failed', failure: 'account_hidden' };
    }
    if (answer.outcome === 'dead') {
      const reason = deadCredentialReason(answer);
      await refuseCredential(db, { of: { channelId }, reason, refused: { secretBox, token } });
      const { code, subcode } = answer;
      log.warn('channelCredential.refused', { channelId: publicId, code, subcode });
      return { outcome: 'failed', failure: 'credential_refused' };
    }
    const limits = { now: new Date(), credentialEndsMs: deps.alertLimits.credentialEndsMs };
    return { ...answer, reasons: judgeHealth(answer.reading, limits) };
  }

  async function store(
    channel: CheckedChannel,
    ended: Omit<Parameters<typeof storeHealth>[1], 'channel'>,
  ): Promise<void> {
    const isStored = await storeHealth(db, { channel, ...ended });
    const { outcome } = ended.result;
    log.info('channelHealth.checked', { channelId: channel.publicId, outcome, isStored });
  }

  /** Without scheduled checks, a stored time has no effect until they are enabled. */
  function nextIntervalMs(): number {
    return Math.round(health.intervalMs * (MIN_SHARE + SHARE_SPREAD * Math.random()));
  }

  function backoffMs(failedCount: number): number {
    return Math.min(nextIntervalMs(), FIRST_BACKOFF_MS * 2 ** Math.min(failedCount, 16));
  }

  function limitedMs({ retryAfterSeconds }: RateLimit): number {
    return Math.min(MAX_LIMITED_MS, Math.max(nextIntervalMs(), (retryAfterSeconds ?? 0) * 1000));
  }
}

/** No key opens the stored token. */
class CredentialUnreadable extends Error {
  override readonly name = 'CredentialUnreadable';
}

function tokenOf({ openToken }: CheckedChannel): string {
  try {
    return openToken();
  } catch (cause) {
    throw new CredentialUnreadable('The credential can not be opened', { cause });
  }
}

function failureOf(error: unknown, limit: RateLimit | undefined): HealthFailure {
  if (limit) return 'platform_limited';
  if (error instanceof PlatformUnavailable) return 'platform_unavailable';
  if (error instanceof PlatformRejected) {
    return refusalOf('read', error).code === 'PLATFORM_UNAVAILABLE' ? 'platform_unavailable' : 'platform_refused';
  }
  if (error instanceof CredentialUnreadable) return 'credential_unreadable';
  throw error;
}
