import type { NoAccountCause, OnboardingFailure } from '../../../contract/channels/onboarding-failures.ts';
import type { MissingAccounts } from '../../../platform/oauth/accounts.ts';
import { failureUrlOf, type LeavingLink } from './leaving.ts';
import type { PageOwner } from './pages.ts';

interface ProblemParts {
  readonly title: string;
  readonly text: string;
  /** Optional. What to do, if there are several ways. */
  readonly advice?: readonly string[];
  readonly code?: string;
  readonly retryUrl?: string | undefined;
  readonly leaveUrl?: string | undefined;
  readonly exitUrl?: string | undefined;
  readonly owner?: PageOwner | undefined;
}

type FailedLink = LeavingLink & PageOwner;

/** The attempt that failed. */
export interface FailedAttempt {
  readonly link: FailedLink;
  readonly startUrl: string;
}

function ways({ link, startUrl }: FailedAttempt, reason: OnboardingFailure, detail?: NoAccountCause) {
  return { retryUrl: startUrl, leaveUrl: failureUrlOf(link, reason, detail), owner: link };
}

export class PageProblem extends Error {
  override readonly name = 'PageProblem';
  readonly status: number;
  readonly title: string;
  readonly advice: readonly string[];
  readonly code: string | undefined;
  readonly retryUrl: string | undefined;
  /** Where the owner of the link wants to see the customer instead. */
  readonly leaveUrl: string | undefined;
  /** As `leaveUrl`, but the page shows a link. */
  readonly exitUrl: string | undefined;
  readonly owner: PageOwner | undefined;

  constructor(status: number, { title, text, advice = [], code, retryUrl, leaveUrl, exitUrl, owner }: ProblemParts) {
    super(text);
    this.status = status;
    this.title = title;
    this.advice = advice;
    this.code = code;
    this.retryUrl = retryUrl;
    this.leaveUrl = leaveUrl;
    this.exitUrl = exitUrl;
    this.owner = owner;
  }
}

/** The same for unknown, revoked and replaced links. */
export const linkNotFound = (): PageProblem =>
  new PageProblem(404, {
    title: 'This link is not valid',
    text: 'It may have been revoked or replaced. Ask the person who sent it to you for a new one.',
  });

export const wrongBrowser = (): PageProblem =>
  new PageProblem(400, {
    title: 'Start again in this browser',
    text: 'This step was started in another browser, or cookies are blocked. Allow cookies and open the link that you received again.',
  });

export const stepAlreadyDone = ({ link, startUrl }: FailedAttempt): PageProblem =>
  new PageProblem(409, {
    title: 'This step is already done',
    text: 'Nothing else was connected. To connect another account, start again.',
    retryUrl: startUrl,
    owner: link,
  });

export const stepExpired = ({ link, startUrl }: FailedAttempt): PageProblem =>
  new PageProblem(410, {
    title: 'This step has expired',
    text: 'Nothing was connected. Start again and finish within 15 minutes.',
    retryUrl: startUrl,
    owner: link,
  });

export const refused = (failed: FailedAttempt): PageProblem =>
  new PageProblem(200, {
    title: 'You did not give permission',
    text: 'Nothing was connected. If this was a mistake, try again.',
    ...ways(failed, 'permission_refused'),
  });

export const noAccounts = (failed: FailedAttempt, missing: readonly MissingAccounts[]): PageProblem =>
  new PageProblem(422, {
    title: 'There is no account to connect',
    text: 'You gave permission, but the platform shows no account of the requested type. Nothing was connected.',
    advice: missing.map(({ cause, names }) => causeTexts[cause](names.join(', '))),
    ...ways(failed, 'no_account', missing[0]?.cause),
  });

const causeTexts: Readonly<Record<NoAccountCause, (names: string) => string>> = {
  permission_missing: (names) => `These permissions are missing: ${names}. Try again and leave all permissions on.`,
  business_permission_missing: () =>
    'If the account belongs to a business, try again and also allow managing that business. If the platform does not ask for this, tell the person who sent you the link.',
  role_missing: (names) =>
    `Your role on these Pages is not sufficient: ${names}. Ask an administrator of the Page for full control, then try again.`,
  photo_account_missing: (names) =>
    `These Pages have no photoapp account: ${names}. Link a professional photoapp account to your Page at the platform, then try again.`,
  number_missing: () => 'Your business account has no number. Add a number to it at the platform, then try again.',
  access_refused: () =>
    'The platform names accounts but does not show them to us. Try again and allow everything for the account. If this repeats, tell the person who sent you the link.',
  not_selected: () =>
    'You selected no account, or you do not manage one. Try again and select the account at the platform.',
};

export const alreadyConnected = (failed: FailedAttempt): PageProblem =>
  new PageProblem(409, {
    title: 'This account is already connected',
    text: 'Disconnect it where it is currently connected, then try again, or try again with another account.',
    code: 'CHANNEL_ALREADY_CONNECTED',
    ...ways(failed, 'already_connected'),
  });

export const platformRefused = (failed: FailedAttempt): PageProblem =>
  new PageProblem(502, {
    title: 'The platform did not accept the request',
    text: 'Nothing was connected. Your permission may have expired. Please try again.',
    ...ways(failed, 'platform_refused'),
  });

export const platformUnavailable = (failed: FailedAttempt): PageProblem =>
  new PageProblem(504, {
    title: 'The platform is not responding',
    text: 'Nothing was connected. Please try again in a few minutes.',
    ...ways(failed, 'platform_unavailable'),
  });

/** Only a customer who comes back from the platform is redirected: the URL of a link must not be an open redirect. */
type EndOfLink = 'leave' | 'stay';

const outUrls = (end: EndOfLink, url: string | undefined) => (end === 'leave' ? { leaveUrl: url } : { exitUrl: url });

export const linkExpired = (link: FailedLink, end: EndOfLink): PageProblem =>
  new PageProblem(410, {
    title: 'This link has expired',
    text: 'Nothing was connected. Ask the person who sent it to you for a new one.',
    ...outUrls(end, failureUrlOf(link, 'link_expired')),
    owner: link,
  });

export const linkUsed = (link: FailedLink, end: EndOfLink): PageProblem =>
  new PageProblem(410, {
    title: 'This link was already used',
    text: 'Nothing else was connected. Ask the person who sent it to you for a new one.',
    ...outUrls(end, failureUrlOf(link, 'link_used')),
    owner: link,
  });

/** The owner of the link has no place for another customer. */
export const limitReached = (failed: FailedAttempt): PageProblem =>
  new PageProblem(409, {
    title: 'This account cannot be connected at the moment',
    text: 'Nothing was connected, because no more customers can be added. Tell the person who sent you the link.',
    code: 'LIMIT_REACHED',
    ...ways(failed, 'limit_reached'),
  });
