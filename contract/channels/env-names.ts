import { channelTypes } from '../event-types.ts';

export const sharedEnvNames = [
  'PLATFORM_GRAPH_API_URL',
  'SERVICE_CHANNEL_ID',
  'SERVICE_WORKSPACE_ID',
  'VERIFY_TOKEN',
  'WEBHOOK_HMAC_SECRET',
] as const;

const BUSINESS_ACCOUNT_ENV_NAME = 'CHATAPP_BUSINESS_ACCOUNT_ID';

const known: ReadonlySet<string> = new Set([
  ...sharedEnvNames,
  BUSINESS_ACCOUNT_ENV_NAME,
  ...channelTypes.flatMap((type) => ['ACCESS_TOKEN', 'RESOURCE_ID'].map((what) => `${type.toUpperCase()}_${what}`)),
]);

/** Clients must ignore other names, which could change how a shell runs. */
export function isChannelEnvName(name: string): boolean {
  return known.has(name);
}

interface ChannelEnvAnswer {
  readonly values: Readonly<Record<string, string>>;
  readonly businessAccountId: string | null;
}

/** Clients of an earlier release refuse names that they don't know, so `values` keeps its names. */
export function envValuesOf({ values, businessAccountId }: ChannelEnvAnswer): Readonly<Record<string, string>> {
  return businessAccountId ? { ...values, [BUSINESS_ACCOUNT_ENV_NAME]: businessAccountId } : values;
}
