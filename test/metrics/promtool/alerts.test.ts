import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import test from 'ava';
import { projectRoot } from '../../../dev/checks/source-files.ts';

const folder = join(projectRoot, 'deploy/prometheus');

/** Throws if promtool is missing. Debian has it in the package `prometheus`. */
async function promtool(...parameters: readonly string[]): Promise<{ status: number | null; said: string }> {
  const child = spawn('promtool', parameters, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  const said = Promise.all([text(child.stdout), text(child.stderr)]);
  const closed = once(child, 'close').catch((cause: unknown) => {
    throw new Error('promtool is missing. Install Prometheus (Debian: prometheus).', { cause });
  });
  await closed;
  return { status: child.exitCode, said: (await said).join('') };
}

test('Prometheus accepts the rules', async (t) => {
  const { status, said } = await promtool('check', 'rules', '--lint=all', '--lint-fatal', 'alerts.yaml');
  t.is(status, 0, said);
});

test('Prometheus accepts the example configuration', async (t) => {
  const { status, said } = await promtool('check', 'config', 'prometheus.yaml');
  t.is(status, 0, said);
});

for (const name of readdirSync(join(folder, 'tests'))) {
  test(`alerts fire and do not fire as ${name} says`, async (t) => {
    const { status, said } = await promtool('test', 'rules', join('tests', name));
    t.is(status, 0, said);
  });
}
