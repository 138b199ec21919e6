import test, { type ExecutionContext } from 'ava';
import { testApi } from '../../harness/api/api.ts';
import { aChannel, aTenant } from '../../harness/tenants.ts';
import { insertWorkspace } from '../../../db/organizations/workspaces.ts';

async function usageStage(t: ExecutionContext) {
  const api = await testApi(t);
  const { db } = api;
  const mine = await aTenant(db);
  const other = await aTenant(db);
  const customer = await insertWorkspace(db, { organizationId: mine.organization.id, name: 'Shop', kind: 'customer' });
  const first = await aChannel(db, mine.workspace);
  const second = await aChannel(db, customer);
  const foreign = await aChannel(db, other.workspace);
  const add = async (day: string, { tenant = mine, workspace = mine.workspace, channel = first, events = 1 } = {}) =>
    await db('usage_days').insert({
      day,
      organization_id: tenant.organization.id,
      workspace_id: workspace.id,
      channel_id: channel.id,
      events,
      deliveries: 2 * events,
      attempts: 3 * events,
      sends: 4,
      publishes: 5,
    });
  await add('2026-01-30', { events: 10 });
  await add('2026-01-31', { events: 100 });
  await add('2026-01-31', { workspace: customer, channel: second, events: 7 });
  await add('2026-02-01', { events: 1_000 });
  await add('2026-01-31', { tenant: other, workspace: other.workspace, channel: foreign, events: 999_999 });
  const route = `GET /organizations/${mine.organization.publicId}/usage`;
  const read = async (query: string, key = mine.apiKey) => (await api.call(`${route}?${query}`, { key })).body;
  return { ...api, mine, other, customer, first, second, foreign, route, read };
}

const span = 'since=2026-01-01&until=2026-03-01';

test('usage is summed by day and month at each level', async (t) => {
  const { read, mine, customer, first, second } = await usageStage(t);
  const events = async (query: string) => (await read(`${span}&${query}`)).usage.map(pick);
  const pick = ({ day, events: count }: { day: string; events: number }) => [day, count];
  t.deepEqual(await events(''), [['2026-01-30', 10], ['2026-01-31', 107], ['2026-02-01', 1_000]]); // prettier-ignore
  t.deepEqual(await events('groupBy=month'), [['2026-01-01', 117], ['2026-02-01', 1_000]]); // prettier-ignore
  t.deepEqual(await events(`workspaceId=${customer.publicId}`), [['2026-01-31', 7]]);
  t.deepEqual(await events(`channelId=${first.publicId}&groupBy=month`), [['2026-01-01', 110], ['2026-02-01', 1_000]]); // prettier-ignore
  const { usage } = await read(`${span}&by=channel&groupBy=month`);
  t.like(usage[0], { workspaceId: mine.workspace.publicId, channelId: first.publicId, deliveries: 220, attempts: 330 });
  t.like(usage[1], { workspaceId: customer.publicId, channelId: second.publicId, sends: 4, publishes: 5 });
  t.like((await read(`${span}&by=workspace`)).usage[0], { workspaceId: mine.workspace.publicId, channelId: null });
});

test('usage excludes the last day and defaults to 30 days', async (t) => {
  const { read } = await usageStage(t);
  const { usage } = await read('since=2026-01-30&until=2026-01-31');
  t.is(usage.length, 1);
  const body = await read('');
  t.deepEqual([body.usage, body.countedUntil, body.isComplete], [[], null, true]);
  t.is((Date.parse(body.until) - Date.parse(body.since)) / 86_400_000, 31);
});

test('usage is a CSV file with the same rows', async (t) => {
  const { url, mine, second, customer } = await usageStage(t);
  const route = `${url}/organizations/${mine.organization.publicId}/usage/csv?${span}&by=channel&workspaceId=${customer.publicId}`;
  const answer = await fetch(route, { headers: { authorization: `Bearer ${mine.apiKey}` } });
  t.is(answer.headers.get('content-type'), 'text/csv; charset=utf-8');
  t.is(
    await answer.text(),
    `day,workspaceId,channelId,events,deliveries,attempts,sends,publishes\r\n2026-01-31,${customer.publicId},${second.publicId},7,14,21,4,5\r\n`,
  );
});

test('usage takes no workspace or channel of another organization', async (t) => {
  const { refused, mine, other, foreign, route } = await usageStage(t);
  const { apiKey: key } = mine;
  await refused('WORKSPACE_NOT_FOUND', `${route}?workspaceId=${other.workspace.publicId}`, { key });
  await refused('CHANNEL_NOT_FOUND', `${route}?channelId=${foreign.publicId}`, { key });
});

test('unusable spans and fields of usage are refused', async (t) => {
  const { refused, mine, route } = await usageStage(t);
  const { apiKey: key } = mine;
  const queries = [
    'since=yesterday',
    'since=0000-01-01&until=0000-02-01',
    'since=2026-02-01&until=2026-02-01',
    'since=2020-01-01&until=2026-01-01',
    'groupBy=week',
    'by=person',
    'cursor=1',
    'workspaceId=ws_1',
  ];
  for (const query of queries) await refused('VALIDATION_ERROR', `${route}?${query}`, { key });
});
