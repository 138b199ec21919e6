import type { ChannelType } from '../../../contract/event-types.ts';
import type { OnboardingResult } from '../../../db/onboarding/find-onboarding-result.ts';
import { html, type Markup } from './html.ts';

/** What an account of each type is called in front of a customer. */
const accountWords: Readonly<Record<ChannelType, string>> = {
  chatapp: 'chatapp number',
  photoapp: 'photoapp account',
  pageapp: 'pageapp Page',
};

export interface StartPage {
  readonly organizationName: string;
  readonly label: string;
  readonly type: ChannelType;
  /** Where the platform asks for consent. */
  readonly platformHost: string;
  readonly beginUrl: string;
  readonly proof: string;
}

/** Says who asks for what, before anything happens. */
export function startPage({ organizationName, label, type, platformHost, beginUrl, proof }: StartPage): Page {
  const account = accountWords[type];
  return {
    title: `Connect your ${account}`,
    body: html`<p>${organizationName} asks you to connect your ${account}.</p>
      <dl>
        <dt>Asked by</dt>
        <dd>${organizationName}</dd>
        <dt>For</dt>
        <dd>${label}</dd>
        <dt>What will be connected</dt>
        <dd>One ${account} that you choose</dd>
      </dl>
      <p>
        ${organizationName} will receive its messages and events, and can answer in its name. You give your permission
        at ${platformHost}, and can refuse there.
      </p>
      <form method="post" action="${beginUrl}">
        <input type="hidden" name="proof" value="${proof}" />
        <button type="submit">Continue to ${platformHost}</button>
      </form>`,
  };
}

export interface ChoicePage {
  readonly organizationName: string;
  readonly type: ChannelType;
  readonly accounts: readonly { readonly resourceId: string; readonly name: string }[];
  readonly chooseUrl: string;
  readonly state: string;
  readonly proof: string;
}

export function choicePage({ organizationName, type, accounts, chooseUrl, state, proof }: ChoicePage): Page {
  const account = accountWords[type];
  const choices = accounts.map(
    ({ resourceId, name }) =>
      html`<label
        ><input type="radio" name="account" value="${resourceId}" required /> ${name}
        <span class="quiet">(${resourceId})</span></label
      > `,
  );
  return {
    title: `Choose a ${account}`,
    body: html`<p>
        You have given permission for several accounts. ${organizationName} gets the one that you choose here.
      </p>
      <form method="post" action="${chooseUrl}">
        <input type="hidden" name="state" value="${state}" />
        <input type="hidden" name="proof" value="${proof}" />
        <fieldset>
          <legend>Which ${account}?</legend>
          ${choices}
        </fieldset>
        <button type="submit">Connect</button>
      </form>`,
  };
}

export function donePage({ displayName, type, organizationName, again }: OnboardingResult, startUrl?: string): Page {
  return {
    title: again ? 'Connected again' : 'Connected',
    body: html`<p>
        The ${accountWords[type]} <strong>${displayName}</strong> is ${again && 'again '}connected to
        ${organizationName}. You can close this page.
      </p>
      ${startUrl !== undefined && html`<p><a href="${startUrl}">Connect another account</a></p>`}`,
  };
}

export interface ProblemPage {
  readonly title: string;
  readonly text: string;
  readonly code?: string | undefined;
  readonly requestId: string;
  readonly retryUrl?: string | undefined;
}

export function problemPage({ title, text, code, requestId, retryUrl }: ProblemPage): Page {
  return {
    title,
    body: html`<p>${text}</p>
      ${retryUrl !== undefined && html`<p><a class="button" href="${retryUrl}">Try again</a></p>`}
      <p class="quiet">${code !== undefined && `Code ${code} · `}Request ${requestId}</p>`,
  };
}

export interface Page {
  readonly title: string;
  readonly body: Markup;
}

/** The whole document around a page. */
export function documentOf({ title, body }: Page, styleUrl: string): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${title}</title>
        <link rel="stylesheet" href="${styleUrl}" />
      </head>
      <body>
        <main>
          <h1>${title}</h1>
          ${body}
        </main>
      </body>
    </html> `.markup;
}
