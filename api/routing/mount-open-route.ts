import type { RouteDefinition } from '../../openapi/definitions/route-definition.ts';
import { parseBody, parseInput, collectProblems } from './parse-input.ts';
import { presentAnswer } from './present-answer.ts';
import { readOpenJsonBody } from '../requests/json-body.ts';
import { checkIds, type Mount, noQuery, type RouteAnswer, type RouteRequest, routerPath } from './mount-route.ts';

export type OpenRequest<Route extends RouteDefinition> = Pick<
  RouteRequest<Route>,
  'params' | 'query' | 'body' | 'requestId' | 'callerRequestId' | 'clientAddress' | 'userAgent' | 'setHeader'
> & {
  readonly cookie: (name: string) => string | undefined;
  /** Adds a `Set-Cookie` header. */
  readonly addCookie: (text: string) => void;
};

type OpenRoute = RouteDefinition & { readonly access: { readonly auth: 'none' } };

export function mountOpenRoute<const Route extends OpenRoute>(
  { router, deps }: Mount,
  route: Route,
  act: (request: OpenRequest<Route>) => Promise<RouteAnswer<Route>>,
): void {
  router.register(routerPath(route.path), [route.method], async (ctx) => {
    ctx.set('cache-control', 'no-store');
    const definition: RouteDefinition = route; // widens the generic type
    checkIds(ctx.params, definition);
    const problems = collectProblems();
    const query = await problems.from(() => parseInput(definition.query ?? noQuery, { ...ctx.query }, 'query'));
    const readBody = async () => parseBody(definition, await readOpenJsonBody(ctx, deps));
    const input = definition.body && (await problems.from(readBody));
    problems.refuse();
    const request = {
      params: ctx.params,
      query,
      body: input,
      requestId: ctx.state.requestId,
      callerRequestId: ctx.state.callerRequestId,
      clientAddress: ctx.ip,
      userAgent: ctx.get('user-agent'),
      setHeader: (name: string, value: string) => ctx.set(name, value),
      cookie: (name: string) => ctx.cookies.get(name),
      addCookie: (text: string) => ctx.append('set-cookie', text),
    };
    // TypeScript can't resolve the conditional types of a generic route.
    const answer = await act(request as unknown as OpenRequest<Route>);
    ctx.status = route.success.status;
    ctx.body = presentAnswer(route.success.body, answer) ?? null;
    ctx.status = route.success.status; // Koa sets 204 for an empty body
  });
}
