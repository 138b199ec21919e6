import type { Tool } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { neededScopes, type RouteDefinition } from '../../openapi/definitions/route-definition.ts';
import { parseInput } from '../routing/parse-input.ts';
import { InvalidRequest } from '../requests/errors.ts';
import type { Principal } from '../requests/state.ts';
import type { ToolDefinition } from './tools.ts';

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

export const toolsets = {
  context: 'who calls, and the ids that other tools take; always listed',
  channels: 'reading, enabling, moving and disconnecting channels; their tokens; calls that left for the platform',
  health: 'what the platform says about connected accounts; listed only by name or with `all`',
  webhooks: "a channel's webhook and the secret that signs its deliveries",
  defaults: 'default webhooks of organizations and workspaces, and their rollouts; listed only by name or with `all`',
  subscriptions: "further URLs for some of a channel's events",
  listeners: 'destinations that are read and acknowledged instead of posted to',
  deliveries: 'the log of deliveries, retries, and how destinations are doing',
  replays: 'sending old events again in bulk',
  alerts: 'what needs attention: failing destinations, lost channels, failed containers and replays',
  messages: 'sending messages, templates and files',
  later: 'messages and posts that go at a time; listed only by name or with `all`',
  containers: 'publishing media of photoapp channels',
  photoapp: 'media, comments, conversations and insights of photoapp channels',
  pageapp: 'posts, comments, conversations and insights of pageapp channels',
  onboarding: 'links by which customers connect channels',
  portal: 'links to pages for one customer, and how such pages look; listed only by name or with `all`',
  workspaces: 'the organization and its workspaces',
  people: 'members, invitations and the audit log',
  agents: 'keys of agents',
  alert_webhook: "the address that gets an organization's alerts by signed calls; listed only by name or with `all`",
  privacy: 'erasures of data and their progress, not their start; listed only by name or with `all`',
} as const;
type Toolset = keyof typeof toolsets;

/** Rarely needed, so only `all` and their names list them: each listed tool takes some of a model's context. */
export const namedToolsets: ReadonlySet<Toolset> = new Set([
  'alert_webhook',
  'defaults',
  'health',
  'later',
  'portal',
  'privacy',
]);

/** They return the ids that all other tools need. */
const contextTools: ReadonlySet<string> = new Set(['getSession', 'listWorkspaces', 'listChannels']);

const toolsetOfTag: Readonly<Record<string, Toolset>> = {
  Channels: 'channels',
  'Outbound calls': 'channels',
  'Channel health': 'health',
  'Webhook destination': 'webhooks',
  'Default webhooks': 'defaults',
  'Event subscriptions': 'subscriptions',
  Listeners: 'listeners',
  Deliveries: 'deliveries',
  Replays: 'replays',
  Alerts: 'alerts',
  'Alert webhook': 'alert_webhook',
  Messages: 'messages',
  'Scheduled messages': 'later',
  'Scheduled posts': 'later',
  Chatapp: 'messages',
  'Media containers': 'containers',
  Photoapp: 'photoapp',
  Pageapp: 'pageapp',
  Onboarding: 'onboarding',
  Portal: 'portal',
  Organizations: 'workspaces',
  Workspaces: 'workspaces',
  Usage: 'workspaces',
  Members: 'people',
  'Audit log': 'people',
  Agents: 'agents',
  Erasures: 'privacy',
};

/** Returns undefined if no toolset has the tool. */
export function toolsetOf({ operationId, tag }: RouteDefinition): Toolset | undefined {
  return contextTools.has(operationId) ? 'context' : toolsetOfTag[tag];
}
