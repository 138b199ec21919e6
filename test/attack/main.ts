import { randomInt } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readEnvFile } from '../../dev/settings/env-file.ts';
import type { StopList } from '../../dev/processes/stop-list.ts';
import { runReportCommand, say } from '../harness/system/report-command.ts';
import { attackClasses } from './classes.ts';
import { demoWorld } from './worlds/demo-world.ts';
import { call } from './cases/http-call.ts';
import { startOwnSystem } from './worlds/own-system.ts';
import { letThroughCount, reportText } from './cases/report.ts';
import { runAttack } from './cases/run-attack.ts';
import { type DemoSettings, requireLoopback } from './cases/world.ts';

/** Standard output contains only the report. */
const USAGE = `npm run attack -- [--class NAME]… [--cases N] [--seed S] [--only TEXT] [--minutes N] [--own]
  [--env FILE] [--log FILE] [--allow-remote]
Classes: ${attackClasses.map(({ name }) => name).join(', ')}.
It attacks the service of --env, .data/demo.env by default, and starts one of its own if none answers or with --own.`;

function readOptions() {
  const { values } = parseArgs({
    options: {
      class: { type: 'string', multiple: true, default: attackClasses.map(({ name }) => name) },
      cases: { type: 'string' },
      seed: { type: 'string', default: String(randomInt(1_000_000)) },
      only: { type: 'string' },
      minutes: { type: 'string', default: '60' },
      own: { type: 'boolean', default: false },
      env: { type: 'string', default: join(process.env['DATA_DIR'] ?? '.data', 'demo.env') },
      log: { type: 'string' },
      'allow-remote': { type: 'boolean', default: false },
    },
  });
  const classes = values.class.map((name) => attackClasses.find((one) => one.name === name));
  const known = classes.filter((one) => one !== undefined);
  const seed = Number(values.seed);
  const minutes = Number(values.minutes);
  const casesPerClass = values.cases === undefined ? undefined : Number(values.cases);
  const isGood = Number.isSafeInteger(seed) && minutes > 0 && (casesPerClass === undefined || casesPerClass >= 1);
  if (!isGood || known.length < classes.length) throw new Error('An option has an invalid value.');
  const { only, own, env, log } = values;
  return { classes: known, seed, minutes, casesPerClass, only, own, env, log, isRemoteAllowed: values['allow-remote'] };
}

async function isUp(settings: DemoSettings | undefined): Promise<boolean> {
  if (!settings?.['BASE_URL']) return false;
  const answer = await call(settings['BASE_URL'], 'GET /healthz').catch(() => undefined);
  return answer?.status === 200;
}

async function target({ own, env, log, isRemoteAllowed }: ReturnType<typeof readOptions>, stops: StopList) {
  const settings = own ? undefined : await readEnvFile(env);
  if (settings !== undefined && !isRemoteAllowed)
    requireLoopback([settings['BASE_URL'], settings['GATEWAY_URL']].flatMap((url) => url ?? []));
  if (await isUp(settings)) {
    say(`Attacking ${settings!['BASE_URL']}, which ${env} names.`);
    return await demoWorld(settings!, log !== undefined && existsSync(log) ? log : undefined);
  }
  const started = await startOwnSystem(stops, say);
  const demo = await readEnvFile(join(started.dataDir, 'demo.env'));
  return await demoWorld(demo ?? {}, started.logPath);
}

await runReportCommand({
  usage: USAGE,
  readOptions,
  run: async (options, stops) => {
    say(`Seed ${options.seed}.`);
    const world = await target(options, stops);
    const report = await runAttack({ ...options, world, deadlineMs: options.minutes * 60_000, say });
    return { text: reportText(report), json: report, isGood: letThroughCount(report) === 0 };
  },
});
