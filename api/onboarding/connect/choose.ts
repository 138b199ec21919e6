import { z } from 'zod';
import { openChoice } from '../../../db/onboarding/attempts.ts';
import type { PlatformAccount } from '../../../platform/oauth/accounts.ts';
import { openAttempt, type OpenAttempt } from './attempt.ts';
import { formProof, readForm, requireBrowser, requireOwnForm } from './browser.ts';
import type { ApiDeps } from '../../requests/deps.ts';
import { finish } from './finish.ts';
import { choicePage } from './pages.ts';
import { PageProblem, stepExpired, stepAlreadyDone } from './problem.ts';
import { type PageContext, sendOn, showPage } from './serve.ts';
import { doneUrl } from './attempt.ts';

const keptAccounts = z.array(
  z.strictObject({
    resourceId: z.string(),
    name: z.string(),
    token: z.string(),
    expiresAtMs: z.number().nullable(),
    subscriptionId: z.string(),
    linkedResourceId: z.string().nullable(),
    isRegistered: z.boolean(),
  }),
);

export async function showChoice(ctx: PageContext, deps: ApiDeps): Promise<void> {
  const open = await openAttempt(ctx, deps, ctx.query.state);
  if (open.attempt.status === 'connected') return sendOn(ctx, doneUrl(deps, open.state));
  const { link, state } = open;
  const page = choicePage({
    organizationName: link.organizationName,
    brand: link.brand,
    type: link.channelType,
    accounts: accountsOf(deps, open),
    successUrl: link.successUrl,
    chooseUrl: `${deps.baseUrl}/connect/choose`,
    startUrl: open.startUrl,
    state,
    proof: formProof(deps, requireBrowser(ctx, deps)),
  });
  showPage(ctx, deps, { ...page, link });
}

/** `POST /connect/choose`: the account must be one of the granted ones. */
export async function choose(ctx: PageContext, deps: ApiDeps): Promise<void> {
  const form = await readForm(ctx, deps);
  requireOwnForm(ctx, deps, form.get('proof'));
  const open = await openAttempt(ctx, deps, form.get('state'));
  if (open.attempt.status === 'connected') return sendOn(ctx, doneUrl(deps, open.state));
  const account = accountsOf(deps, open).find(({ resourceId }) => resourceId === form.get('account'));
  if (!account) {
    const text = 'Go back and choose one of the listed accounts.';
    throw new PageProblem(422, { title: 'No account selected', text, owner: open.link });
  }
  await finish(ctx, deps, { ...open, account });
}

function accountsOf({ secretBox }: ApiDeps, { attempt, link, startUrl }: OpenAttempt): PlatformAccount[] {
  const { id, sealedChoice: sealed, status, isExpired } = attempt;
  if (isExpired) throw stepExpired({ link, startUrl });
  if (status !== 'granted' || sealed === null) throw stepAlreadyDone({ link, startUrl });
  return keptAccounts.parse(JSON.parse(openChoice(secretBox, { id, sealed })));
}
