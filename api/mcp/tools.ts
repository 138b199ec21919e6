import type { Tool } from '@modelcontextprotocol/server';
import type { RouteDefinition } from '../../openapi/definitions/route-definition.ts';
import { routes } from '../../openapi/route-table.ts';
import { inputSchemaOf } from './input-schema.ts';
import { type ObjectSchema, objectSchema } from './json-schema.ts';
import { annotationsOf } from './tool-annotations.ts';
import { type ArgumentPlan, planArguments } from './tool-arguments.ts';
import { descriptionOf } from './tool-text.ts';

export interface ToolDefinition {
  readonly route: RouteDefinition;
  readonly plan: ArgumentPlan;
  /** Omits the output schema, which would be most of the list. */
  readonly listing: Tool;
  /** Undefined if the operation returns nothing or a file. */
  readonly outputSchema: ObjectSchema | undefined;
}

/** Excludes endless streams and decisions reserved for people. */
function isTool({ access, eventStream, isForPeople }: RouteDefinition): boolean {
  if (access.auth === 'none' || eventStream || isForPeople) return false;
  return access.principals.includes('api_key') || access.principals.includes('agent');
}

let tools: ReadonlyMap<string, ToolDefinition> | undefined;

/** Returns the tools of all routes by operation. Builds them on the first call to save memory. */
export function everyTool(): ReadonlyMap<string, ToolDefinition> {
  return (tools ??= new Map(routes.filter(isTool).map((route) => [route.operationId, toolOf(route)])));
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
