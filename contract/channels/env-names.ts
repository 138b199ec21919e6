import { channelTypes } from '../event-types.ts';

/** Names of the variables that clients of every type of channel are set up with. */
export const sharedEnvNames = [
  'PLATFORM_GRAPH_API_URL',
  'SERVICE_CHANNEL_ID',
  'SERVICE_WORKSPACE_ID',
  'VERIFY_TOKEN',
  'WEBHOOK_HMAC_SECRET',
] as const;

const known: ReadonlySet<string> = new Set([
  ...sharedEnvNames,
  ...channelTypes.flatMap((type) => ['ACCESS_TOKEN', 'RESOURCE_ID'].map((what) => `${type.toUpperCase()}_${what}`)),
]);

/** Whether a channel's variables have this name. Any other may mean something to a shell, or to what is run in it. */
export function isChannelEnvName(name: string): boolean {
  return known.has(name);
}
