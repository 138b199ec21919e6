import type { Tool } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { neededScopes } from '../../openapi/definitions/route-definition.ts';
import { parseInput } from '../routing/parse-input.ts';
import { InvalidRequest } from '../requests/errors.ts';
import type { Principal } from '../requests/state.ts';
import type { ToolDefinition } from './tools.ts';
import { namedToolsets, toolsetOf, toolsets } from './toolsets.ts';

export type Tools = ReadonlyMap<string, ToolDefinition>;

/** The tools that the query of the server URL selects. */
export interface Selection {
  /** All other tools are refused, even if the key allows them. */
  readonly chosen: Tools;
  readonly withOutputSchemas: boolean;
}

const flag = z.enum(['true', 'false']).optional();
const addressQuery = z.strictObject({ tools: z.string().optional(), readOnly: flag, outputSchemas: flag });

/**
 * `tools` names toolsets, single tools or `all`. By default, the list has all but the toolsets that must be named. Throws
 * on unknown names, so that a typo does not hide a tool.
 */
export function selectTools(all: Tools, query: Readonly<Record<string, unknown>>): Selection {
  const { tools = COMMON, readOnly, outputSchemas } = parseInput(addressQuery, query, 'query');
  const names = new Set(tools.split(',').map((name) => name.trim()));
  refuseUnknown(names, all);
  const isNamed = (name: string, { route }: ToolDefinition): boolean => {
    const toolset = toolsetOf(route);
    if (toolset === undefined) return names.has('all') || names.has(COMMON) || names.has(name);
    const isCommon = names.has(COMMON) && !namedToolsets.has(toolset);
    return names.has('all') || isCommon || names.has(name) || toolset === 'context' || names.has(toolset);
  };
  const isLeft = (tool: ToolDefinition) => readOnly !== 'true' || tool.listing.annotations?.readOnlyHint === true;
  const chosen = [...all].filter(([name, tool]) => isNamed(name, tool) && isLeft(tool));
  return { chosen: new Map(chosen), withOutputSchemas: outputSchemas === 'true' };
}

/** All toolsets but those that must be named. */
const COMMON = 'common';
const words: readonly string[] = ['all', COMMON];

function refuseUnknown(names: ReadonlySet<string>, all: Tools): void {
  const unknown = [...names].filter(
    (name) => !words.includes(name) && !Object.hasOwn(toolsets, name) && !all.has(name),
  );
  if (unknown.length === 0) return;
  const shown = unknown.slice(0, MAX_UNKNOWN).map((name) => JSON.stringify(name));
  const known = [...words, ...Object.keys(toolsets)].join(', ');
  throw new InvalidRequest(
    `query.tools: no toolset or tool is named ${shown.join(', ')}. Use the names of tools or of toolsets (${known}), ` +
      'separated by commas.',
  );
}

const MAX_UNKNOWN = 10;

/** Roles don't matter, because they depend on the workspace of each call. */
export function listingsFor({ chosen, withOutputSchemas }: Selection, principal: Principal): Tool[] {
  const allowed = [...chosen.values()].filter((tool) => isAllowed(tool, principal));
  return allowed.map(({ listing, outputSchema }) =>
    withOutputSchemas && outputSchema ? { ...listing, outputSchema } : listing,
  );
}

function isAllowed({ route: { access } }: ToolDefinition, { kind, scopes }: Principal): boolean {
  if (access.auth === 'none' || !access.principals.includes(kind)) return false;
  return scopes === null || neededScopes(access).every((scope) => scopes.includes(scope));
}
