import type { Middleware, ParameterizedContext } from 'koa';
import { InternalError, ServiceUnavailable, TooManyRequests } from '../../requests/errors.ts';
import { isUnexpected, toHttpError } from '../../requests/to-http-error.ts';
import type { ApiContext, ApiState } from '../../requests/state.ts';
import type { ConnectDeps } from './deps.ts';
import { documentOf, type Page, problemPage } from './pages.ts';
import { PageProblem } from './problem.ts';

export type PageContext = ParameterizedContext<ApiState> & { readonly params: Record<string, string> };

/** Runs a page's code; whatever it throws becomes a page as well, because it is people who read it. */
export function servePage(deps: ConnectDeps, act: (ctx: PageContext) => Promise<void>) {
  return async (ctx: PageContext): Promise<void> => {
    ctx.set('cache-control', 'no-store');
    try {
      await act(ctx);
    } catch (error) {
      showProblem(ctx, deps, problemOf(ctx, deps, error));
    }
  };
}

/** Answers with a page; forms may lead to us and to the platform only, also by a redirect. */
export function showPage(ctx: ApiContext, deps: ConnectDeps, page: Page): void {
  ctx.set('content-security-policy', policyOf(deps));
  ctx.type = 'text/html; charset=utf-8';
  ctx.body = documentOf(page, `${deps.baseUrl}/connect/style.css`);
}

/** Sends the browser on with a GET. */
export function sendOn(ctx: ApiContext, url: string): void {
  ctx.status = 303;
  ctx.set('location', url);
  ctx.body = '';
}

/** Shows pages also for what is refused before a page's own code: a person reads these addresses, whatever is wrong. */
export function problemPages(deps: ConnectDeps): Middleware<ApiState> {
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

/** All but the style sheet, which a browser reads. */
const pagePath = /^\/connect(?:\/(?!style[.]css$).*)?$/;

function showProblem(ctx: ApiContext, deps: ConnectDeps, problem: PageProblem): void {
  const { status, title, message: text, code, retryUrl } = problem;
  ctx.status = status;
  if (code !== undefined) ctx.state.logFields.code = code;
  showPage(ctx, deps, problemPage({ title, text, code, retryUrl, requestId: ctx.state.requestId }));
}

function problemOf(ctx: ApiContext, { log }: ConnectDeps, error: unknown): PageProblem {
  if (error instanceof PageProblem) return error;
  const refusal = toHttpError(error);
  if (isUnexpected(error)) log.error('onboarding.broken', { requestId: ctx.state.requestId, error });
  const { statusCode, code, message, headers } = refusal;
  ctx.set({ ...headers });
  if (refusal instanceof InternalError) {
    return new PageProblem(statusCode, {
      title: 'Something went wrong on our side',
      text: 'Please try again. If it happens again, tell whoever sent you the link, with the request id below.',
    });
  }
  if (refusal instanceof ServiceUnavailable) {
    return new PageProblem(statusCode, {
      title: 'This does not work at the moment',
      text: 'Please open the link that you were sent again in a few minutes.',
      code,
    });
  }
  const title = refusal instanceof TooManyRequests ? 'Please wait a moment' : 'This did not work';
  return new PageProblem(statusCode, { title, text: message, code });
}

function policyOf({ baseUrl, platformOAuth }: ConnectDeps): string {
  const own = new URL(baseUrl).origin;
  const formTargets = [...new Set(["'self'", own, ...platformSources(platformOAuth.oauthUrl)])].join(' ');
  return [
    "default-src 'none'",
    `style-src 'self' ${own}`,
    `form-action ${formTargets}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ');
}

/** The consent page's origin; a site with `www` may send the browser on to another host of its own, to sign in say. */
function platformSources(oauthUrl: string): string[] {
  const { origin, protocol, hostname } = new URL(oauthUrl);
  return hostname.startsWith('www.') ? [origin, `${protocol}//*${hostname.slice('www'.length)}`] : [origin];
}
