import { storeChoice, moveAttempt } from '../../../db/onboarding/attempts.ts';
import { refuseAttempt } from '../../../db/onboarding/refuse-attempt.ts';
import type { FoundAccounts } from '../../../platform/oauth/accounts.ts';
import { callbackUrl, choiceUrl, openAttempt, type OpenAttempt, recordConnectCalls } from './attempt.ts';
import type { ApiDeps } from '../../requests/deps.ts';
import { askPlatform, finish } from './finish.ts';
import {
  linkExpired,
  linkUsed,
  noAccounts,
  platformRefused,
  refused,
  stepExpired,
  stepAlreadyDone,
  wrongBrowser,
} from './problem.ts';
import { type PageContext, sendOn } from './serve.ts';

const MAX_CODE_LENGTH = 4096;

/** `GET /connect/callback`: uses up the state before it redeems the code, so that neither works twice. */
export async function callback(ctx: PageContext, deps: ApiDeps): Promise<void> {
  const { state, code, error } = ctx.query;
  const open = await openAttempt(ctx, deps, state);
  const { attempt, link, startUrl } = open;
  if (attempt.status !== 'begun') throw stepAlreadyDone({ link, startUrl });
  if (attempt.isExpired) throw stepExpired({ link, startUrl });
  if (error !== undefined) return await refuse(ctx, deps, { ...open, error });
  if (link.isExpired || link.isUsedUp) return await refuseAtEnd(deps, open);
  if (typeof code !== 'string' || code === '' || code.length > MAX_CODE_LENGTH) throw wrongBrowser();
  if (!(await moveAttempt(deps.db, attempt.id, { from: 'begun', to: 'granted' })))
    throw stepAlreadyDone({ link, startUrl });
  const found = await redeem(deps, open, { code, requestId: ctx.state.requestId });
  await useAccounts(ctx, deps, { ...open, ...found });
}

async function refuse(
  ctx: PageContext,
  deps: ApiDeps,
  { attempt, link, startUrl, error }: OpenAttempt & { readonly error: string | string[] },
): Promise<void> {
  const { requestId } = ctx.state;
  if (error !== 'access_denied') {
    if (!(await moveAttempt(deps.db, attempt.id, { from: 'begun', to: 'failed' })))
      throw stepAlreadyDone({ link, startUrl });
    deps.log.warn('onboarding.rejected', { linkId: link.publicId, requestId });
    throw platformRefused({ link, startUrl });
  }
  const request = { requestId, clientAddress: ctx.ip };
  if (!(await refuseAttempt(deps.db, { attemptId: attempt.id, link, request })))
    throw stepAlreadyDone({ link, startUrl });
  deps.log.info('onboarding.refused', { linkId: link.publicId, requestId });
  throw refused({ link, startUrl });
}

/** Before the code is redeemed, so that the platform gives out no token in vain. */
async function refuseAtEnd({ db }: ApiDeps, { attempt, link, startUrl }: OpenAttempt): Promise<never> {
  if (!(await moveAttempt(db, attempt.id, { from: 'begun', to: 'failed' }))) throw stepAlreadyDone({ link, startUrl });
  throw link.isExpired ? linkExpired(link, 'leave') : linkUsed(link, 'leave');
}

async function redeem(
  deps: ApiDeps,
  open: OpenAttempt,
  { code, requestId }: { readonly code: string; readonly requestId: string },
): Promise<FoundAccounts> {
  const onCall = recordConnectCalls(deps, open, { operation: 'redeemConsent', requestId });
  const grant = { type: open.link.channelType, code, redirectUri: callbackUrl(deps), onCall };
  return await askPlatform(deps, open, (signal) => deps.platformOAuth.redeem({ ...grant, signal }));
}

async function useAccounts(
  ctx: PageContext,
  deps: ApiDeps,
  { accounts, missing, ...open }: OpenAttempt & FoundAccounts,
): Promise<void> {
  const { attempt, link, state, startUrl } = open;
  const [account] = accounts;
  if (!account) {
    await moveAttempt(deps.db, attempt.id, { from: 'granted', to: 'failed' });
    const causes = missing.map(({ cause }) => cause);
    deps.log.info('onboarding.ended', { linkId: link.publicId, outcome: 'no_account', causes });
    throw noAccounts(open, missing);
  }
  if (accounts.length === 1) return await finish(ctx, deps, { ...open, account });
  const isStored = await storeChoice(deps.db, deps.secretBox, { id: attempt.id, choice: JSON.stringify(accounts) });
  if (!isStored) throw stepAlreadyDone({ link, startUrl });
  sendOn(ctx, choiceUrl(deps, state));
}
