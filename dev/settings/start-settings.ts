import { join, resolve } from 'node:path';
import { type Config, readConfig } from '../../process/config.ts';
import { isFree, requireFreePorts, type WantedPort } from '../processes/ports.ts';
import { localSecrets } from './secrets.ts';

export interface StartPlan {
  readonly config: Config;
  readonly dataDir: string;
  readonly env: NodeJS.ProcessEnv;
  readonly baseUrl: string;
  readonly gatewayUrl: string;
  readonly simulatorUrl: string;
  readonly receiverUrl: string;
  readonly mailInboxUrl: string;
  readonly platformAppSecret: string;
  /** Undefined if `npm start` runs the server. */
  readonly databaseUrl: string | undefined;
  readonly temporalAddress: string | undefined;
}

const localDefaults = {
  DEPLOYMENT: 'development',
  EGRESS_ALLOW_CIDRS: '127.0.0.0/8,::1/128',
  // One user tries everything from one address.
  EMAIL_CODES_PER_ADDRESS: '100',
  EMAIL_CODES_PER_CLIENT: '1000',
  // The simulator processes an image in 2 s and a video in 20 s.
  CONTAINER_POLL_SECONDS: '1,1,1,2,2,5',
};

/** Those of the deployment files. A port in use turns the metrics of its process off. */
const metricsPorts = { API_METRICS_PORT: 9464, WORKER_METRICS_PORT: 9465, GATEWAY_METRICS_PORT: 9466 };

class InvalidSettings extends Error {
  override name = 'InvalidSettings';
}

/** Read before the other settings, because the lock is in this folder. */
export function dataFolder(): string {
  return resolve(checkedConfig(process.env).dataDir);
}

export async function planStart(dataDir: string): Promise<StartPlan> {
  const secrets = await localSecrets(join(dataDir, 'secrets.env'));
  const fromEnvironment = Object.fromEntries(Object.entries(process.env).filter(([, value]) => value?.trim()));
  const env: NodeJS.ProcessEnv = {
    ...localDefaults,
    ...(await freeMetricsPorts()),
    ...secrets,
    ...fromEnvironment,
  };
  const config = checkedConfig(env);
  const baseUrl = env['BASE_URL'] ? config.baseUrl : `http://127.0.0.1:${config.apiPort}`;
  const derived = {
    BASE_URL: baseUrl,
    API_HOST: config.apiHost,
    API_PORT: String(config.apiPort),
    GATEWAY_URL: config.gatewayUrl,
    GATEWAY_HOST: config.gatewayHost,
    GATEWAY_PORT: String(config.gatewayPort),
    SIMULATOR_PORT: String(config.simulatorPort),
    RECEIVER_PORT: String(config.receiverPort),
    SMTP_PORT: String(config.smtpPort),
    MAIL_INBOX_PORT: String(config.mailInboxPort),
    SMTP_URL: config.smtpUrl ?? `smtp://127.0.0.1:${config.smtpPort}`,
    LOG_LEVEL: config.logLevel,
    DATA_DIR: dataDir,
  };
  return {
    config,
    dataDir,
    env: { ...env, ...derived },
    baseUrl,
    gatewayUrl: config.gatewayUrl,
    simulatorUrl: `http://127.0.0.1:${config.simulatorPort}`,
    receiverUrl: `http://127.0.0.1:${config.receiverPort}`,
    mailInboxUrl: `http://127.0.0.1:${config.mailInboxPort}`,
    platformAppSecret: config.platformAppSecrets?.[0] ?? secrets.PLATFORM_APP_SECRET,
    databaseUrl: config.databaseUrl,
    temporalAddress: env['TEMPORAL_ADDRESS'] ? config.temporalAddress : undefined,
  };
}

async function freeMetricsPorts(): Promise<NodeJS.ProcessEnv> {
  const free = Object.entries(metricsPorts).map(async ([name, port]) => [
    name,
    String((await isFree(port)) ? port : 0),
  ]);
  return Object.fromEntries(await Promise.all(free));
}

export async function requirePorts({ config, databaseUrl, temporalAddress }: StartPlan): Promise<void> {
  const wanted: WantedPort[] = [
    { port: config.simulatorPort, setting: 'SIMULATOR_PORT', purpose: 'the platform simulator' },
    { port: config.receiverPort, setting: 'RECEIVER_PORT', purpose: 'the receiver' },
    { port: config.smtpPort, setting: 'SMTP_PORT', purpose: 'the mail server' },
    { port: config.mailInboxPort, setting: 'MAIL_INBOX_PORT', purpose: 'the mail inbox' },
    { port: config.apiPort, setting: 'API_PORT', purpose: 'the API' },
    { port: config.gatewayPort, setting: 'GATEWAY_PORT', purpose: 'the gateway' },
  ];
  if (!databaseUrl) wanted.push({ port: config.postgresPort, setting: 'POSTGRES_PORT', purpose: 'PostgreSQL' });
  if (!temporalAddress) {
    wanted.push(
      { port: config.temporalPort, setting: 'TEMPORAL_PORT', purpose: 'Temporal' },
      { port: config.temporalUiPort, setting: 'TEMPORAL_UI_PORT', purpose: "Temporal's Web UI" },
    );
  }
  await requireFreePorts(wanted);
}

function checkedConfig(env: NodeJS.ProcessEnv): Config {
  const reading = readConfig(env);
  if (reading.ok) return reading.config;
  throw new InvalidSettings(`Invalid settings:\n${reading.problems.map((line) => `  ${line}`).join('\n')}`);
}
