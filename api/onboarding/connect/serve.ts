import type { Middleware, ParameterizedContext } from 'koa';
import type { OnboardingLink } from '../../../db/onboarding/link-record.ts';
import { InternalError, ServiceUnavailable, TooManyRequests } from '../../requests/errors.ts';
import { isUnexpected, toHttpError } from '../../requests/to-http-error.ts';
import type { ApiContext, ApiState } from '../../requests/state.ts';
import type { ApiDeps } from '../../requests/deps.ts';
import { documentOf, type Page, problemPage } from './pages.ts';
import { PageProblem } from './problem.ts';
import { styleUrlOf } from './style.ts';

export type PageContext = ParameterizedContext<ApiState> & { readonly params: Record<string, string> };

export function servePage(deps: ApiDeps, act: (ctx: PageContext) => Promise<void>) {
  return async (ctx: PageContext): Promise<void> => {
    ctx.set('cache-control', 'no-store');
    try {
      await act(ctx);
    } catch (error) {
      showProblem(ctx, deps, problemOf(ctx, deps, error));
    }
  };
}

/** The policy allows form redirects only to this service, the platform and the URLs of the link. */
export function showPage(ctx: ApiContext, deps: ApiDeps, page: LinkPage): void {
  const { color = null, logoUrl = null } = page.owner?.brand ?? {};
  ctx.set('content-security-policy', policyOf(deps, { ...(page.link ?? noLink), logoUrl }));
  ctx.type = 'text/html; charset=utf-8';
  ctx.body = documentOf(page, styleUrlOf(deps.baseUrl, color));
}

export function sendOn(ctx: ApiContext, url: string): void {
  ctx.status = 303;
  ctx.set('location', url);
  ctx.body = '';
}

/** For requests that are refused before a page handler runs. */
export function problemPages(deps: ApiDeps): Middleware<ApiState> {
  return async (ctx, next) => {
    if (!pagePath.test(ctx.path)) return await next();
    try {
      await next();
    } catch (error) {
      ctx.set('cache-control', 'no-store');
      showProblem(ctx, deps, problemOf(ctx, deps, error));
    }
  };
}

type LinkPage = Page & { readonly link?: PageLink };
type PageLink = Pick<OnboardingLink, 'successUrl' | 'failureUrl'>;
const noLink: PageLink = { successUrl: null, failureUrl: null };

interface PageTargets extends PageLink {
  readonly logoUrl: string | null;
}

const pagePath = /^\/connect(?:\/(?!style[.]css$).*)?$/;

function showProblem(ctx: ApiContext, deps: ApiDeps, problem: PageProblem): void {
  const { status, title, message: text, advice, code, retryUrl, leaveUrl, exitUrl, owner } = problem;
  if (code !== undefined) ctx.state.logFields.code = code;
  if (leaveUrl !== undefined) return sendOn(ctx, leaveUrl);
  ctx.status = status;
  const { requestId } = ctx.state;
  showPage(ctx, deps, problemPage({ title, text, advice, code, retryUrl, exitUrl, owner, requestId }));
}

function problemOf(ctx: ApiContext, { log }: ApiDeps, error: unknown): PageProblem {
  if (error instanceof PageProblem) return error;
  const refusal = toHttpError(error);
  if (isUnexpected(error)) log.error('onboarding.broken', { requestId: ctx.state.requestId, error });
  const { statusCode, code, message, headers } = refusal;
  ctx.set({ ...headers });
  if (refusal instanceof InternalError) {
    return new PageProblem(statusCode, {
      title: 'Something went wrong',
      text: 'Please try again. If the problem persists, send the request ID below to the person who gave you the link.',
    });
  }
  if (refusal instanceof ServiceUnavailable) {
    return new PageProblem(statusCode, {
      title: 'Temporarily unavailable',
      text: 'Please open the link that you received again in a few minutes.',
      code,
    });
  }
  const title = refusal instanceof TooManyRequests ? 'Please wait a moment' : 'Request failed';
  return new PageProblem(statusCode, { title, text: message, code });
}

function policyOf({ baseUrl, platformOAuth }: ApiDeps, { successUrl, failureUrl, logoUrl }: PageTargets): string {
  const own = new URL(baseUrl).origin;
  const leaving = [successUrl, failureUrl].flatMap((url) => (url === null ? [] : [new URL(url).origin]));
  const formTargets = [...new Set(["'self'", own, ...platformSources(platformOAuth.oauthUrl), ...leaving])].join(' ');
  return [
    "default-src 'none'",
    `style-src 'self' ${own}`,
    ...(logoUrl === null ? [] : [`img-src ${new URL(logoUrl).origin}`]),
    `form-action ${formTargets}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ');
}

/** A `www` consent page may redirect to its other hosts, for example to sign in. */
function platformSources(oauthUrl: string): string[] {
  const { origin, protocol, hostname } = new URL(oauthUrl);
  return hostname.startsWith('www.') ? [origin, `${protocol}//*${hostname.slice('www'.length)}`] : [origin];
}
