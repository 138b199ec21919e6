import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { describeAlert } from '../../contract/alerts/describe-alert.ts';
import { alertKindNames, alertKinds } from '../../contract/alerts/kinds.ts';
import { projectRoot } from '../../dev/checks/source-files.ts';
import { alertCallSchema, alertWebhookInput } from '../../openapi/alerts/webhook-routes.ts';
import { alertListQuery } from '../../openapi/alerts/routes.ts';
import { routes } from '../../openapi/route-table.ts';
import { cliStage } from '../cli/api-stage.ts';
import { testCli } from '../cli/cli-run.ts';
import { anAlert } from '../harness/deliveries/alerts.ts';
import { aSession } from '../harness/people/sessions.ts';

const text = readFileSync(join(projectRoot, 'docs/alerts.md'), 'utf8');
const [preferences = '', call = ''] = [...text.matchAll(/```json\n(.*?)```/gs)].map(([, example]) => example);

test('the call of the guide has the documented shape and words', (t) => {
  const { count, alerts } = alertCallSchema.parse(JSON.parse(call));
  t.is(count, alerts.length);
  for (const { kind, severity, title, description, subject, occurrences } of alerts) {
    t.like({ severity, title }, { severity: alertKinds[kind].severity, title: alertKinds[kind].title });
    t.is(description, describeAlert({ kind, label: subject.label, occurrences, reason: 'gone' }));
    t.is(subject.id === null, subject.type === 'webhook');
  }
});

test('the guide lists every kind with its severity', (t) => {
  for (const kind of alertKindNames) t.regex(text, new RegExp(`\`${kind}\` +\\| ${alertKinds[kind].severity}`));
});

test('the on-call guide names every kind of alert', (t) => {
  const onCall = readFileSync(join(projectRoot, 'docs/on-call.md'), 'utf8');
  t.deepEqual(
    alertKindNames.filter((kind) => !onCall.includes(`\`${kind}\``)),
    [],
  );
});

test('the calls of the guide exist and their bodies are valid', (t) => {
  const calls = [...text.matchAll(/curl (?:-s )?(?:-X (\w+) )?"\$BASE_URL(\/[^"?]*)(?:\?([^"]*))?"((?:[^\n]|\\\n)*)/g)];
  t.is(calls.length, 7);
  for (const [, method = 'GET', path = '', query, rest = ''] of calls) {
    const template = path.replace('$alert', '{alr}').replace('$SERVICE_ORGANIZATION_ID', '{org}');
    const route = routes.find((one) => one.path === template && one.method === method.toLowerCase());
    t.truthy(route, `${method} ${path}`);
    if (query !== undefined)
      t.true(alertListQuery.safeParse(Object.fromEntries(new URLSearchParams(query))).success, query);
    const [, body] = /-d '([^']*)'/.exec(rest) ?? [];
    if (body !== undefined && method === 'PUT') t.true(alertWebhookInput.safeParse(JSON.parse(body)).success, body);
  }
});

test('the commands of the guide run', async (t) => {
  const { cli, url, db, user, organization, workspace, ws } = await cliStage(t);
  const alr = await anAlert(db, { organizationId: organization.id, workspaceId: workspace.id });
  for (const word of ['get', 'acknowledge', 'unmute']) t.is((await cli.json(`alerts ${word} ${alr}`)).alertId, alr);
  const { accessToken } = await aSession(db, user);
  const own = await testCli(t, { BASE_URL: url, SERVICE_API_KEY: accessToken });
  const lines = text.split('\n').filter((line) => line.startsWith('channels alerts preferences'));
  t.is(lines.length, 2);
  const stdin = preferences.replace('ws_00000000', ws);
  for (const line of lines) {
    const args = line.replace('rules.json', '-').split(' ').slice(1);
    t.deepEqual(await own.json(args, { stdin }), JSON.parse(stdin));
  }
  t.regex((await own.run('alerts preferences show')).stdout, /all +critical +all[\s\S]* all +replay\.failed/);
  t.regex(await cli.fails(3, 'alerts preferences show'), /FORBIDDEN|session/i);
});
