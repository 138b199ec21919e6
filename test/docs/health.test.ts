import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { healthReasonNames, healthReasons } from '../../contract/channels/health.ts';
import { projectRoot } from '../../dev/checks/source-files.ts';
import { channelHealthQuery, channelHealthSchema } from '../../openapi/channels/health-routes.ts';
import { routes } from '../../openapi/route-table.ts';

const text = readFileSync(join(projectRoot, 'docs/health.md'), 'utf8');

test('the example of the guide has the documented shape', (t) => {
  const [, example = ''] = /```json\n(.*?)```/s.exec(text) ?? [];
  const health = channelHealthSchema.parse(JSON.parse(example));
  for (const { code, message, severity } of health.reasons) t.like(healthReasons[code], { message, severity });
});

test('the calls of the guide exist', (t) => {
  const calls = [...text.matchAll(/curl (?:-X (\w+) )?"\$BASE_URL(\/[^"?]*)(?:\?([^"]*))?"/g)];
  t.is(calls.length, 3);
  for (const [, method = 'GET', path = '', query] of calls) {
    const template = path.replace('$CHATAPP_CHANNEL_ID', '{ch}').replace('$SERVICE_WORKSPACE_ID', '{ws}');
    t.truthy(
      routes.find((route) => route.path === template && route.method === method.toLowerCase()),
      `${method} ${path}`,
    );
    if (query !== undefined)
      t.true(channelHealthQuery.safeParse(Object.fromEntries(new URLSearchParams(query))).success);
  }
});

test('the guide lists every reason with its status', (t) => {
  for (const name of healthReasonNames)
    t.regex(text, new RegExp(`\`${name}\` +\\| \`${healthReasons[name].severity}\``));
});
