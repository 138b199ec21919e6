import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { READY_TEXT } from '../../../dev/demo/show-main-job.ts';
import { freePort } from '../../../dev/processes/ports.ts';
import type { StopList } from '../../../dev/processes/stop-list.ts';

const root = join(import.meta.dirname, '../../..');
const START_DEADLINE_MS = 10 * 60_000;
const LOOK_MS = 200;
/** `npm start` sends no more requests after this line. */
const UP = new RegExp(READY_TEXT);

/** All ports are replaced, so that `npm start` can run at the same time. */
const portSettings = [
  ...['API_PORT', 'GATEWAY_PORT', 'SIMULATOR_PORT', 'RECEIVER_PORT', 'SMTP_PORT', 'MAIL_INBOX_PORT'],
  ...['POSTGRES_PORT', 'TEMPORAL_PORT', 'TEMPORAL_UI_PORT'],
];

export interface OwnSystem {
  readonly dataDir: string;
  readonly logPath: string;
}

export async function startOwnSystem(stops: StopList, say: (text: string) => void): Promise<OwnSystem> {
  const dataDir = await mkdtemp(join(tmpdir(), 'messaging-channels-attack-'));
  stops.add({ name: 'folder', stop: () => rm(dataDir, { recursive: true, force: true }) });
  const ports = await Promise.all(portSettings.map(async (name) => [name, String(await freePort())] as const));
  const logPath = join(dataDir, 'attack.log');
  const { PATH, HOME } = process.env;
  const env = {
    PATH,
    HOME,
    ...Object.fromEntries(ports),
    DATA_DIR: dataDir,
    LOG_LEVEL: 'debug',
    START_LOGS: 'all',
    ...limits,
  };
  const child = spawn(process.execPath, [join(root, 'dev/start.ts')], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const log = createWriteStream(logPath);
  for (const output of [child.stdout, child.stderr]) output.on('data', (chunk: Buffer) => void log.write(chunk));
  process.once('exit', () => void child.kill('SIGTERM'));
  const ended = once(child, 'exit');
  stops.add({ name: 'the service', stop: async () => void (child.kill('SIGTERM'), await ended) });
  say('No service is running: starting one of its own. This takes a minute.');
  const lateAtMs = performance.now() + START_DEADLINE_MS;
  while (!(existsSync(logPath) && UP.test(readFileSync(logPath, 'utf8')))) {
    if (child.exitCode !== null || performance.now() > lateAtMs)
      throw new Error(readFileSync(logPath, 'utf8').slice(-4_000));
    await sleep(LOOK_MS);
  }
  return { dataDir, logPath };
}

/** The matrix sends thousands of requests with one credential. Limits by address keep their defaults. */
const limits = { RATE_LIMIT_PER_MINUTE: '1000000', EMAIL_CODES_PER_ADDRESS: '100', EMAIL_CODES_PER_CLIENT: '1000' };
