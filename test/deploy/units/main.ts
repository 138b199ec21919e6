import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { seedDemo, adminMain } from '../../../dev/demo/demo.ts';
import { showMainJob } from '../../../dev/demo/show-main-job.ts';
import { runOnce } from '../../../dev/processes/run-once.ts';
import { projectRoot } from '../../../dev/checks/source-files.ts';
import { findTemporal } from '../../../dev/temporal/temporal-binary.ts';
import { until } from '../../harness/until.ts';
import { addresses, startSimulator, startStage, type Stage } from '../pods/stage.ts';
import { exitWith, hasNeeded } from '../pods/run-by-hand.ts';
import { runCommand } from '../pods/run-command.ts';
import { makeRoot } from './debian-root.ts';
import { BOOT_TIMEOUT_MS, boot, type Machine, output, writableRoot } from './machine.ts';

/**
 * `npm run units`: boots a real systemd from Debian packages with systemd-nspawn, starts the units of deploy/systemd from
 * this checkout under it, sends an event through, kills and stops processes, and prints what systemd says.
 */
const usage = `Usage: npm run units
Needs Linux, root, and debootstrap, ip, mount, nsenter, systemd-nspawn and unshare (Debian: debootstrap iproute2
systemd-container), and \`npm run build\` before.`;

const needed = ['debootstrap', 'ip', 'mount', 'nsenter', 'systemd-nspawn', 'unshare'];
const units = ['worker@1', 'worker@2', 'api@1', 'gateway@1'].map((name) => `messaging-channels-${name}.service`);

function report(text: string): void {
  process.stdout.write(`[units] ${text}\n`);
}

async function prepare(): Promise<number> {
  if (!hasNeeded(needed, usage)) return 2;
  await findTemporal({ onProgress: report });
  const root = await makeRoot(report);
  const isolated = ['--net', '--mount', '--pid', '--fork', '--kill-child', '--mount-proc'];
  const inside = [...process.execArgv, import.meta.filename, '--root', root];
  const child = spawn('unshare', [...isolated, process.execPath, ...inside], { stdio: 'inherit' });
  const [code] = await once(child, 'exit');
  return code ?? 1;
}

/** As docs/self-hosting.md says. */
async function install(root: string, stage: Stage): Promise<NodeJS.ProcessEnv> {
  const env = {
    ...stage.secret,
    BASE_URL: 'http://127.0.0.1:3000',
    GATEWAY_URL: 'http://127.0.0.1:3001',
    TEMPORAL_ADDRESS: addresses.temporal,
    PLATFORM_CLIENT_ID: '1000',
    PLATFORM_API_URL: addresses.platform,
    PLATFORM_OAUTH_URL: `${addresses.platform}/dialog/oauth`,
    EGRESS_ALLOW_CIDRS: '10.77.0.0/16',
    DEPLOYMENT: 'development',
  };
  const folder = join(root, 'etc/messaging-channels');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const lines = (values: object): string =>
    Object.entries(values)
      .map(([name, value]) => `${name}=${value}\n`)
      .join('');
  await writeFile(join(folder, 'service.env'), lines(env), { mode: 0o600 });
  for (const [name, port] of [
    ['worker-1', 9465],
    ['worker-2', 9475],
  ] as const) {
    await writeFile(join(folder, `${name}.env`), lines({ WORKER_METRICS_PORT: port }), { mode: 0o600 });
  }
  const source = join(projectRoot, 'deploy/systemd');
  const wants = join(root, 'etc/systemd/system/multi-user.target.wants');
  await mkdir(wants, { recursive: true });
  await copyFile('/etc/hosts', join(root, 'etc/hosts'));
  for (const name of (await readdir(source)).filter((file) => file.endsWith('.service'))) {
    await copyFile(join(source, name), join(root, 'etc/systemd/system', name));
  }
  for (const unit of units) {
    const template = unit.replace(/@\d/, '@');
    await symlink(`/etc/systemd/system/${template}`, join(wants, unit)).catch(() => undefined);
  }
  return { ...process.env, ...env };
}

async function answers(url: string): Promise<boolean> {
  return fetch(url).then(
    (response) => response.ok,
    () => false,
  );
}

const ready = ['http://127.0.0.1:3000', 'http://127.0.0.1:3001', 'http://127.0.0.1:9465', 'http://127.0.0.1:9475'];

async function runUnits(kept: string): Promise<void> {
  const stage = await startStage(report);
  try {
    const folder = join(stage.folder, 'machine');
    await mkdir(folder);
    const root = await writableRoot(kept, folder);
    stage.stops.add({ name: 'root', stop: async () => void (await runCommand('umount', ['-l', folder])) });
    const env = await install(root, stage);
    await startSimulator(stage, 'http://127.0.0.1:3000/platform/webhooks');
    for (const command of ['migrate', 'register-search-attributes']) {
      await runOnce({ name: command, args: [adminMain, command], env, onLine: report });
    }
    const machine = await boot(root);
    stage.stops.add({ name: 'systemd', stop: machine.stop });
    report((await machine.run('systemd', '--version')).split('\n')[0] ?? '');
    for (const url of ready)
      await until(() => answers(`${url}/readyz`), {
        for: url,
        timeoutMs: BOOT_TIMEOUT_MS,
        detail: () => machine.run('journalctl', '-n', '40', '--no-pager'),
      });
    await sendEvent(env, stage);
    await checkUnits(machine);
    report('Passed.');
  } finally {
    await stage.stops.stopAll();
  }
}

async function sendEvent(env: NodeJS.ProcessEnv, { secret }: Stage): Promise<void> {
  const { signal } = new AbortController();
  const tenants = await seedDemo({ env, onLine: report, signal });
  const unused = { temporalUiUrl: undefined, temporalAddress: addresses.temporal, databaseUrl: '', mailInboxUrl: '' };
  await showMainJob({
    addresses: {
      baseUrl: 'http://127.0.0.1:3000',
      gatewayUrl: 'http://127.0.0.1:3001',
      simulatorUrl: addresses.platform,
      receiverUrl: addresses.receiver,
      platformAppSecret: secret['PLATFORM_APP_SECRET'] ?? '',
      ...unused,
    },
    tenants,
    namespace: 'default',
    demoEnvPath: 'demo.env',
    say: report,
    signal,
  });
}

/** A killed process comes back, and a stopped one ends by itself within its time. */
async function checkUnits({ systemctl, run }: Machine): Promise<void> {
  for (const unit of units) {
    const before = (await systemctl('show', unit, '--property=MainPID', '--value')).trim();
    await systemctl('kill', '--signal=KILL', unit);
    const restarted = async (): Promise<boolean> => {
      const text = await systemctl('show', unit, '--property=MainPID,ActiveState', '--value');
      return (
        text.includes('active') &&
        !text.includes('inactive') &&
        !text.split('\n').includes(before) &&
        !text.split('\n').includes('0')
      );
    };
    await until(restarted, { for: `a restart of ${unit}` });
  }
  for (const url of ready) await until(() => answers(`${url}/readyz`), { for: url, timeoutMs: BOOT_TIMEOUT_MS });
  for (const unit of units) {
    const startedAtMs = performance.now();
    await systemctl('stop', unit);
    const seconds = Math.round((performance.now() - startedAtMs) / 100) / 10;
    const state = await systemctl('show', unit, '--property=Result,ExecMainCode,ExecMainStatus,NRestarts');
    const exposure = (await run('systemd-analyze', 'security', '--no-pager', unit).catch(output))
      .trim()
      .split('\n')
      .at(-1);
    report(`${unit}: stopped in ${seconds} s; ${state.trim().split('\n').join(' ')}; ${exposure}`);
    if (!state.includes('Result=success') || !state.includes('ExecMainStatus=0'))
      throw new Error(`${unit} did not stop cleanly.`);
  }
}

async function main(): Promise<number> {
  const { values } = parseArgs({ options: { root: { type: 'string' }, help: { type: 'boolean' } } });
  if (values.help) {
    report(usage);
    return 0;
  }
  if (values.root === undefined) return prepare();
  await runUnits(values.root);
  return 0;
}

await exitWith(main);
