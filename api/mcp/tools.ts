import type { Tool } from '@modelcontextprotocol/server';
import type { RouteDefinition } from '../../openapi/definitions/route-definition.ts';
import { routes } from '../../openapi/route-table.ts';
import { inputSchemaOf } from './input-schema.ts';
import { type ObjectSchema, objectSchema } from './json-schema.ts';
import { annotationsOf } from './tool-annotations.ts';
import { type ArgumentPlan, planArguments } from './tool-arguments.ts';
import { descriptionOf } from './tool-text.ts';

/** An operation of the API that a model may call, and how it is told of it. */
export interface ToolDefinition {
  readonly route: RouteDefinition;
  readonly plan: ArgumentPlan;
  /**
   * As it is listed: without a title, which would only be the name again, and without the schema of its answers, which
   * would be more than all the rest.
   */
  readonly listing: Tool;
  /** What its answers are; undefined where there is nothing to return, or a file. */
  readonly outputSchema: ObjectSchema | undefined;
}

/** Whatever an API key opens and answers with something whole: a stream without an end is no tool, nor is a decision for a person. */
function isTool({ access, eventStream, isForPeople }: RouteDefinition): boolean {
  if (access.auth === 'none' || eventStream || isForPeople) return false;
  return access.principals.includes('api_key') || access.principals.includes('agent');
}

/** All tools by their names, from the table that the routes come from. */
export function toolsOf(all: readonly RouteDefinition[] = routes): ReadonlyMap<string, ToolDefinition> {
  return new Map(all.filter(isTool).map((route) => [route.operationId, toolOf(route)]));
}

function toolOf(route: RouteDefinition): ToolDefinition {
  const { operationId: name, success } = route;
  const listing: Tool = {
    name,
    description: descriptionOf(route),
    inputSchema: inputSchemaOf(route),
    annotations: annotationsOf(route),
  };
  const outputSchema = success.body ? objectSchema(success.body, 'output') : undefined;
  return { route, plan: planArguments(route), listing, outputSchema };
}
