import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

/** Throws if promtool is missing. Debian has it in the package `prometheus`. */
export async function promtool(
  folder: string,
  ...parameters: readonly string[]
): Promise<{ status: number | null; said: string }> {
  const child = spawn('promtool', parameters, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  const said = Promise.all([text(child.stdout), text(child.stderr)]);
  const closed = once(child, 'close').catch((cause: unknown) => {
    throw new Error('promtool is missing. Install Prometheus (Debian: prometheus).', { cause });
  });
  await closed;
  return { status: child.exitCode, said: (await said).join('') };
}
