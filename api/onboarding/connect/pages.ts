import type { ChannelType } from '../../../contract/event-types.ts';
import type { OnboardingResult } from '../../../db/onboarding/find-onboarding-result.ts';
import type { OnboardingLink } from '../../../db/onboarding/link-record.ts';
import { html, type Markup } from './html.ts';

const accountLabels: Readonly<Record<ChannelType, string>> = {
  chatapp: 'chatapp number',
  photoapp: 'photoapp account',
  pageapp: 'pageapp Page',
};

export type Brand = OnboardingLink['brand'];

function brandOf({ displayName, logoUrl }: Brand): Markup {
  if (displayName === null && logoUrl === null) return html``;
  const name = displayName ?? '';
  return html`<p class="brand">
    ${logoUrl !== null && html`<img src="${logoUrl}" alt="" referrerpolicy="no-referrer" />`} <span>${name}</span>
  </p>`;
}

export interface StartPage {
  readonly organizationName: string;
  readonly brand: Brand;
  readonly label: string;
  readonly type: ChannelType;
  readonly platformHost: string;
  readonly beginUrl: string;
  readonly proof: string;
}

export function startPage({ organizationName, brand, label, type, platformHost, beginUrl, proof }: StartPage): Page {
  const account = accountLabels[type];
  return {
    title: `Connect your ${account}`,
    brand: brandOf(brand),
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
  readonly brand: Brand;
  readonly type: ChannelType;
  readonly accounts: readonly { readonly resourceId: string; readonly name: string }[];
  readonly chooseUrl: string;
  readonly state: string;
  readonly proof: string;
}

export function choicePage({ organizationName, brand, type, accounts, chooseUrl, state, proof }: ChoicePage): Page {
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
    brand: brandOf(brand),
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
  { displayName, type, organizationName, brand, again: isReconnected }: OnboardingResult & { readonly brand: Brand },
  startUrl?: string,
): Page {
  return {
    title: isReconnected ? 'Reconnected' : 'Connected',
    brand: brandOf(brand),
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
  /** Optional. Above the title. */
  readonly brand?: Markup;
  readonly body: Markup;
}

export function documentOf({ title, brand, body }: Page, styleUrl: string): string {
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
          ${brand}
          <h1>${title}</h1>
          ${body}
        </main>
      </body>
    </html> `.markup;
}
