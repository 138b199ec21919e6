import { join } from 'node:path';
import { z } from 'zod';
import { writeEnvFile } from '../settings/env-file.ts';
import { runOnce } from '../processes/run-once.ts';

const channel = z.object({ id: z.string(), resourceId: z.string() });
export const demoTenants = z.object({
  organizationId: z.string(),
  workspaceId: z.string(),
  customerWorkspaceId: z.string(),
  apiKey: z.string(),
  channels: z.object({ chatapp: channel, photoapp: channel, pageapp: channel }),
  other: z.object({ apiKey: z.string(), workspaceId: z.string(), channelId: z.string() }),
  staffApiKey: z.string().nullable(),
});

export type DemoTenants = z.output<typeof demoTenants>;

export interface SeedDemo {
  readonly env: NodeJS.ProcessEnv;
  readonly onLine: (line: string) => void;
  readonly signal: AbortSignal;
}

export async function seedDemo({ env, onLine, signal }: SeedDemo): Promise<DemoTenants> {
  const output = await runOnce({ name: 'seed-demo', args: [adminMain, 'seed-demo'], env, onLine, signal });
  return demoTenants.parse(JSON.parse(output.at(-1) ?? ''));
}

export const adminMain = join(import.meta.dirname, '../../admin/main.ts');

export interface Addresses {
  readonly baseUrl: string;
  readonly gatewayUrl: string;
  readonly temporalUiUrl: string | undefined;
  readonly temporalAddress: string;
  readonly databaseUrl: string;
  readonly simulatorUrl: string;
  readonly receiverUrl: string;
  readonly mailInboxUrl: string;
  readonly platformAppSecret: string;
}

export interface WriteDemo {
  readonly path: string;
  readonly addresses: Addresses;
  readonly tenants: DemoTenants;
}

export async function writeDemoEnv({ path, addresses, tenants }: WriteDemo): Promise<void> {
  await writeEnvFile(path, demoValues({ addresses, tenants }));
}

export function demoValues({ addresses, tenants }: Omit<WriteDemo, 'path'>): Record<string, string> {
  const { chatapp, photoapp, pageapp } = tenants.channels;
  return {
    BASE_URL: addresses.baseUrl,
    GATEWAY_URL: addresses.gatewayUrl,
    ...(addresses.temporalUiUrl && { TEMPORAL_UI_URL: addresses.temporalUiUrl }),
    TEMPORAL_ADDRESS: addresses.temporalAddress,
    DATABASE_URL: addresses.databaseUrl,
    SIMULATOR_URL: addresses.simulatorUrl,
    RECEIVER_URL: addresses.receiverUrl,
    MAIL_INBOX_URL: addresses.mailInboxUrl,
    PLATFORM_APP_SECRET: addresses.platformAppSecret,
    SERVICE_API_KEY: tenants.apiKey,
    SERVICE_ORGANIZATION_ID: tenants.organizationId,
    SERVICE_WORKSPACE_ID: tenants.workspaceId,
    CUSTOMER_WORKSPACE_ID: tenants.customerWorkspaceId,
    CHATAPP_CHANNEL_ID: chatapp.id,
    CHATAPP_RESOURCE_ID: chatapp.resourceId,
    PHOTOAPP_CHANNEL_ID: photoapp.id,
    PHOTOAPP_RESOURCE_ID: photoapp.resourceId,
    PAGEAPP_CHANNEL_ID: pageapp.id,
    PAGEAPP_RESOURCE_ID: pageapp.resourceId,
    OTHER_API_KEY: tenants.other.apiKey,
    OTHER_WORKSPACE_ID: tenants.other.workspaceId,
    OTHER_CHANNEL_ID: tenants.other.channelId,
    ...(tenants.staffApiKey !== null && { STAFF_API_KEY: tenants.staffApiKey }),
  };
}
