import { isBodyOptional, type RouteDefinition } from '../../openapi/definitions/route-definition.ts';
import { parseInput } from './parse-input.ts';

/** No body stands for an empty one where all of it is optional; `null` never does. Returns undefined if the route takes none. */
export function parseBody(route: Pick<RouteDefinition, 'method' | 'body'>, received: unknown): object | undefined {
  if (route.body === undefined) return undefined;
  const isEmpty = received === undefined && isBodyOptional(route);
  return parseInput(route.body, isEmpty ? {} : received, 'body');
}
