import { findChannelAccount } from '../../../db/channels/account.ts';
import { markRegistered } from '../../../db/channels/registration.ts';
import { findOnboardingResult, type OnboardingResult } from '../../../db/onboarding/find-onboarding-result.ts';
import { auditOnboarding } from '../../../db/onboarding/refuse-attempt.ts';
import { PlatformRejected, PlatformUnavailable } from '../../../platform/client/errors.ts';
import { type RegistrationProblem, registrationProblemOf } from '../../../platform/client/number-registration.ts';
import { registerNumber } from '../../../platform/operations/chatapp-content.ts';
import { doneUrl, openAttempt, type OpenAttempt, recordConnectCalls } from './attempt.ts';
import { formProof, readForm, requireBrowser, requireOwnForm } from './browser.ts';
import type { ApiDeps } from '../../requests/deps.ts';
import { startHealthCheck } from './finish.ts';
import { successUrlOf } from './leaving.ts';
import { donePage, registrationPage } from './pages.ts';
import { stepAlreadyDone } from './problem.ts';
import { type PageContext, sendOn, showPage } from './serve.ts';

const PIN = /^\d{6}$/;
const CALL_DEADLINE_MS = 25_000;

/** A number that receives nothing is offered for registration before the customer leaves. */
export async function showDone(ctx: PageContext, deps: ApiDeps): Promise<void> {
  const open = await openAttempt(ctx, deps, ctx.query.state);
  const result = await resultOf(deps, open);
  if (result.isUnregistered && !open.attempt.isExpired && ctx.query.later === undefined) {
    return offerRegistration(ctx, deps, { ...open, result });
  }
  const { link, startUrl } = open;
  const leaveUrl = successUrlOf(link, result.channelPublicId);
  if (leaveUrl !== undefined) return sendOn(ctx, leaveUrl);
  const again = link.isExpired || link.isUsedUp ? undefined : startUrl;
  showPage(ctx, deps, {
    ...donePage({ ...result, organizationName: link.organizationName, brand: link.brand }, again),
    link,
  });
}

type Connected = OpenAttempt & { readonly result: OnboardingResult };

async function resultOf(deps: ApiDeps, { attempt, link, startUrl }: OpenAttempt): Promise<OnboardingResult> {
  const result = await findOnboardingResult(deps.db, attempt.id);
  if (!result) throw stepAlreadyDone({ link, startUrl });
  return result;
}

function offerRegistration(
  ctx: PageContext,
  deps: ApiDeps,
  { link, state, result, problem }: Connected & { readonly problem?: string },
): void {
  const page = registrationPage({
    organizationName: link.organizationName,
    brand: link.brand,
    displayName: result.displayName,
    problem,
    state,
    proof: formProof(deps, requireBrowser(ctx, deps)),
    registerUrl: `${deps.baseUrl}/connect/register`,
    laterUrl: `${doneUrl(deps, state)}&later=1`,
  });
  if (problem !== undefined) ctx.status = 422;
  showPage(ctx, deps, { ...page, link });
}

/** `POST /connect/register`: the platform keeps the PIN, the service does not. */
export async function register(ctx: PageContext, deps: ApiDeps): Promise<void> {
  const form = await readForm(ctx, deps);
  requireOwnForm(ctx, deps, form.get('proof'));
  const open = await openAttempt(ctx, deps, form.get('state'));
  const result = await resultOf(deps, open);
  const pin = form.get('pin')?.trim() ?? '';
  if (!result.isUnregistered || open.attempt.isExpired) return sendOn(ctx, doneUrl(deps, open.state));
  const problem = PIN.test(pin)
    ? await registerAtPlatform(ctx, deps, { ...open, result, pin })
    : 'Enter the PIN as six digits.';
  if (problem !== undefined) return offerRegistration(ctx, deps, { ...open, result, problem });
  sendOn(ctx, doneUrl(deps, open.state));
}

/** Returns what went wrong, for the customer. */
async function registerAtPlatform(
  ctx: PageContext,
  deps: ApiDeps,
  { result, pin, ...open }: Connected & { readonly pin: string },
): Promise<string | undefined> {
  const { requestId } = ctx.state;
  const { link } = open;
  const { channelId, channelPublicId, workspaceId } = result;
  const account = await findChannelAccount(deps.db, deps.secretBox, { id: channelId });
  if (!account) return problemTexts.unknown;
  const onCall = recordConnectCalls(deps, open, { operation: 'registerNumber', requestId });
  const signal = AbortSignal.timeout(CALL_DEADLINE_MS);
  try {
    await registerNumber(deps.platform.actFor({ ...account, type: link.channelType, onCall, signal }), pin);
  } catch (error) {
    if (!(error instanceof PlatformRejected || error instanceof PlatformUnavailable)) throw error;
    deps.log.warn('onboarding.registerFailed', { linkId: link.publicId, channelId: channelPublicId, error });
    if (error instanceof PlatformUnavailable) return problemTexts.unavailable;
    return problemTexts[registrationProblemOf(error) ?? 'unknown'];
  }
  const request = { requestId, clientAddress: ctx.ip };
  await deps.db.transaction(async (trx) => {
    await markRegistered(trx, channelId);
    const act = { action: 'channel.registered', targetId: channelPublicId, workspaceId, reason: null };
    await auditOnboarding(trx, { link, request, ...act });
  });
  deps.log.info('onboarding.registered', { linkId: link.publicId, channelId: channelPublicId });
  void startHealthCheck(deps, channelPublicId);
  return undefined;
}

const problemTexts: Readonly<Record<RegistrationProblem | 'unavailable' | 'unknown', string>> = {
  wrong_pin: "This PIN is wrong. Enter the PIN of the number's two-step verification, or reset it at the platform.",
  not_verified: 'The number is not verified. Verify it with a code at the platform, then register it here.',
  too_many_tries: 'The platform has seen too many tries. Wait some hours, then register the number.',
  too_early: 'The number was removed from another account a short time ago. Try again in five minutes.',
  unavailable: 'The platform is not responding. Try again in a few minutes.',
  unknown: 'The platform did not register the number. Try again later, or tell the person who sent you the link.',
};
