import type { NoAccountCause, OnboardingFailure } from '../../../contract/channels/onboarding-failures.ts';
import type { OnboardingLink } from '../../../db/onboarding/link-record.ts';

/** The customer leaves only to URLs that the owner of the link stored, never to one of a request. */
export type LeavingLink = Pick<OnboardingLink, 'publicId' | 'successUrl' | 'failureUrl' | 'externalId'>;

/** Returns undefined if the customer stays on the page of this service. */
export function successUrlOf(link: LeavingLink, channelId: string): string | undefined {
  return withParameters(link, link.successUrl, { channelId });
}

/** @param detail the most likely cause, if the reason has several */
export function failureUrlOf(
  link: LeavingLink,
  reason: OnboardingFailure,
  detail?: NoAccountCause,
): string | undefined {
  return withParameters(link, link.failureUrl, { reason, ...(detail && { detail }) });
}

function withParameters(
  { publicId, externalId }: LeavingLink,
  base: string | null,
  parameters: Readonly<Record<string, string>>,
): string | undefined {
  if (base === null) return undefined;
  const url = new URL(base);
  const all = { ...parameters, onboardingLinkId: publicId, ...(externalId !== null && { externalId }) };
  for (const [name, value] of Object.entries(all)) url.searchParams.set(name, value);
  return url.href;
}
