import type { ChannelType } from '../../../contract/event-types.ts';
import type { OnboardingResult } from '../../../db/onboarding/find-onboarding-result.ts';
import { html, type Markup } from './html.ts';

const accountLabels: Readonly<Record<ChannelType, string>> = {
  chatapp: 'chatapp number',
  photoapp: 'photoapp account',
  pageapp: 'pageapp Page',
};

export interface StartPage {
  readonly organizationName: string;
  readonly label: string;
  readonly type: ChannelType;
  readonly platformHost: string;
  readonly beginUrl: string;
  readonly proof: string;
}

export function startPage({ organizationName, label, type, platformHost, beginUrl, proof }: StartPage): Page {
  const account = accountLabels[type];
  return {
    title: `Connect your ${account}`,
    body: html`<p>${organizationName} asks you to connect your ${account}.</p>
      <dl>
        <dt>Requested by</dt>
        <dd>${organizationName}</dd>
        <dt>Purpose</dt>
        <dd>${label}</dd>
        <dt>Access to</dt>
        <dd>One ${account} of your choice</dd>
      </dl>
      <p>
        ${organizationName} will receive its messages and events and can reply on its behalf. On the next page, at
        ${platformHost}, you can allow or refuse this.
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
  const account = accountLabels[type];
  const choices = accounts.map(
    ({ resourceId, name }) =>
      html`<label
        ><input type="radio" name="account" value="${resourceId}" required /> ${name}
        <span class="quiet">(${resourceId})</span></label
      > `,
  );
  return {
    title: `Choose a ${account}`,
    body: html`<p>You gave permission for several accounts. Choose the one to connect to ${organizationName}.</p>
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

export function donePage(
  { displayName, type, organizationName, again: isReconnected }: OnboardingResult,
  startUrl?: string,
): Page {
  return {
    title: isReconnected ? 'Reconnected' : 'Connected',
    body: html`<p>
        The ${accountLabels[type]} <strong>${displayName}</strong> is connected to ${organizationName}. You can close
        this page.
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
