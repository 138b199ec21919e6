import type { RouteDefinition } from '../contract/routes/definition.ts';
import { parseInput } from './access/input.ts';
import { readJsonBody } from './middleware/json-body.ts';
import { checkIds, type Mount, noQuery, type OperationAnswer, type OperationRequest, routerPath } from './operation.ts';

/** What the code of an open route gets: no principal, and all else checked against the route's definition. */
export type OpenRequest<Route extends RouteDefinition> = Pick<
  OperationRequest<Route>,
  'params' | 'query' | 'body' | 'requestId' | 'clientAddress' | 'userAgent' | 'setHeader'
>;

type OpenRoute = RouteDefinition & { readonly access: { readonly auth: 'none' } };

/** Mounts a route that asks for no credential. */
export function mountOpenOperation<const Route extends OpenRoute>(
  { router }: Mount,
  route: Route,
  act: (request: OpenRequest<Route>) => Promise<OperationAnswer<Route>>,
): void {
  router.register(routerPath(route.path), [route.method], async (ctx) => {
    ctx.set('cache-control', 'no-store');
    const definition: RouteDefinition = route; // the type of its fields, whichever route it is
    checkIds(ctx.params, definition);
    const request = {
      params: ctx.params,
      query: parseInput(definition.query ?? noQuery, { ...ctx.query }, 'query'),
      body: definition.body && parseInput(definition.body, await readJsonBody(ctx), 'body'),
      requestId: ctx.state.requestId,
      clientAddress: ctx.ip,
      userAgent: ctx.get('user-agent'),
      setHeader: (name: string, value: string) => ctx.set(name, value),
    };
    // What was found follows from the definition, which no type can follow through its branches.
    const body = await act(request as unknown as OpenRequest<Route>);
    ctx.status = route.success.status;
    ctx.body = body ?? null;
    ctx.status = route.success.status; // an empty body has made it 204
  });
}
