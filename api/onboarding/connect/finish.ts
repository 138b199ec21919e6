import type { ChannelType } from '../../../contract/event-types.ts';
import { findChannelRecord } from '../../../db/channels/records.ts';
import { listRolloutsOfChannel } from '../../../db/webhooks/rollout-runs.ts';
import { findAttempt, moveAttempt } from '../../../db/onboarding/attempts.ts';
import { lockLiveLink } from '../../../db/onboarding/links.ts';
import {
  connectChannel,
  type ConnectedAccount,
  type ConnectRequest,
  refuseEarly,
} from '../../../db/onboarding/connect-channel.ts';
import type { PlatformAccount } from '../../../platform/oauth/accounts.ts';
import { PlatformRejected, PlatformUnavailable } from '../../../platform/client/errors.ts';
import { connectionTypes } from '../../../platform/client/oauth-vocabulary.ts';
import { checkInBackground } from '../../channels/background-check.ts';
import { startRollouts } from '../../webhooks/default-webhook-routes.ts';
import { doneUrl, type OpenAttempt, recordConnectCalls } from './attempt.ts';
import { requireBrowser } from './browser.ts';
import type { ApiDeps } from '../../requests/deps.ts';
import {
  alreadyConnected,
  limitReached,
  linkExpired,
  linkNotFound,
  linkUsed,
  platformRefused,
  platformUnavailable,
  stepAlreadyDone,
} from './problem.ts';
import { type PageContext, sendOn } from './serve.ts';

/** Limits how long a customer waits for one call. */
const PLATFORM_DEADLINE_MS = 25_000;

/** On failure, marks the attempt as failed and throws a page. */
export async function askPlatform<Answer>(
  { db, log }: ApiDeps,
  { attempt, link, startUrl }: OpenAttempt,
  ask: (signal: AbortSignal) => Promise<Answer>,
): Promise<Answer> {
  try {
    return await ask(AbortSignal.timeout(PLATFORM_DEADLINE_MS));
  } catch (error) {
    await moveAttempt(db, attempt.id, { from: 'granted', to: 'failed' });
    if (error instanceof PlatformRejected) {
      const { status, code, subcode } = error;
      log.warn('onboarding.rejected', { linkId: link.publicId, status, code, subcode });
      throw platformRefused({ link, startUrl });
    }
    if (!(error instanceof PlatformUnavailable)) throw error;
    log.warn('platform.callFailed', { linkId: link.publicId, error });
    throw platformUnavailable({ link, startUrl });
  }
}

export async function finish(
  ctx: PageContext,
  deps: ApiDeps,
  { account, ...open }: OpenAttempt & { readonly account: PlatformAccount },
): Promise<void> {
  const { attempt, link, state } = open;
  const { requestId } = ctx.state;
  const request: ConnectRequest = {
    linkId: link.id,
    attemptId: attempt.id,
    account: connectedAccount(account, link.channelType),
    connectionType: connectionTypes[link.channelType],
    requestId,
    clientAddress: ctx.ip,
  };
  const refusal = await refuseEarly(deps.db, request);
  // Subscribes before the channel exists, because a channel without events would be useless. Repeating it is harmless.
  if (!refusal) await subscribe(deps, open, { account, requestId });
  const result = refusal ?? (await connectChannel(deps.db, deps.secretBox, request));
  switch (result.outcome) {
    case 'taken':
      throw alreadyConnected(open);
    case 'expired':
      throw linkExpired(link, 'leave');
    case 'used_up':
      throw linkUsed(link, 'leave');
    case 'limit_reached':
      throw limitReached(open);
    case 'ended':
      return await handleEndedAttempt(ctx, deps, open);
    case 'connected':
    case 'reconnected': {
      const { outcome, channelPublicId: channelId } = result;
      deps.log.info('onboarding.ended', { linkId: link.publicId, channelId, outcome });
      await startRollouts(deps, await listRolloutsOfChannel(deps.db, channelId));
      void startHealthCheck(deps, channelId);
      sendOn(ctx, doneUrl(deps, state));
    }
  }
}

function connectedAccount(account: PlatformAccount, type: ChannelType): ConnectedAccount {
  const { expiresAtMs, subscriptionId } = account;
  return {
    ...account,
    expiresAt: expiresAtMs === null ? null : new Date(expiresAtMs),
    businessAccountId: type === 'chatapp' ? subscriptionId : null,
  };
}

async function subscribe(
  deps: ApiDeps,
  open: OpenAttempt,
  { account, requestId }: { readonly account: PlatformAccount; readonly requestId: string },
): Promise<void> {
  const onCall = recordConnectCalls(deps, open, { operation: 'subscribeAccount', requestId });
  const subscription = { type: open.link.channelType, account, onCall };
  const subscribe = (signal: AbortSignal) => deps.platformOAuth.subscribe({ ...subscription, signal });
  const refused = await askPlatform(deps, open, subscribe);
  if (refused.length > 0) deps.log.warn('onboarding.fieldsRefused', { linkId: open.link.publicId, fields: refused });
}

/** A check that does not start is done by the schedule, because the channel is due. */
export async function startHealthCheck(deps: ApiDeps, channelId: string): Promise<void> {
  const { db, log } = deps;
  try {
    const channel = await findChannelRecord(db, { publicId: channelId });
    if (!channel) return;
    const { organizationId, workspacePublicId: workspaceId } = channel;
    await checkInBackground(deps, { organizationId, channelId, workspaceId });
  } catch (error) {
    log.warn('channelHealth.startFailed', { channelId, error });
  }
}

/** Handles a second click, or a link that was revoked during the attempt. */
async function handleEndedAttempt(
  ctx: PageContext,
  deps: ApiDeps,
  { link, state, startUrl }: OpenAttempt,
): Promise<void> {
  const { db, tokenSalt } = deps;
  const attempt = await findAttempt(db, { tokenSalt, state, browser: requireBrowser(ctx, deps) });
  if (attempt?.status === 'connected') return sendOn(ctx, doneUrl(deps, state));
  throw (await lockLiveLink(db, link.id)) ? stepAlreadyDone({ link, startUrl }) : linkNotFound();
}
