import test from 'ava';
import { createOutboundLog } from '../../../../db/operations/outbound-calls.ts';
import { rememberingLog } from '../../../harness/quiet-log.ts';
import { connectStage } from '../../../harness/onboarding/connect.ts';
import { baseUrl } from '../../../harness/api/api.ts';
import { recordedActs } from '../../../harness/api/recorded-acts.ts';
import { testSecretBox } from '../../../harness/tenants.ts';
import { sealedContexts } from '../../../../db/core/sealed-columns.ts';

const NUMBER = '100000000000011';
const SECOND_NUMBER = '100000000000012';

test('a customer connects a number through a link and consent', async (t) => {
  const { db, link, visitor, tenant, call } = await connectStage(t);
  const { workspace, apiKey: key } = tenant;
  const { url } = await link({ workspaceId: workspace.publicId });
  const browser = visitor();
  const start = await browser.open(url);
  t.is(start.status, 200);
  for (const text of ['Acme', 'Spring campaign', 'chatapp number']) t.true(start.html.includes(text), text);

  const done = await browser.consent(url, [NUMBER]);
  t.is(done.status, 200, done.html);
  t.regex(done.html, /<h1>Connected<\/h1>[^]*Sunrise Bakery · \+1 555 010 0011[^]*Acme/);
  t.true(done.hops.some((hop) => hop.startsWith(`${baseUrl}/connect/callback?`)));
  t.false(done.url.includes('code='));

  const { channels } = (await call('GET /platform/channels', { key, workspace: workspace.publicId })).body;
  t.is(channels.length, 1);
  t.like(channels[0], {
    type: 'chatapp',
    metaResourceId: NUMBER,
    connected: true,
    forwardingEnabled: true,
    connectionType: 'cloud_api',
  });
  const credential = await db('connection_credentials').first();
  const token = testSecretBox.open(credential.token_encrypted, sealedContexts.credentialToken(credential.public_id));
  t.regex(token, /^SIM\./);
  t.true(credential.expires_at > new Date(Date.now() + 59 * 86_400_000), 'the long-lived token is kept');
  t.deepEqual(await recordedActs(db), ['onboardingLink.created', 'channel.connected']);
  t.is((await browser.open(done.url)).status, 200, 'the last page can be reloaded');
});

test('the pages are small, uncached and cannot be framed', async (t) => {
  const { link, visitor, platform } = await connectStage(t);
  const { url } = await link();
  const { headers, html } = await visitor().open(url);
  t.is(headers.get('cache-control'), 'no-store');
  t.is(headers.get('referrer-policy'), 'no-referrer');
  const policy = headers.get('content-security-policy') ?? '';
  t.regex(policy, /default-src 'none'.*frame-ancestors 'none'/);
  t.true(policy.includes(`form-action 'self' ${baseUrl} ${platform.url}`));
  t.notRegex(policy, /unsafe|script-src|\*/);
  t.notRegex(html, /<script|style=|onclick/);
  t.regex(
    headers.get('set-cookie') ?? '',
    /^__Host-service_connect=[\w-]{43}; Path=\/; Max-Age=86400; HttpOnly; SameSite=Lax; Secure$/,
  );
  t.true(html.length < 4096);
});

test("an organization's text is escaped in pages", async (t) => {
  const { link, visitor, tenant, call } = await connectStage(t);
  const { id, url } = await link();
  const route = `PATCH /organizations/${tenant.organization.publicId}/onboarding-links/${id}`;
  await call(route, { key: tenant.apiKey, body: { label: `<img src=x onerror="alert('1')">&` } });
  const { html } = await visitor().open(url);
  t.false(html.includes('<img'));
  t.true(html.includes('&#60;img'));
});

test("the consent URL has the platform's OAuth parameters", async (t) => {
  const { link, visitor, platform } = await connectStage(t);
  const browser = visitor();
  const page = await browser.submit(await browser.open((await link({ channelType: 'pageapp' })).url));
  const consent = new URL(page.url);
  t.true(consent.href.startsWith(`${platform.url}/dialog/oauth?`));
  const { state, scope, ...rest } = Object.fromEntries(consent.searchParams);
  t.deepEqual(rest, { client_id: 'demo-app', redirect_uri: `${baseUrl}/connect/callback`, response_type: 'code' });
  t.regex(state ?? '', /^[\w-]{43}$/);
  t.true(scope?.includes('pages_messaging'));
});

test('a customer who refuses connects nothing and can try again', async (t) => {
  const { db, link, visitor } = await connectStage(t);
  const { url } = await link();
  const browser = visitor();
  const page = await browser.consent(url, null);
  t.is(page.status, 200);
  t.regex(page.html, /did not give permission/);
  t.true(page.html.includes(`href="${url}"`));
  t.is((await db('channels').select()).length, 0);
  t.deepEqual(await db('onboarding_attempts').pluck('status'), ['refused']);
  t.deepEqual(await recordedActs(db), ['onboardingLink.created', 'onboarding.refused']);
  t.is((await browser.consent(url, [NUMBER])).status, 200);
  t.is((await db('channels').select()).length, 1);
});

test('a customer chooses among several accounts, whose tokens are stored sealed', async (t) => {
  const { db, link, visitor } = await connectStage(t);
  const { url } = await link();
  const browser = visitor();
  const choice = await browser.consent(url, [NUMBER, SECOND_NUMBER]);
  t.regex(choice.html, /<legend>Which chatapp number\?<\/legend>/);
  t.true(choice.url.startsWith(`${baseUrl}/connect/choose?state=`));
  t.regex((await db('onboarding_attempts').first()).token_encrypted, /^v1\.test\./);

  const nothing = await browser.submit(choice);
  t.is(nothing.status, 422);
  const foreign = await browser.submit(choice, [['account', '100000000000001']]);
  t.is(foreign.status, 422, 'an account that was not granted');
  const done = await browser.submit(choice, [['account', SECOND_NUMBER]]);
  t.regex(done.html, /Sunrise Bakery orders/);
  t.deepEqual(await db('channels').pluck('resource_id'), [SECOND_NUMBER]);
  t.is((await db('onboarding_attempts').first()).token_encrypted, null);
  const again = await browser.submit(choice, [['account', NUMBER]]);
  t.regex(again.html, /orders/, 'a second click shows the first result');
  t.is((await db('channels').select()).length, 1);
});

test('photo accounts and Pages use Page tokens and reference each other', async (t) => {
  const { db, link, visitor, tenant, call } = await connectStage(t);
  const { workspace, apiKey: key } = tenant;
  const target = { workspaceId: workspace.publicId };
  await visitor().consent((await link({ channelType: 'photoapp', ...target })).url, ['200000000000011']);
  await visitor().consent((await link({ channelType: 'pageapp', ...target })).url, ['300000000000011']);
  const { channels } = (await call('GET /platform/channels', { key, workspace: workspace.publicId })).body;
  const [page, photo] = channels;
  t.like(page, {
    type: 'pageapp',
    displayName: 'Harbour Books',
    metaResourceId: '300000000000011',
    linkedChannelId: photo.id,
  });
  t.like(photo, {
    type: 'photoapp',
    displayName: 'harbour.books',
    metaResourceId: '200000000000011',
    linkedChannelId: page.id,
  });
  t.deepEqual(await db('connection_credentials').pluck('expires_at'), [null, null]);
});

test("a Page's photo account follows its latest connection", async (t) => {
  const { db, link, visitor, tenant } = await connectStage(t);
  const { url } = await link({ channelType: 'pageapp', workspaceId: tenant.workspace.publicId });
  const linked = (): Promise<unknown[]> => db('channels').pluck('linked_resource_id');
  await visitor().consent(url, ['300000000000011']);
  t.deepEqual(await linked(), ['200000000000011']);
  await db('channels').update({ linked_resource_id: 'an earlier one' });
  await visitor().consent(url, ['300000000000011']);
  t.deepEqual(await linked(), ['200000000000011']);
});

test('connect calls are recorded under the link without secrets', async (t) => {
  const { db, link, visitor, tenant, calls, platform } = await connectStage(t);
  const { id, url } = await link({ workspaceId: tenant.workspace.publicId });
  const done = await visitor().consent(url, [NUMBER]);
  const code = new URL(done.hops.find((hop) => hop.includes('code=')) ?? '').searchParams.get('code');
  platform.consent({ fault: { at: 'exchange', status: 500 } });
  const alone = await link();
  await visitor().consent(alone.url, [SECOND_NUMBER]);

  t.deepEqual(
    calls.map(({ operation, method, status }) => `${operation} ${method} ${status}`),
    [
      ...['redeemConsent GET 200', 'redeemConsent GET 200', 'redeemConsent GET 200', 'redeemConsent GET 200'],
      ...['subscribeAccount POST 200', 'redeemConsent GET 200', 'redeemConsent GET 500'],
    ],
  );
  const [first] = calls;
  t.like(first, { path: 'oauth/access_token', via: 'api', caller: id, channelId: null, error: null });
  t.is(first?.workspaceId, tenant.workspace.id);
  t.like(calls.at(-1), { caller: alone.id, workspaceId: null });
  t.true(calls.every(({ requestId }) => /^[A-Za-z0-9._-]+$/.test(requestId)));
  const { token_encrypted: sealed, public_id: credentialId } = await db('connection_credentials').first();
  const token = testSecretBox.open(sealed, sealedContexts.credentialToken(credentialId));
  for (const secret of [code ?? '?', token]) t.false(JSON.stringify(calls).includes(secret));

  const outbound = createOutboundLog({ db, log: rememberingLog() });
  for (const call of calls) outbound.record(call);
  await outbound.stop();
  t.is((await db('outbound_calls').whereNull('channel_id')).length, calls.length);
  const { id: channelId } = await db('channels').first('id');
  await t.throwsAsync(db('outbound_calls').update({ channel_id: channelId, workspace_id: null }), {
    message: /a call for a channel is for its workspace/,
  });
});

test('a link without a workspace creates a customer per account', async (t) => {
  const { link, visitor, tenant, call, db } = await connectStage(t);
  const { url } = await link({ channelType: 'pageapp' });
  await visitor().consent(url, ['300000000000011']);
  await visitor().consent(url, ['300000000000012']);
  const route = `GET /organizations/${tenant.organization.publicId}/workspaces?kind=customer`;
  const { workspaces } = (await call(route, { key: tenant.apiKey })).body;
  t.like(workspaces, [{ name: 'Garden Café', kind: 'customer' }, { name: 'Harbour Books' }]);
  t.is(workspaces.length, 2);
  const acts = await recordedActs(db);
  t.deepEqual(acts.slice(1, 3), ['workspace.created', 'channel.connected']);
});

test('an unknown, revoked, regenerated or orphaned link shows a page', async (t) => {
  const { link, visitor, tenant, call, db } = await connectStage(t);
  const key = tenant.apiKey;
  const links = `/organizations/${tenant.organization.publicId}/onboarding-links`;
  const revoked = await link();
  const regenerated = await link();
  const homeless = await link({ workspaceId: tenant.workspace.publicId });
  await call(`DELETE ${links}/${revoked.id}`, { key });
  const fresh = (await call(`POST ${links}/${regenerated.id}/regenerate`, { key })).body.url;
  await db('workspaces').where({ id: tenant.workspace.id }).update({ deleted_at: new Date() });
  for (const url of [
    revoked.url,
    regenerated.url,
    homeless.url,
    `${baseUrl}/connect/${'x'.repeat(43)}`,
    `${baseUrl}/connect/x`,
    `${baseUrl}/connect`,
  ]) {
    const { status, html, headers } = await visitor().open(url);
    t.is(status, 404, url);
    t.regex(headers.get('content-type') ?? '', /^text\/html/);
    t.regex(html, /<h1>This link is not valid<\/h1>/);
  }
  t.is((await visitor().open(fresh)).status, 200);
});

test('a revoked or regenerated link stops attempts in progress', async (t) => {
  const { db, link, visitor, tenant, call } = await connectStage(t);
  const key = tenant.apiKey;
  const links = `/organizations/${tenant.organization.publicId}/onboarding-links`;
  for (const act of ['DELETE', 'regenerate']) {
    const { id, url } = await link();
    const browser = visitor();
    const choice = await browser.consent(url, [NUMBER, SECOND_NUMBER]);
    const beforeCallback = visitor();
    const stopped = await beforeCallback.consent(url, [NUMBER], /connect\/callback/);
    await call(act === 'DELETE' ? `DELETE ${links}/${id}` : `POST ${links}/${id}/regenerate`, { key });
    t.true([400, 404].includes((await browser.submit(choice, [['account', NUMBER]])).status));
    t.true([400, 404].includes((await beforeCallback.open(stopped.url)).status));
    t.is((await db('onboarding_attempts').whereNotNull('token_encrypted')).length, 0);
  }
  t.is((await db('channels').select()).length, 0);
});

test('the pages carry the brand and color of the organization', async (t) => {
  const { link, visitor, tenant, call } = await connectStage(t);
  const branding = { displayName: 'Acme Care', logoUrl: null, color: '#FFD400', portalFrameAncestors: [] };
  const path = `/organizations/${tenant.organization.publicId}/branding`;
  await call(`PUT ${path}`, { key: tenant.apiKey, body: branding });
  const { url } = await link({ returns: { successUrl: 'https://shop.example/done?token=1' } });
  const browser = visitor();
  const { html } = await browser.open(url);
  t.regex(html, /<header class="bar">[^]*Acme Care[^]*<\/header>/);
  t.regex(html, /Acme Care asks you[^]*Requested by<\/dt>\s*<dd>Acme Care<\/dd>[^]*Acme Care never sees your password/);
  t.true(html.includes(`href="${baseUrl}/connect/style.css?color=ffd400"`));
  t.true(html.includes('After that, you return to shop.example.'));
  t.false(html.includes('token=1'));
  const refusal = await browser.consent(url, null);
  t.regex(refusal.html, /Acme Care[^]*did not give permission/);
  const done = await visitor().consent((await link()).url, [NUMBER]);
  t.regex(done.html, /is connected to Acme Care\./);
});

test('the style sheet accepts six hexadecimal digits only', async (t) => {
  const { visitor } = await connectStage(t);
  const { html: branded } = await visitor().open(`${baseUrl}/connect/style.css?color=ffd400`);
  t.true(branded.endsWith(':root { --brand: #ffd400; --on-brand: #000000; }\n'));
  const { html: plain } = await visitor().open(`${baseUrl}/connect/style.css`);
  for (const color of ['red', 'ffd40', 'ffd400;}', 'ffd400&color=000000']) {
    t.is((await visitor().open(`${baseUrl}/connect/style.css?color=${color}`)).html, plain, color);
  }
});
