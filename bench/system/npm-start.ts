import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { READY_TEXT } from '../../dev/demo/show-main-job.ts';
import { freePort } from '../../dev/processes/ports.ts';
import type { StopList } from '../../dev/processes/stop-list.ts';
import { readEnvFile } from '../../dev/settings/env-file.ts';

export interface NpmStarted {
  readonly databaseUrl: string;
  readonly temporalAddress: string;
  readonly encryptionKey: { readonly id: string; readonly bytes: Buffer };
  readonly appSecret: string;
  readonly apiPort: number;
  /** The file with everything that it prints. */
  readonly logPath: string;
}

export interface NpmStart {
  /** Its data. */
  readonly folder: string;
  /** Optional. A folder with the sources and their packages. Default: this tree. */
  readonly root?: string;
  readonly stops: StopList;
  readonly pids: Record<string, number | undefined>;
  readonly say: (text: string) => void;
}

const tree = join(import.meta.dirname, '../..');
const portSettings = [
  'API_PORT',
  'GATEWAY_PORT',
  'SIMULATOR_PORT',
  'RECEIVER_PORT',
  'SMTP_PORT',
  'MAIL_INBOX_PORT',
  'POSTGRES_PORT',
  'TEMPORAL_PORT',
  'TEMPORAL_UI_PORT',
] as const;
/** The first start creates the databases, builds the sites and bundles the workflows, on a machine that may be busy. */
const READY_DEADLINE_MS = 10 * 60_000;
const STOP_DEADLINE_MS = 180_000;
const POLL_MS = 100;
/** The supervisor's own time counts as well. Its children are counted by their names. */
export const SUPERVISOR = 'supervisor';

/** Runs `npm start` as a person does, with a data folder and ports of its own. */
export async function npmStart({ folder, root = tree, stops, pids, say }: NpmStart): Promise<NpmStarted> {
  const ports = Object.fromEntries(
    await Promise.all(portSettings.map(async (name) => [name, String(await freePort())] as const)),
  );
  const logPath = join(folder, 'npm-start.log');
  const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], DATA_DIR: folder, ...ports };
  const output = openSync(logPath, 'w', 0o600);
  say('npm start');
  const child = spawn(process.execPath, ['-r', './dev/checks/pinned-node.cjs', 'dev/start.ts'], {
    cwd: root,
    env,
    stdio: ['ignore', output, output],
    detached: true,
  });
  closeSync(output);
  const ended = once(child, 'exit');
  stops.add({
    name: 'npm start',
    async stop() {
      const force = setTimeout(() => child.kill('SIGKILL'), STOP_DEADLINE_MS);
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
      await ended;
      clearTimeout(force);
    },
  });
  const lateAtMs = performance.now() + READY_DEADLINE_MS;
  while (!(await readFile(logPath, 'utf8')).includes(READY_TEXT)) {
    if (child.exitCode !== null || performance.now() > lateAtMs) {
      throw new Error(`npm start did not come up:\n${(await readFile(logPath, 'utf8')).slice(-3_000)}`);
    }
    await sleep(POLL_MS);
  }
  const children: { name: string; pid: number }[] = JSON.parse(await readFile(join(folder, 'pids.json'), 'utf8'));
  for (const { name, pid } of children) pids[name] = pid;
  pids[SUPERVISOR] = child.pid;
  return { ...(await addresses(folder)), apiPort: Number(ports['API_PORT']), logPath };
}

async function addresses(folder: string): Promise<Omit<NpmStarted, 'apiPort' | 'logPath'>> {
  const values = {
    ...(await readEnvFile(join(folder, 'secrets.env'))),
    ...(await readEnvFile(join(folder, 'demo.env'))),
  };
  const [id, key] = values['ENCRYPTION_KEYS']!.split(':');
  return {
    databaseUrl: values['DATABASE_URL']!,
    temporalAddress: values['TEMPORAL_ADDRESS']!,
    encryptionKey: { id: id!, bytes: Buffer.from(key!, 'base64') },
    appSecret: values['PLATFORM_APP_SECRET']!,
  };
}
