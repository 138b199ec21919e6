import { channelTypes } from '../event-types.ts';

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

/** Clients must ignore other names, which could change how a shell runs. */
export function isChannelEnvName(name: string): boolean {
  return known.has(name);
}
