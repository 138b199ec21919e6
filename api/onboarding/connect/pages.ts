import { html, type Markup } from '../../../contract/text/html.ts';
import type { ChannelType } from '../../../contract/event-types.ts';
import { PRODUCT_NAME } from '../../../contract/identity/product-look.ts';
import type { OnboardingResult } from '../../../db/onboarding/find-onboarding-result.ts';
import type { OnboardingLink } from '../../../db/onboarding/link-record.ts';

/** Icons in the markup, because the policy of the pages loads no images but the logo. The text beside them says the same. */
function mark(kind: string, path: string): Markup {
  return html`<svg class="mark ${kind}" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
    <circle cx="12" cy="12" r="11" />
    <path d="${path}" />
  </svg>`;
}

const TICK = 'M7 12.5l3.5 3.5L17 9';
const CROSS = 'M8.5 8.5l7 7m0-7l-7 7';
const EXCLAMATION = 'M12 6.5v7m0 3.5v.01';

const marks = {
  yes: mark('small good', TICK),
  no: mark('small neutral', CROSS),
  done: mark('large good', TICK),
  problem: mark('large warn', EXCLAMATION),
} as const;

const accountLabels: Readonly<Record<ChannelType, string>> = {
  chatapp: 'chatapp number',
  photoapp: 'photoapp account',
  pageapp: 'pageapp Page',
};

export type Brand = OnboardingLink['brand'];

/** The bar in the color of the organization. */
function brandBar({ brand: { displayName, logoUrl }, organizationName }: PageOwner): Markup {
  return html`<header class="bar">
    <p>
      ${logoUrl !== null && html`<img src="${logoUrl}" alt="" referrerpolicy="no-referrer" />`}
      <span>${displayName ?? organizationName}</span>
    </p>
  </header>`;
}

/** Whose page a customer sees. */
export interface PageOwner {
  readonly organizationName: string;
  readonly brand: Brand;
}

export interface StartPage extends PageOwner {
  readonly label: string;
  readonly type: ChannelType;
  readonly platformHost: string;
  /** Where the customer goes after connecting. Null to stay. */
  readonly successUrl: string | null;
  readonly beginUrl: string;
  readonly proof: string;
}

export function startPage({ label, type, platformHost, successUrl, beginUrl, proof, ...owner }: StartPage): Page {
  const account = accountLabels[type];
  const { organizationName } = owner;
  return {
    title: `Connect your ${account}`,
    owner,
    body: html`<p>${organizationName} asks you to connect your ${account}.</p>
      <dl>
        <dt>Requested by</dt>
        <dd>${organizationName}</dd>
        <dt>Purpose</dt>
        <dd>${label}</dd>
        <dt>Access to</dt>
        <dd>One ${account} of your choice</dd>
      </dl>
      <ul class="rights">
        <li>${marks.yes} ${organizationName} receives its messages and events.</li>
        <li>${marks.yes} ${organizationName} can reply on its behalf.</li>
        <li>${marks.no} ${organizationName} never sees your password.</li>
      </ul>
      <form method="post" action="${beginUrl}">
        <input type="hidden" name="proof" value="${proof}" />
        <button type="submit">Continue to ${platformHost}</button>
      </form>
      <p class="quiet">You allow or refuse this on the next page, at ${platformHost}.${returnText(successUrl)}</p>`,
  };
}

/** Names the host only, because the URL can be long and can contain identifiers. */
function returnText(successUrl: string | null): string {
  return successUrl === null ? '' : ` After that, you return to ${new URL(successUrl).host}.`;
}

export interface ChoicePage extends PageOwner {
  readonly type: ChannelType;
  readonly accounts: readonly { readonly resourceId: string; readonly name: string }[];
  readonly successUrl: string | null;
  readonly chooseUrl: string;
  readonly startUrl: string;
  readonly state: string;
  readonly proof: string;
}

export function choicePage(page: ChoicePage): Page {
  const { type, accounts, successUrl, chooseUrl, startUrl, state, proof, ...owner } = page;
  const account = accountLabels[type];
  const choices = accounts.map(
    ({ resourceId, name }) =>
      html`<label class="choice"
        ><input type="radio" name="account" value="${resourceId}" required />
        <span>${name} <span class="quiet">(${resourceId})</span></span></label
      > `,
  );
  return {
    title: `Choose a ${account}`,
    owner,
    body: html`<p>You gave permission for several accounts. Choose the one to connect to ${owner.organizationName}.</p>
      <form method="post" action="${chooseUrl}">
        <input type="hidden" name="state" value="${state}" />
        <input type="hidden" name="proof" value="${proof}" />
        <fieldset>
          <legend>Which ${account}?</legend>
          ${choices}
        </fieldset>
        <button type="submit">Connect</button>
      </form>
      <p class="quiet">
        Is an account missing? <a href="${startUrl}">Start again</a> and also allow that account at the platform.
      </p>
      ${successUrl !== null && html`<p class="quiet">${returnText(successUrl).trim()}</p>`}`,
  };
}

export interface RegistrationPage extends PageOwner {
  readonly displayName: string;
  readonly problem: string | undefined;
  readonly state: string;
  readonly proof: string;
  readonly registerUrl: string;
  readonly laterUrl: string;
}

export function registrationPage(page: RegistrationPage): Page {
  const { displayName, problem, state, proof, registerUrl, laterUrl, ...owner } = page;
  return {
    title: 'Register your number',
    owner,
    mark: marks.problem,
    body: html`<p>
        The chatapp number <strong>${displayName}</strong> is connected to ${owner.organizationName}, but it is
        <strong>not registered</strong> at the platform. It receives and sends no messages until you register it.
      </p>
      <form method="post" action="${registerUrl}">
        <input type="hidden" name="state" value="${state}" />
        <input type="hidden" name="proof" value="${proof}" />
        <label class="field"
          >Six-digit PIN
          <input
            name="pin"
            inputmode="numeric"
            autocomplete="off"
            pattern="[0-9]{6}"
            maxlength="6"
            required
            ${problem !== undefined && html`aria-invalid="true" aria-describedby="pin-problem"`}
          />
        </label>
        ${problem !== undefined && html`<p class="warn" id="pin-problem" role="alert">${problem}</p>`}
        <p class="quiet">
          If the number has two-step verification, enter its PIN. If not, choose a PIN and keep it: the platform asks
          for it when the number is registered again.
        </p>
        <button type="submit">Register</button>
      </form>
      <p class="quiet"><a href="${laterUrl}">Register later</a></p>`,
  };
}

type DonePage = Omit<OnboardingResult, 'channelId' | 'workspaceId'> & PageOwner;

export function donePage(
  { displayName, type, organizationName, brand, again: isReconnected, isUnregistered }: DonePage,
  startUrl?: string,
): Page {
  return {
    title: isReconnected ? 'Reconnected' : 'Connected',
    owner: { organizationName, brand },
    mark: isUnregistered ? marks.problem : marks.done,
    body: html`<p>
        The ${accountLabels[type]} <strong>${displayName}</strong> is connected to ${organizationName}. You can close
        this page.
      </p>
      ${
        isUnregistered &&
        html`<p>
          The number is <strong>not registered</strong>, so it receives and sends no messages. Ask ${organizationName}
          to register it with its PIN.
        </p>`
      }
      ${startUrl !== undefined && html`<p><a href="${startUrl}">Connect another account</a></p>`}`,
  };
}

export interface ProblemPage {
  readonly title: string;
  readonly text: string;
  /** Optional. Sentences that say what to do, each in a line. */
  readonly advice?: readonly string[] | undefined;
  readonly code?: string | undefined;
  readonly requestId: string;
  readonly retryUrl?: string | undefined;
  /** Optional. Where the owner of the link wants to see the customer. */
  readonly exitUrl?: string | undefined;
  readonly owner?: PageOwner | undefined;
}

export function problemPage({
  title,
  text,
  advice = [],
  code,
  requestId,
  retryUrl,
  exitUrl,
  owner,
}: ProblemPage): Page {
  return {
    title,
    ...(owner && { owner }),
    mark: marks.problem,
    body: html`<p>${text}</p>
      ${
        advice.length > 0 &&
        html`<ul>
          ${advice.map((line) => html`<li>${line}</li>`)}
        </ul>`
      }
      ${retryUrl !== undefined && html`<p><a class="button" href="${retryUrl}">Try again</a></p>`}
      ${exitUrl !== undefined && html`<p><a href="${exitUrl}">Go to ${new URL(exitUrl).host}</a></p>`}
      <p class="quiet">${code !== undefined && `Code ${code} · `}Request ${requestId}</p>`,
  };
}

export interface Page {
  readonly title: string;
  /** Optional. Default: a bar without an organization. */
  readonly owner?: PageOwner;
  /** Optional. An icon above the title. */
  readonly mark?: Markup;
  readonly body: Markup;
}

const productBar = html`<header class="bar"><p>${PRODUCT_NAME}</p></header>`;

export function documentOf({ title, owner, mark, body }: Page, styleUrl: string): string {
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
        ${owner ? brandBar(owner) : productBar}
        <main>
          ${mark}
          <h1>${title}</h1>
          ${body}
        </main>
        ${owner && html`<footer>Powered by ${PRODUCT_NAME}</footer>`}
      </body>
    </html> `.markup;
}
