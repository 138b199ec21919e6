import { randomBytes, randomInt } from 'node:crypto';
import type { StopList } from '../../../../dev/processes/stop-list.ts';
import { freePort } from '../../../../dev/processes/ports.ts';
import { type Platform, startPlatform } from '../../../../simulator/platform.ts';
import { startServers } from '../../../faults/servers.ts';
import { startTcpProxy, type TcpProxy } from '../../../faults/tcp-proxy.ts';
import { type ApiClient, apiClient } from '../../../harness/system/api-client.ts';
import { CapturedLog } from '../../../harness/system/captured-log.ts';
import type { Version } from '../last-release.ts';
import { admin, type Generation, prepareGeneration } from './generation.ts';
import { processEnv } from '../../../harness/system/process-env.ts';

/** An installation that is operated by its commands and used by its API only, because its schema is an older one. */
export interface Installation {
  readonly databaseUrl: string;
  readonly temporalAddress: string;
  readonly env: Readonly<Record<string, string>>;
  readonly platform: Platform;
  readonly platformSecret: string;
  /** Addresses that stay the same during a move, as those of a load balancer. */
  readonly paths: { readonly api: TcpProxy; readonly gateway: TcpProxy };
  readonly webhookUrl: string;
  readonly gatewayUrl: string;
  readonly log: CapturedLog;
  generation(version: Version, more?: MoreOfGeneration): Promise<Generation>;
}

export interface MoreOfGeneration {
  /** Optional. Added to the installation's settings. */
  readonly env?: Readonly<Record<string, string>>;
  /** Optional. Default: the installation's log. */
  readonly onLine?: (line: string) => void;
}

export interface Tenant {
  readonly api: ApiClient;
  channel(type: 'chatapp' | 'photoapp'): Promise<TenantChannel>;
}

export interface TenantChannel {
  readonly id: string;
  readonly resourceId: string;
}

export interface InstallationOptions {
  readonly settings: Readonly<Record<string, string>>;
  readonly say: (text: string) => void;
}

/** `randomInt` takes at most 48 bits. */
const MAX_ACCOUNTS = 10 ** 14;

export async function startInstallation(options: InstallationOptions, stops: StopList): Promise<Installation> {
  const { settings, say } = options;
  const { databaseUrl, temporalAddress } = await startServers({ disk: 'statements', say }, stops);
  const paths = {
    api: await startTcpProxy({ name: 'address of the API', port: await freePort() }, stops),
    gateway: await startTcpProxy({ name: 'address of the gateway', port: await freePort() }, stops),
  };
  const baseUrl = `http://127.0.0.1:${paths.api.port}`;
  const gatewayUrl = `http://127.0.0.1:${paths.gateway.port}`;
  const webhookUrl = `${baseUrl}/platform/webhooks`;
  const platformSecret = randomBytes(16).toString('hex');
  const platform = await startPlatform({ port: 0, appSecret: platformSecret, webhookUrl });
  stops.add({ name: 'platform', stop: () => platform.stop() });
  const env = processEnv({
    DATABASE_URL: databaseUrl,
    TEMPORAL_ADDRESS: temporalAddress,
    BASE_URL: baseUrl,
    GATEWAY_URL: gatewayUrl,
    PLATFORM_API_URL: platform.url,
    PLATFORM_APP_SECRET: platformSecret,
    ...settings,
  });
  const log = new CapturedLog();
  let count = 0;
  return {
    databaseUrl,
    temporalAddress,
    env,
    platform,
    platformSecret,
    paths,
    webhookUrl,
    gatewayUrl,
    log,
    generation: (version, { env: more, onLine = (line: string) => log.add(line) } = {}) =>
      prepareGeneration({ version, env: { ...env, ...more }, firstNumber: 1 + 2 * count++, onLine }, stops),
  };
}

/** Creates a tenant with the commands of the running version. */
export async function createTenant({ env, paths }: Installation, version: Version): Promise<Tenant> {
  const command = async <Result>(parameters: readonly string[], input = ''): Promise<Result> =>
    await admin<Result>({ version, env, parameters, input });
  const owner = ['--name', 'Acme', '--admin-email', 'admin@example.com'];
  const organization = await command<{ organizationId: string; apiKey: string }>(['create-organization', ...owner]);
  const place = ['--organization', organization.organizationId, '--name', 'Team'];
  const { workspaceId } = await command<{ workspaceId: string }>(['create-workspace', ...place]);
  const baseUrl = `http://127.0.0.1:${paths.api.port}`;
  return {
    api: apiClient({ baseUrl, apiKey: organization.apiKey, workspaceId }),
    async channel(type) {
      // The simulated platform recognizes accounts by 15 digits, and their product by the first one.
      const resourceId = `${type === 'chatapp' ? 1 : 2}${String(randomInt(MAX_ACCOUNTS)).padStart(14, '0')}`;
      const account = ['--type', type, '--resource-id', resourceId, '--name', `${type} ${resourceId}`];
      const parameters = ['connect-channel', '--workspace', workspaceId, ...account];
      const { channelId } = await command<{ channelId: string }>(parameters, 'platform-token');
      return { id: channelId, resourceId };
    },
  };
}
