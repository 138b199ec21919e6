import type { RouteDefinition } from '../../openapi/definitions/route-definition.ts';

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
export type Toolset = keyof typeof toolsets;

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
