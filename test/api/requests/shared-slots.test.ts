import test, { type ExecutionContext } from 'ava';
import { createApiShares } from '../../../api/requests/api-shares.ts';
import { routes } from '../../../openapi/route-table.ts';
import { createShares } from '../../../process/shares.ts';
import type { Started } from '../../../workflow-starts/start-and-await.ts';
import { fieldsOf } from '../../harness/fields-of.ts';
import { testApi } from '../../harness/api/api.ts';
import { aWebhook } from '../../harness/deliveries/ledger.ts';
import { eventually } from '../../harness/eventually.ts';
import { aChannel, aTenant } from '../../harness/tenants.ts';

type Tested = Started<'accepted'>;

async function stage(t: ExecutionContext) {
  const hanging: ((tested: Tested) => void)[] = [];
  const sendTestEvent = () => new Promise<Tested>((resolve) => void hanging.push(resolve));
  const interactive = createShares({ perCredential: 2, perOrganization: 2, inAll: 20, retrySeconds: 5 });
  const api = await testApi(t, { starts: { sendTestEvent }, shares: { interactive } });
  t.teardown(() => release());
  const aTested = async (resourceId: string) => {
    const { workspace, apiKey: key } = await aTenant(api.db);
    const channel = await aChannel(api.db, workspace, { resourceId });
    await aWebhook(api.db, channel, { url: 'https://receiver.example.com/hook' });
    const route = `/webhook-config/${channel.publicId}/test`;
    return { route: `POST ${route}`, url: `${api.url}${route}`, at: { key, workspace: workspace.publicId } };
  };
  const release = () => {
    for (const end of hanging.splice(0)) end({ state: 'not_started', cause: undefined });
  };
  const staged = async () => Number((await api.db('test_events').count('* as count').first())?.count);
  return { ...api, interactive, hanging, release, staged, aTested };
}

test('hanging test events take only the share of their organization', async (t) => {
  const { aTested, hanging, interactive, release, staged, refused, call } = await stage(t);
  const greedy = await aTested('res-1');
  const other = await aTested('res-2');
  const first = [1, 2].map(() => call(greedy.route, greedy.at));
  await eventually(() => hanging.length === 2);
  const { headers } = await refused('RATE_LIMITED', greedy.route, greedy.at);
  t.is(headers.get('retry-after'), '5');
  t.is(await staged(), 2, 'a refused test leaves nothing behind');
  const theirs = call(other.route, other.at);
  await eventually(() => hanging.length === 3);
  release();
  t.deepEqual(fieldsOf(await Promise.all([...first, theirs]), 'status'), [503, 503, 503]);
  t.is(interactive.count(), 0);
});

test('a client that leaves keeps its slot until the work ends', async (t) => {
  const { aTested, hanging, interactive, release } = await stage(t);
  const { url, at } = await aTested('res-1');
  const leave = new AbortController();
  const headers = {
    authorization: `Bearer ${at.key}`,
    'x-workspace-id': at.workspace,
    'content-type': 'application/json',
  };
  const left = fetch(url, { method: 'POST', headers, body: '{}', signal: leave.signal });
  await eventually(() => hanging.length === 1);
  leave.abort();
  await t.throwsAsync(left);
  t.is(interactive.count(), 1);
  release();
  await eventually(() => interactive.count() === 0);
});

test('every route that waits for a workflow takes a slot', (t) => {
  const waiting = routes
    .filter(({ share }) => share !== undefined)
    .map(({ operationId, share }) => `${share} ${operationId}`);
  t.deepEqual(waiting.toSorted(), [
    'containers createContainer',
    'containers publishContainer',
    'interactive createSubscription',
    'interactive editSubscription',
    'interactive putOrganizationDefaultWebhook',
    'interactive putWebhookConfig',
    'interactive putWorkspaceDefaultWebhook',
    'interactive refreshAccountHealth',
    'interactive rotateChannelToken',
    'interactive rotateCredentialReveals',
    'interactive rotateMemberReveals',
    'interactive testAlertWebhook',
    'interactive testSubscription',
    'interactive testWebhook',
  ]);
  const { interactive, containers } = createApiShares();
  t.true(
    [interactive, containers].every(({ capacity }) => capacity < 100),
    'fewer than the slots of a worker',
  );
});
