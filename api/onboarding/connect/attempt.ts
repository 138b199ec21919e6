import { findAttempt, type OnboardingAttempt } from '../../../db/onboarding/attempts.ts';
import type { OnboardingLink } from '../../../db/onboarding/link-record.ts';
import { linkToken, lockLiveLink } from '../../../db/onboarding/links.ts';
import { isOpaqueToken } from '../../../db/core/opaque-tokens.ts';
import type { ApiContext } from '../../requests/state.ts';
import { requireBrowser } from './browser.ts';
import type { ApiDeps } from '../../requests/deps.ts';
import { linkNotFound, wrongBrowser } from './problem.ts';
import type { OnCall } from '../../../platform/client/call-report.ts';

export interface OpenAttempt {
  readonly attempt: OnboardingAttempt;
  readonly link: OnboardingLink;
  readonly state: string;
  readonly startUrl: string;
}

/** Another browser's state counts as unknown. */
export async function openAttempt(ctx: ApiContext, deps: ApiDeps, state: unknown): Promise<OpenAttempt> {
  const { db, tokenSalt } = deps;
  const browser = requireBrowser(ctx, deps);
  if (!isOpaqueToken(state)) throw wrongBrowser();
  const key = { tokenSalt, state, browser };
  const known = await findAttempt(db, key);
  if (!known) throw wrongBrowser();
  const link = await lockLiveLink(db, known.linkId);
  if (!link) throw linkNotFound();
  // Checked again under the lock: the holder of a replaced URL must not learn the new one.
  const attempt = await findAttempt(db, key);
  if (!attempt) throw wrongBrowser();
  return { attempt, link, state, startUrl: startUrlOf(deps, link) };
}

export function startUrlOf({ baseUrl, secretBox }: ApiDeps, link: OnboardingLink): string {
  return `${baseUrl}/connect/${linkToken(secretBox, link)}`;
}

export const callbackUrl = ({ baseUrl }: ApiDeps): string => `${baseUrl}/connect/callback`;
/** The request log omits the query with the state. */
export const choiceUrl = ({ baseUrl }: ApiDeps, state: string): string => `${baseUrl}/connect/choose?state=${state}`;
export const doneUrl = ({ baseUrl }: ApiDeps, state: string): string => `${baseUrl}/connect/done?state=${state}`;

type ConnectOperation = 'redeemConsent' | 'subscribeAccount' | 'registerNumber';

/** Recorded under the link, because the channel does not exist yet. */
export function recordConnectCalls(
  { outbound }: Pick<ApiDeps, 'outbound'>,
  { link }: Pick<OpenAttempt, 'link'>,
  { operation, requestId }: { readonly operation: ConnectOperation; readonly requestId: string },
): OnCall {
  const caller = link.publicId;
  const { workspaceId } = link;
  return (report) =>
    outbound.record({ ...report, channelId: null, workspaceId, via: 'api', caller, operation, requestId });
}
