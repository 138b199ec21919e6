import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectRoot } from '../../../dev/checks/source-files.ts';
import { startPostgres } from '../../../dev/postgres/embedded-postgres.ts';
import { StopList } from '../../../dev/processes/stop-list.ts';
import { findTemporal } from '../../../dev/temporal/temporal-binary.ts';
import { startTemporal } from '../../../dev/temporal/temporal-server.ts';
import { settings } from '../../../process/settings.ts';
import { type Network, startNetwork } from './network.ts';

export interface Stage {
  readonly folder: string;
  readonly network: Network;
  /** Keys of the chart's `existingSecret`. */
  readonly secret: Readonly<Record<string, string>>;
  readonly stops: StopList;
}

const PORT = { postgres: 5432, temporal: 7233, simulator: 4010, receiver: 4011 };

/** What the chart expects outside: PostgreSQL, Temporal, the platform and a receiver, each under a name of its own. */
export async function startStage(report: (text: string) => void): Promise<Stage> {
  const stops = new StopList(report);
  const folder = await mkdtemp(join(tmpdir(), 'pods-'));
  await chmod(folder, 0o711);
  stops.add({ name: 'folder', stop: () => rm(folder, { recursive: true, force: true }) });
  const network = await startNetwork(folder);
  stops.add({ name: 'network', stop: async () => network.stop() });
  const dataDir = join(folder, 'postgres');
  const postgres = await startPostgres({ dataDir, port: PORT.postgres, durable: false, onProgress: report });
  stops.add({ name: 'PostgreSQL', stop: postgres.stop });
  const binary = await findTemporal({ onProgress: report });
  const quiet = { databaseFile: null, uiPort: null, onProgress: report, log: () => undefined };
  const temporal = await startTemporal({ binary, port: PORT.temporal, ...quiet });
  stops.add({ name: 'Temporal', stop: temporal.stop });

  const local = (port: number) => ({ [port]: () => [{ host: '127.0.0.1', port }] });
  const postgresAddress = await network.addService('postgres.database', local(PORT.postgres));
  await network.addService('temporal-frontend.temporal', local(PORT.temporal));
  await network.addService('platform.example', local(PORT.simulator));
  await network.addService('receiver.example', local(PORT.receiver));
  const url = new URL(postgres.url);
  url.hostname = postgresAddress;
  const secret = {
    DATABASE_URL: url.href,
    ENCRYPTION_KEYS: `k1:${randomBytes(32).toString('base64')}`,
    PLATFORM_APP_SECRET: randomBytes(32).toString('hex'),
    PLATFORM_VERIFY_TOKEN: randomBytes(24).toString('base64url'),
  };
  return { folder, network, secret, stops };
}

/** The platform and the receiver. `webhookUrl` is the API's Service. */
export async function startSimulator({ secret, stops }: Stage, webhookUrl: string): Promise<void> {
  const child = spawn(process.execPath, [join(projectRoot, 'simulator/main.ts')], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      ...secret,
      [settings.simulatorPort.name]: String(PORT.simulator),
      [settings.receiverPort.name]: String(PORT.receiver),
      [settings.platformWebhookUrl.name]: webhookUrl,
      [settings.developmentHosts.name]: 'platform.example,receiver.example',
      [settings.logLevel.name]: 'info',
    },
  });
  stops.add({
    name: 'simulator',
    async stop() {
      if (child.exitCode !== null) return;
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      await exited;
    },
  });
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => String(chunk).includes('simulator.started') && resolve());
    child.once('exit', (code) => reject(new Error(`The simulator ended with ${code}.`)));
  });
}

/** As clients and the values of the chart name them. */
export const addresses = {
  api: 'http://c-messaging-channels-api',
  gateway: 'http://c-messaging-channels-gateway',
  platform: `http://platform.example:${PORT.simulator}`,
  receiver: `http://receiver.example:${PORT.receiver}`,
  temporal: `temporal-frontend.temporal:${PORT.temporal}`,
};
