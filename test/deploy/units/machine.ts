import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { projectRoot } from '../../../dev/checks/source-files.ts';
import { until } from '../../harness/until.ts';
import { runCommand } from '../pods/run-command.ts';

export const BOOT_TIMEOUT_MS = 180_000;

/** A systemd in a container that shares this process's network. */
export interface Machine {
  readonly systemctl: (...args: readonly string[]) => Promise<string>;
  readonly run: (...command: readonly string[]) => Promise<string>;
  readonly stop: () => Promise<void>;
}

export async function boot(root: string): Promise<Machine> {
  const options = ['--register=no', '--keep-unit', '--volatile=no', `--bind-ro=${projectRoot}:/opt/messaging-channels`];
  const container = spawn('systemd-nspawn', ['-D', root, ...options, '--console=pipe', '--boot'], { stdio: 'ignore' });
  const leader = await until(() => leaderOf(container), { for: "the container's systemd", timeoutMs: BOOT_TIMEOUT_MS });
  const run = (...command: readonly string[]): Promise<string> =>
    runCommand('nsenter', ['-t', String(leader), '--mount', '--pid', '--uts', '--ipc', '--root', '--wd=/', ...command]);
  const systemctl = (...args: readonly string[]): Promise<string> => run('systemctl', ...args);
  const isUp = async (): Promise<boolean> =>
    /running|degraded/.test(await systemctl('is-system-running').catch(output));
  await until(isUp, { for: 'the boot', timeoutMs: BOOT_TIMEOUT_MS });
  return {
    run,
    systemctl,
    async stop() {
      const exited = once(container, 'exit');
      process.kill(leader, 'SIGKILL');
      await exited;
    },
  };
}

/** What a failed command printed. */
export const output = (error: unknown): string =>
  error instanceof Error && 'stdout' in error ? String(error.stdout) : String(error);

async function leaderOf(container: ChildProcess): Promise<number | undefined> {
  if (container.exitCode !== null) throw new Error(`systemd-nspawn ended with ${container.exitCode}.`);
  const text = await readFile(`/proc/${container.pid}/task/${container.pid}/children`, 'utf8').catch(() => '');
  for (const pid of text.trim().split(' ').filter(Boolean)) {
    const name = await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '');
    if (name.trim() === 'systemd') return Number(pid);
  }
  return undefined;
}

/** Changes are kept in memory. This process has its own mounts. */
export async function writableRoot(kept: string, folder: string): Promise<string> {
  await runCommand('mount', ['-t', 'tmpfs', 'tmpfs', folder]);
  const [upper, work, root] = ['upper', 'work', 'root'].map((name) => join(folder, name)) as [string, string, string];
  for (const path of [upper, work, root]) await mkdir(path);
  await runCommand('mount', [
    '-t',
    'overlay',
    '-o',
    `lowerdir=${kept},upperdir=${upper},workdir=${work}`,
    'overlay',
    root,
  ]);
  return root;
}
