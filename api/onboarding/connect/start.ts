import { beginAttempt } from '../../../db/onboarding/attempts.ts';
import type { OnboardingLink } from '../../../db/onboarding/link-record.ts';
import { findLinkByToken, lockLiveLink } from '../../../db/onboarding/links.ts';
import { isOpaqueToken } from '../../../db/core/opaque-tokens.ts';
import { TooManyRequests } from '../../requests/errors.ts';
import { callbackUrl, startUrlOf } from './attempt.ts';
import { ensureBrowser, formProof, readForm, requireOwnForm } from './browser.ts';
import type { ApiDeps } from '../../requests/deps.ts';
import { startPage } from './pages.ts';
import { linkExpired, linkNotFound, linkUsed } from './problem.ts';
import { type PageContext, sendOn, showPage } from './serve.ts';

/** An attempt ends after 15 minutes. */
const ATTEMPT_RETRY_SECONDS = 60;

export async function showStart(ctx: PageContext, deps: ApiDeps): Promise<void> {
  const link = await linkOfPath(ctx, deps);
  const proof = formProof(deps, ensureBrowser(ctx, deps));
  const page = startPage({
    organizationName: link.organizationName,
    brand: link.brand,
    label: link.label,
    type: link.channelType,
    successUrl: link.successUrl,
    platformHost: new URL(deps.platformOAuth.oauthUrl).host,
    beginUrl: `${startUrlOf(deps, link)}/begin`,
    proof,
  });
  showPage(ctx, deps, { ...page, link });
}

/** `POST /connect/{token}/begin`: the state is bound to this browser. */
export async function begin(ctx: PageContext, deps: ApiDeps): Promise<void> {
  const { db, tokenSalt, platformOAuth } = deps;
  const link = await linkOfPath(ctx, deps);
  const browser = requireOwnForm(ctx, deps, (await readForm(ctx, deps)).get('proof'));
  await deps.rateLimits?.countAttempt({ clientAddress: ctx.ip, setHeader: (name, value) => ctx.set(name, value) });
  const state = await db.transaction(async (trx) => {
    const locked = await lockLiveLink(trx, link.id);
    // The link was regenerated after the page was read; its old URL is invalid.
    if (locked?.sealedToken !== link.sealedToken) throw linkNotFound();
    return await beginAttempt(trx, { linkId: link.id, tokenSalt, browser });
  });
  if (state === undefined)
    throw new TooManyRequests(ATTEMPT_RETRY_SECONDS, { message: 'Too many people use this link.' });
  sendOn(ctx, platformOAuth.consentUrl({ type: link.channelType, state, redirectUri: callbackUrl(deps) }));
}

/** `GET /connect/{token}/begin`: a reload returns to the start page. */
export async function backToStart(ctx: PageContext, deps: ApiDeps): Promise<void> {
  sendOn(ctx, startUrlOf(deps, await linkOfPath(ctx, deps)));
}

async function linkOfPath(ctx: PageContext, { db, tokenSalt }: ApiDeps): Promise<OnboardingLink> {
  const { token } = ctx.params;
  const link = isOpaqueToken(token) ? await findLinkByToken(db, { tokenSalt, token }) : undefined;
  if (!link) throw linkNotFound();
  if (link.isExpired) throw linkExpired(link, 'stay');
  if (link.isUsedUp) throw linkUsed(link, 'stay');
  return link;
}
