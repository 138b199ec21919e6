import { randomBytes } from 'node:crypto';
import type { ExecutionContext } from 'ava';
import type { Client } from '@temporalio/client';
import type { Knex } from 'knex';
import type { ChannelType } from '../../../contract/event-types.ts';
import { freePort } from '../../../dev/processes/ports.ts';
import type { MediaOptions } from '../../../simulator/media/media.ts';
import { type Platform, startPlatform } from '../../../simulator/platform.ts';
import { type Receiver, startReceiver } from '../../../simulator/receiver/receiver.ts';
import { testDatabase, urlFor } from '../database/database.ts';
import { aWebhook } from '../deliveries/ledger.ts';
import type { Lifetime } from '../time/lifetime.ts';
import { until } from '../until.ts';
import { aChannel, aTenant, type Tenant, type TestChannel } from '../tenants.ts';
import { type ApiClient, apiClient } from './api-client.ts';
import { CapturedLog } from './captured-log.ts';
import { ownNamespace } from './own-namespace.ts';
import { ServiceProcess } from './service-process.ts';
import { processEnv } from './process-env.ts';

export interface SystemOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly workers?: number;
  /** Optional. Settings of single workers, in their order. */
  readonly workerEnv?: readonly Readonly<Record<string, string>>[];
  readonly apis?: number;
  readonly gateways?: number;
  /** Optional. Default: the shared server. */
  readonly temporalAddress?: string;
  readonly media?: MediaOptions;
}

export interface RunningSystem {
  readonly db: Knex;
  readonly databaseUrl: string;
  readonly temporal: Client;
  readonly workers: readonly ServiceProcess[];
  readonly apis: readonly ServiceProcess[];
  readonly apiUrls: readonly string[];
  readonly gateways: readonly ServiceProcess[];
  readonly gatewayUrls: readonly string[];
  readonly platformSecret: string;
  /** Runs in the test's process, so that it survives kills. */
  readonly platform: Platform;
}

export interface SystemStart extends SystemOptions {
  readonly log: CapturedLog;
  readonly endProcess: (process: ServiceProcess) => Promise<unknown>;
}

export interface ConnectedChannel extends TestChannel {
  readonly resourceId: string;
}

export interface SystemTenant {
  readonly tenant: Tenant;
  readonly api: ApiClient;
  readonly apiClients: readonly ApiClient[];
  channel(options?: { readonly type?: ChannelType; readonly webhookUrl?: string }): Promise<ConnectedChannel>;
}

export interface System extends RunningSystem, SystemTenant {
  readonly receiver: Receiver;
  readonly lines: readonly string[];
}

const VERSION_KNOWN = /"msg":"version\.(activated|deferred)"/;
const VERSION_DEADLINE_MS = 240_000;

/** The simulated platform recognizes products by an account's first digits. */
const firstDigits: Readonly<Record<ChannelType, number>> = { chatapp: 1, photoapp: 2, pageapp: 3 };

/** Starts a system for one test. Shows the service's output if the test fails. */
export async function startSystem(t: ExecutionContext<unknown>, options: SystemOptions = {}): Promise<System> {
  const log = new CapturedLog();
  t.teardown(() => t.passed || t.log(log.tail()));
  const receiver = await startReceiver({ port: 0 });
  t.teardown(() => receiver.stop());
  const endProcess = (one: ServiceProcess) => (t.passed ? one.kill9() : one.endTalking());
  const running = await runSystem(t, { ...options, log, endProcess });
  return { ...running, ...(await systemTenant(running)), receiver, lines: log.lines };
}

/** Starts the processes on a database and a Temporal namespace of their own. */
export async function runSystem(
  lifetime: Lifetime,
  { log, endProcess, ...options }: SystemStart,
): Promise<RunningSystem> {
  const { db, url: databaseUrl } = await testDatabase(lifetime);
  const temporalAddress = options.temporalAddress ?? testTemporalAddress();
  const temporal = await ownNamespace(lifetime, temporalAddress);
  const platformSecret = randomBytes(16).toString('hex');
  const ports = await Promise.all(Array.from({ length: options.apis ?? 1 }, () => freePort()));
  const apiUrls = ports.map((port) => `http://127.0.0.1:${port}`);
  const gatewayPorts = await Promise.all(Array.from({ length: options.gateways ?? 0 }, () => freePort()));
  const gatewayUrls = gatewayPorts.map((port) => `http://127.0.0.1:${port}`);
  const [gatewayUrl] = gatewayUrls;
  const webhookUrl = `${apiUrls[0]}/platform/webhooks`;
  const { media = {} } = options;
  const platform = await startPlatform({ port: 0, appSecret: platformSecret, webhookUrl, media });
  lifetime.teardown(() => platform.stop());
  const env = processEnv({
    DATABASE_URL: databaseUrl,
    TEMPORAL_ADDRESS: temporalAddress,
    TEMPORAL_NAMESPACE: temporal.options.namespace,
    PLATFORM_API_URL: platform.url,
    PLATFORM_OAUTH_URL: `${platform.url}/dialog/oauth`,
    PLATFORM_APP_SECRET: platformSecret,
    // Scheduled checks would add calls to the platform at any time.
    CHANNEL_HEALTH_HOURS: '0',
    ...(gatewayUrl && { GATEWAY_URL: gatewayUrl }),
    ...options.env,
  });
  const onLine = (line: string): void => log.add(line);
  const apis = ports.map((port, index) => {
    const DATABASE_URL = urlFor('api', databaseUrl);
    const own = { DATABASE_URL, API_PORT: String(port), BASE_URL: `http://127.0.0.1:${port}` };
    return new ServiceProcess({ kind: 'api', number: index + 1, env: { ...env, ...own }, onLine });
  });
  const workers = Array.from({ length: options.workers ?? 1 }, (_, index) => {
    const own = { DATABASE_URL: urlFor('worker', databaseUrl), ...options.workerEnv?.[index] };
    return new ServiceProcess({ kind: 'worker', number: index + 1, env: { ...env, ...own }, onLine });
  });
  const gateways = gatewayPorts.map((port, index) => {
    const own = { DATABASE_URL: urlFor('gateway', databaseUrl), GATEWAY_PORT: String(port) };
    return new ServiceProcess({ kind: 'gateway', number: index + 1, env: { ...env, ...own }, onLine });
  });
  const processes = [...apis, ...workers, ...gateways];
  for (const one of processes) lifetime.teardown(() => endProcess(one));
  await Promise.all(processes.map((one) => one.start()));
  await untilRunsStart(log.lines, workers);
  return { db, databaseUrl, temporal, workers, apis, apiUrls, gateways, gatewayUrls, platformSecret, platform };
}

/** Adds an organization with a workspace, and clients with its key. */
export async function systemTenant({ db, apiUrls }: Pick<RunningSystem, 'db' | 'apiUrls'>): Promise<SystemTenant> {
  const tenant = await aTenant(db);
  const credentials = { apiKey: tenant.apiKey, workspaceId: tenant.workspace.publicId };
  const apiClients = apiUrls.map((baseUrl) => apiClient({ baseUrl, ...credentials }));
  return {
    tenant,
    apiClients,
    api: apiClients[0]!,
    async channel({ type = 'chatapp', webhookUrl } = {}) {
      const resourceId = `${firstDigits[type]}${randomBytes(6).readUIntBE(0, 6)}`;
      const channel = await aChannel(db, tenant.workspace, { type, resourceId });
      if (webhookUrl !== undefined) await aWebhook(db, channel, { url: webhookUrl });
      return { ...channel, resourceId };
    },
  };
}

/**
 * In a new namespace no run starts before the first version is current. That takes longer than a request waits if the
 * machine is busy.
 */
async function untilRunsStart(lines: readonly string[], workers: readonly ServiceProcess[]): Promise<void> {
  const isServing = (line: string): boolean => line.startsWith('worker ') && VERSION_KNOWN.test(line);
  const isServed = (): boolean => workers.every((worker) => !worker.hasVersion) || lines.some(isServing);
  await until(isServed, { for: 'The version of the workers', timeoutMs: VERSION_DEADLINE_MS });
}

function testTemporalAddress(): string {
  const { TEST_TEMPORAL_ADDRESS: address } = process.env;
  if (!address) throw new Error('TEST_TEMPORAL_ADDRESS is not set: run the tests with `npm test`');
  return address;
}
