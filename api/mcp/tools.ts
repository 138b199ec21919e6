import type { Tool } from '@modelcontextprotocol/server';
import type { RouteDefinition } from '../../contract/routes/definition.ts';
import { routes } from '../../contract/routes.ts';
import { inputSchemaOf } from './input-schema.ts';
import { objectSchema } from './json-schema.ts';
import { annotationsOf } from './tool-annotations.ts';
import { type ArgumentPlan, planArguments } from './tool-arguments.ts';
import { descriptionOf, titleOf } from './tool-text.ts';

/** An operation of the API that a model may call, and how it is told of it. */
export interface ToolDefinition {
  readonly route: RouteDefinition;
  readonly plan: ArgumentPlan;
  readonly listing: Tool;
}

/** Whatever an API key opens and answers with something whole: a stream without an end is no tool. */
function isTool({ access, eventStream }: RouteDefinition): boolean {
  if (access.auth === 'none' || eventStream) return false;
  return access.principals.includes('api_key') || access.principals.includes('agent');
}

/** All tools by their names, from the table that the routes come from. */
export function toolsOf(all: readonly RouteDefinition[] = routes): ReadonlyMap<string, ToolDefinition> {
  return new Map(all.filter(isTool).map((route) => [route.operationId, toolOf(route)]));
}

function toolOf(route: RouteDefinition): ToolDefinition {
  const { operationId: name, success } = route;
  const title = titleOf(route);
  const listing: Tool = {
    name,
    title,
    description: descriptionOf(route),
    inputSchema: inputSchemaOf(route),
    ...(success.body && { outputSchema: objectSchema(success.body, 'output') }),
    annotations: { title, ...annotationsOf(route) },
  };
  return { route, plan: planArguments(route), listing };
}
