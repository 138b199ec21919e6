import test from 'ava';
import { setOrganizationLimit } from '../../../../db/organizations/limits.ts';
import { connectStage } from '../../../harness/onboarding/connect.ts';

const NUMBER = '100000000000011';
const OTHER = '100000000000012';
const AWAY = /^https:\/\/shop\.example/;
const urls = { successUrl: 'https://shop.example/done?page=1#top', failureUrl: 'https://shop.example/failed' };

test('a connected customer leaves to the success URL', async (t) => {
  const { db, link, visitor } = await connectStage(t);
  const { id, url } = await link({ returns: { ...urls, externalId: 'shop 17&x=<y>' } });
  const browser = visitor();
  const { url: left, hops } = await browser.consent(url, [NUMBER], AWAY);
  const { public_id: channelId } = await db('channels').first();
  const at = new URL(left);
  t.is(at.origin + at.pathname + at.hash, 'https://shop.example/done#top');
  t.deepEqual(Object.fromEntries(at.searchParams), {
    page: '1',
    channelId,
    onboardingLinkId: id,
    externalId: 'shop 17&x=<y>',
  });
  t.is((await browser.open(hops.at(-1)!, { stopAt: AWAY })).url, left, 'a reload leaves again');
});

test('a failed customer leaves to the failure URL with a reason', async (t) => {
  const { link, visitor } = await connectStage(t);
  const { id, url } = await link({ returns: urls });
  const reasonOf = async (accounts: readonly string[] | null) =>
    Object.fromEntries(new URL((await visitor().consent(url, accounts, AWAY)).url).searchParams);
  t.deepEqual(await reasonOf(null), { reason: 'permission_refused', onboardingLinkId: id });
  t.like(await reasonOf([]), { reason: 'no_account' });
  const rival = await link();
  await visitor().consent(rival.url, [NUMBER]);
  t.like(await reasonOf([NUMBER]), { reason: 'already_connected' });
});

test('no parameter of a request changes where a customer goes', async (t) => {
  const { link, visitor } = await connectStage(t);
  const evil = 'successUrl=https://evil.example&failureUrl=//evil.example&redirect=https://evil.example';
  const { url } = await link({ returns: urls });
  const browser = visitor();
  const back = (await browser.consent(url, [NUMBER], /connect\/callback/)).url;
  const left = await browser.open(`${back}&${evil}`, { stopAt: AWAY });
  t.true(left.url.startsWith('https://shop.example/done'));
  t.false(left.url.includes('evil'));
  const plain = await link();
  const page = await visitor().open(`${plain.url}?${evil}`);
  t.false(page.html.includes('evil'));
});

test('a single-use link connects one channel and then ends', async (t) => {
  const { db, call, link, visitor, tenant } = await connectStage(t);
  const { id, url } = await link({ returns: { maxUses: 1 } });
  const first = visitor();
  const second = visitor();
  const callback = /connect\/callback/;
  const backs = [
    (await first.consent(url, [NUMBER], callback)).url,
    (await second.consent(url, [OTHER], callback)).url,
  ];
  const done = await Promise.all([first.open(backs[0]!), second.open(backs[1]!)]);
  t.deepEqual(done.map(({ status }) => status).sort(), [200, 410]);
  t.is((await db('channels')).length, 1);
  const winner = done.find(({ status }) => status === 200);
  t.false(winner?.html.includes('Connect another'));
  const late = await visitor().open(url);
  t.is(late.status, 410);
  const path = `/organizations/${tenant.organization.publicId}/onboarding-links/${id}`;
  t.like((await call(`GET ${path}`, { key: tenant.apiKey })).body, { useCount: 1, maxUses: 1, status: 'used_up' });
});

test('an expired link ends, also for customers under way', async (t) => {
  const { calls, db, link, visitor } = await connectStage(t);
  const { url } = await link({ returns: { ...urls, expiresAt: '2999-01-01T00:00:00Z' } });
  const browser = visitor();
  const { url: back } = await browser.consent(url, [NUMBER], /connect\/callback/);
  await db('onboarding_links').update({ expires_at: new Date(Date.now() - 1) });
  t.regex((await browser.open(back, { stopAt: AWAY })).url, /reason=link_expired/);
  t.is((await db('channels')).length, 0);
  t.deepEqual(calls, [], 'the code is not redeemed');
  t.deepEqual(await db('onboarding_attempts').pluck('status'), ['failed']);
});

const ends = {
  link_expired: { expires_at: new Date(0) },
  link_used: { max_uses: 1, use_count: 1 },
};

for (const [reason, end] of Object.entries(ends)) {
  test(`a new visitor of an ended link stays on its page: ${reason}`, async (t) => {
    const { db, link, visitor } = await connectStage(t);
    const { id, url } = await link({ returns: urls });
    const early = visitor();
    const page = await early.open(url);
    await db('onboarding_links').update(end);
    for (const address of [url, `${url}/begin`]) {
      const { status, url: shown, html } = await visitor().open(address, { stopAt: AWAY });
      t.is(status, 410);
      t.is(shown, address);
      t.regex(html, new RegExp(`<a href="https://shop.example/failed\\?reason=${reason}&#38;onboardingLinkId=${id}"`));
      t.regex(html, />Go to shop\.example</);
    }
    t.is((await early.submit(page, [], { stopAt: AWAY })).status, 410);
  });
}

test('a link that ends before the choice subscribes no account', async (t) => {
  const { calls, db, link, visitor } = await connectStage(t);
  const { url } = await link({ returns: { ...urls, maxUses: 1 } });
  const browser = visitor();
  const choice = await browser.consent(url, [NUMBER, OTHER]);
  await db('onboarding_links').update({ use_count: 1 });
  const { url: left } = await browser.submit(choice, [['account', NUMBER]], { stopAt: AWAY });
  t.regex(left, /reason=link_used/);
  t.false(calls.some(({ operation }) => operation === 'subscribeAccount'));
  t.deepEqual(await db('onboarding_attempts').pluck('status'), ['failed']);
});

test('a customer beyond the limit leaves with a reason and subscribes nothing', async (t) => {
  const { calls, call, db, link, visitor, tenant } = await connectStage(t);
  const { organization, apiKey: key } = tenant;
  const { url } = await link({ returns: urls });
  const known = visitor();
  t.regex((await known.consent(url, [NUMBER], AWAY)).url, /channelId=/);
  const max = (await db('workspaces')).length;
  await setOrganizationLimit(db, { organizationId: organization.id, limit: 'workspaces', max });
  const before = calls.length;
  t.regex((await visitor().consent(url, [OTHER], AWAY)).url, /reason=limit_reached/);
  t.false(calls.slice(before).some(({ operation }) => operation === 'subscribeAccount'));
  t.deepEqual(await db('onboarding_attempts').orderBy('id').pluck('status'), ['connected', 'failed']);
  const path = `/organizations/${organization.publicId}/audit-entries?action=onboarding.refused`;
  t.like((await call(`GET ${path}`, { key })).body.entries, [{ reason: 'LIMIT_REACHED' }]);
  t.regex((await known.consent(url, [NUMBER], AWAY)).url, /channelId=/, 'a known account needs no place');
});

test("the page shows the owner's name and logo without markup", async (t) => {
  const { link, visitor } = await connectStage(t);
  const displayName = '<script>alert(1)</script>"\'';
  const logoUrl = 'https://cdn.example/logo.png?a="><script>b</script>;script-src%20*';
  const page = await visitor().open((await link({ returns: { ...urls, displayName, logoUrl } })).url);
  t.is(page.status, 200);
  t.false(/<script/.test(page.html));
  const policy = page.headers.get('content-security-policy') ?? '';
  t.true(policy.includes('img-src https://cdn.example;'));
  t.false(policy.includes('script-src'));
  t.regex(policy, /form-action [^;]*https:\/\/shop\.example/);
  t.regex(page.html, /Requested by<\/dt>\s*<dd>Acme<\/dd>/);
});

test('a channel names the link that connected it', async (t) => {
  const { call, link, visitor, tenant } = await connectStage(t);
  const { apiKey: key, workspace } = tenant;
  const { id, url } = await link({ workspaceId: workspace.publicId });
  await visitor().consent(url, [NUMBER]);
  const list = async (query: string) =>
    (await call(`GET /platform/channels${query}`, { key, workspace: workspace.publicId })).body.channels;
  t.like(await list(''), [{ onboardingLinkId: id }]);
  t.is((await list(`?onboardingLinkId=${id}`)).length, 1);
  t.deepEqual(await list('?onboardingLinkId=ol_00000000'), []);
});
