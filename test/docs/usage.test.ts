import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { projectRoot } from '../../dev/checks/source-files.ts';
import { unusableSpan, usageQuery } from '../../openapi/usage/routes.ts';
import { cliStage } from '../cli/api-stage.ts';
import { commandsOf } from './markdown.ts';

const guide = readFileSync(join(projectRoot, 'docs/usage.md'), 'utf8');

test('the query of the usage guide is valid', (t) => {
  const [, query = ''] =
    /curl "\$BASE_URL\/organizations\/\$SERVICE_ORGANIZATION_ID\/usage\?([^"]+)"/.exec(guide) ?? [];
  const parameters = Object.fromEntries(new URLSearchParams(query));
  t.true(usageQuery.safeParse(parameters).success);
  t.deepEqual(unusableSpan({ query: parameters, nowMs: Date.now() } as never), []);
});

test('the commands of the usage guide run', async (t) => {
  const { cli } = await cliStage(t);
  const commands = commandsOf(guide);
  t.is(commands.length, 2);
  const [byMonth = [], csv = []] = commands;
  t.deepEqual((await cli.json(byMonth)).usage, []);
  const { code, stdout } = await cli.run(csv);
  t.is(code, 0);
  t.regex(stdout, /^day,/);
});
