import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Knex } from 'knex';
import { connectDatabase } from '../../../db/core/connect-database.ts';
import { migrate } from '../../../db/migrate.ts';
import { freePort } from '../../../dev/processes/ports.ts';
import { projectRoot } from '../../../dev/checks/source-files.ts';
import type { StopList } from '../../../dev/processes/stop-list.ts';
import { type Platform, startPlatform } from '../../../simulator/platform.ts';
import { aToken } from '../../harness/channels/channel-tokens.ts';
import { aWebhook } from '../../harness/deliveries/ledger.ts';
import { type ApiClient, apiClient } from '../../harness/system/api-client.ts';
import { CapturedLog } from '../../harness/system/captured-log.ts';
import { aChannel, aTenant, type TestChannel } from '../../harness/tenants.ts';
import { SupervisedProcess } from '../supervised-process.ts';
import { type MoodyReceiver, moods, startMoodyReceiver } from './moody-receiver.ts';
import { type RestorableServers, startRestorableServers } from './restore-servers.ts';
import { processEnv } from '../../harness/system/process-env.ts';

export interface RestoreStage extends RestorableServers {
  readonly receiver: MoodyReceiver;
  readonly platform: Platform;
  readonly api: ApiClient;
  readonly apiUrl: string;
  readonly platformSecret: string;
  readonly resourceIds: readonly string[];
  readonly photo: TestChannel;
  readonly tokenOf: TestChannel;
  readonly firstToken: string;
  readonly log: CapturedLog;
  /** Starts a worker and an API. The returned function kills them. */
  startService(temporalAddress: string): Promise<() => Promise<void>>;
  /** Runs a command of the operators and returns what it prints. */
  admin(temporalAddress: string, ...args: string[]): Promise<any>; // eslint-disable-line @typescript-eslint/no-explicit-any -- each command's own shape
  onDatabase<Result>(act: (db: Knex) => Promise<Result>): Promise<Result>;
}

/** Long enough for a slow machine, so that nothing is exhausted. */
const SCHEDULE_SECONDS = [0.5, 1, 2, 3, ...Array<number>(20).fill(5), ...Array<number>(20).fill(60)];
const run = promisify(execFile);
const OLD_KEY = `test:${Buffer.alloc(32, 7).toString('base64')}`;

export async function startRestoreStage(stops: StopList): Promise<RestoreStage> {
  const servers = await startRestorableServers(stops);
  const { url } = servers.archive;
  const onDatabase: RestoreStage['onDatabase'] = async (act) => {
    const db = connectDatabase({ url, applicationName: 'restore', poolSize: 2 });
    return await act(db).finally(() => db.destroy());
  };
  const receiver = await startMoodyReceiver(stops);
  const platformSecret = randomBytes(16).toString('hex');
  const apiPort = await freePort();
  const apiUrl = `http://127.0.0.1:${apiPort}`;
  const webhookUrl = `${apiUrl}/platform/webhooks`;
  const platform = await startPlatform({ port: 0, appSecret: platformSecret, webhookUrl });
  stops.add({ name: 'platform', stop: () => platform.stop() });
  const { tenant, ...rows } = await onDatabase((db) => seed(db, receiver));
  const log = new CapturedLog();
  const env = processEnv({
    DATABASE_URL: url,
    PLATFORM_API_URL: platform.url,
    PLATFORM_APP_SECRET: platformSecret,
    API_PORT: String(apiPort),
    BASE_URL: apiUrl,
    // The newer key was made after the moment of the restore.
    ENCRYPTION_KEYS: `${OLD_KEY},newer:${Buffer.alloc(32, 8).toString('base64')}`,
    RETRY_SCHEDULE_SECONDS: SCHEDULE_SECONDS.join(),
    CIRCUIT_PROBE_SECONDS: '0.5,1',
    CONTAINER_POLL_SECONDS: '1',
    CONVERSATION_HOLD_SECONDS: '86400',
  });
  const api = apiClient({ baseUrl: apiUrl, apiKey: tenant.apiKey, workspaceId: tenant.workspace.publicId });
  return {
    ...servers,
    ...rows,
    receiver,
    platform,
    api,
    apiUrl,
    platformSecret,
    log,
    onDatabase,
    async startService(temporalAddress) {
      const settings = { ...env, TEMPORAL_ADDRESS: temporalAddress };
      const onLine = (line: string): void => log.add(line);
      const processes = (['api', 'worker'] as const).map(
        (kind) => new SupervisedProcess({ kind, number: 1, env: settings, onLine }, stops),
      );
      for (const one of processes) await one.start();
      return async () => void (await Promise.all(processes.map((one) => one.kill9())));
    },
    async admin(temporalAddress, ...args) {
      const { stdout } = await run(process.execPath, [join(projectRoot, 'admin/main.ts'), ...args], {
        env: { ...env, TEMPORAL_ADDRESS: temporalAddress },
      });
      return JSON.parse(stdout);
    },
  };
}

async function seed(db: Knex, receiver: MoodyReceiver) {
  await migrate(db);
  const tenant = await aTenant(db);
  const number = (): number => randomBytes(6).readUIntBE(0, 6);
  const resourceIds: string[] = [];
  let tokenOf: TestChannel | undefined;
  for (const mood of moods) {
    const resourceId = `1${number()}`;
    const channel = await aChannel(db, tenant.workspace, { resourceId });
    await aWebhook(db, channel, { url: receiver.url(mood) });
    resourceIds.push(resourceId);
    tokenOf ??= channel;
  }
  const photo = await aChannel(db, tenant.workspace, { type: 'photoapp', resourceId: `2${number()}` });
  return { tenant, resourceIds, photo, tokenOf: tokenOf!, firstToken: await aToken(db, tokenOf!) };
}
