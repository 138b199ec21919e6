import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { ExecutionContext } from 'ava';
import { until } from '../../harness/until.ts';
import type { ShellBlock } from '../shell-blocks.ts';

export interface GuideShell {
  /** Runs a block unchanged. Returns what it printed. Throws if a command of it fails. */
  run(block: Pick<ShellBlock, 'code' | 'page' | 'line'>): Promise<string>;
  /** Also ends the receivers that blocks started in the background. */
  end(): Promise<void>;
}

export interface GuideShellOptions {
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Includes the start of receivers in other languages. */
const BLOCK_DEADLINE_MS = 240_000;

/** One shell for the blocks of a page, like the terminal of a reader. A failed command or unset variable ends it. */
export async function guideShell(t: ExecutionContext<unknown>, options: GuideShellOptions): Promise<GuideShell> {
  const scripts = await mkdtemp(join(tmpdir(), 'messaging-channels-blocks-'));
  const { env, folder } = options;
  const ownPath = `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`;
  const child = spawn('bash', ['--norc', '-euo', 'pipefail'], {
    cwd: folder,
    env: { HOME: folder, PATH: ownPath, TERM: 'dumb', ...env },
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const gone = once(child, 'exit');
  let isGone = false;
  void gone.then(() => (isGone = true));
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const end = async (): Promise<void> => {
    if (child.pid !== undefined) killGroup(child.pid);
    await gone;
    await rm(scripts, { recursive: true, force: true });
  };
  t.teardown(end);
  let count = 0;
  return {
    end,
    async run({ code, page, line }) {
      count += 1;
      const script = join(scripts, `${count}.sh`);
      const mark = `end-of-block-${count}-${process.pid}`;
      await writeFile(script, code);
      const start = output.length;
      child.stdin.write(`. '${script}' < /dev/null\nprintf '%s\\n' '${mark}'\n`);
      const printed = (): string => output.slice(start);
      await until(() => isGone || printed().includes(`${mark}\n`), {
        for: `The block at ${page}:${line}`,
        timeoutMs: BLOCK_DEADLINE_MS,
        detail: printed,
      });
      if (!printed().includes(`${mark}\n`))
        throw new Error(`A command at ${page}:${line} failed:\n${code}\n${printed()}`);
      return printed().replace(`${mark}\n`, '');
    },
  };
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}
