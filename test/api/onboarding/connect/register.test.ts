import test from 'ava';
import { baseUrl } from '../../../harness/api/api.ts';
import { recordedActs } from '../../../harness/api/recorded-acts.ts';
import { connectStage } from '../../../harness/onboarding/connect.ts';

const NUMBER = '100000000000011';
const PIN = '271828';
const pending = { numberFacts: { [NUMBER]: { status: 'PENDING', pin: PIN } } };
const AWAY = /^https:\/\/shop\.example/;

test('a number that is not registered is registered with its PIN', async (t) => {
  const { db, link, visitor, tenant, call, platform, calls, log, healthChecks } = await connectStage(t);
  platform.consent(pending);
  const { url } = await link({ workspaceId: tenant.workspace.publicId });
  const browser = visitor();
  const offer = await browser.consent(url, [NUMBER]);
  t.is(offer.status, 200);
  t.regex(offer.html, /<h1>Register your number<\/h1>[^]*not registered/);
  const { public_id: channelId } = await db('channels').first();
  const health = async () => (await call(`GET /channels/${channelId}/health`, { key: tenant.apiKey })).body;
  t.like(await health(), { status: 'failing', accountStatus: 'not_registered' });
  t.is((await health()).reasons[0].code, 'account_not_registered');

  for (const [pin, says] of [
    ['12345', /as six digits/],
    ['000000', /This PIN is wrong/],
  ] as const) {
    const refused = await browser.submit(offer, [['pin', pin]]);
    t.is(refused.status, 422);
    t.regex(refused.html, says);
    t.regex(refused.html, /role="alert"/);
  }
  const done = await browser.submit(offer, [['pin', ` ${PIN} `]]);
  t.regex(done.html, /<h1>Connected<\/h1>/);
  t.notRegex(done.html, /not registered/);
  t.like(await health(), { accountStatus: 'connected', reasons: [] });
  t.deepEqual((await recordedActs(db)).slice(-2), ['channel.connected', 'channel.registered']);
  t.deepEqual(healthChecks, [channelId, channelId]);
  t.false(JSON.stringify([calls, log.lines]).includes(PIN), 'the PIN is kept nowhere');
  t.true(calls.some(({ operation, path }) => operation === 'registerNumber' && path === `${NUMBER}/register`));
  t.regex((await browser.submit(offer, [['pin', PIN]])).html, /Connected/, 'a second click shows the result');
});

test('a customer can register later and leaves to the success URL', async (t) => {
  const { link, visitor, platform, db } = await connectStage(t);
  platform.consent(pending);
  const { url } = await link({ returns: { successUrl: 'https://shop.example/done' } });
  const browser = visitor();
  const offer = await browser.consent(url, [NUMBER]);
  const later = /href="([^"]*later=1)"/.exec(offer.html)?.[1]?.replaceAll('&#38;', '&') ?? '';
  t.regex((await browser.open(later, { stopAt: AWAY })).url, AWAY);
  t.is((await db('channel_health').first()).account_status, 'not_registered');
  const left = await browser.submit(offer, [['pin', PIN]], { stopAt: AWAY });
  t.regex(left.url, AWAY);
  t.is((await db('channel_health').first()).account_status, 'connected');
});

test('the page says why the platform registers no number', async (t) => {
  const { link, visitor, platform } = await connectStage(t);
  platform.consent({ numberFacts: { [NUMBER]: { status: 'UNVERIFIED', codeStatus: 'NOT_VERIFIED' } } });
  const { url } = await link();
  const browser = visitor();
  const offer = await browser.consent(url, [NUMBER]);
  t.regex((await browser.submit(offer, [['pin', PIN]])).html, /not verified/);
  for (const [code, says] of [
    [133016, /too many tries/],
    [133015, /in five minutes/],
    [1234, /did not register/],
  ] as const) {
    platform.messaging.control({ faults: [{ at: 'number', code, times: 1 }] });
    t.regex((await browser.submit(offer, [['pin', PIN]])).html, says);
  }
});

test('only the browser that connected the number can register it', async (t) => {
  const { link, visitor, platform } = await connectStage(t);
  platform.consent(pending);
  const { url } = await link();
  const offer = await visitor().consent(url, [NUMBER]);
  const stranger = visitor();
  await stranger.open(url);
  t.is((await stranger.submit(offer, [['pin', PIN]])).status, 400);
  t.is((await stranger.open(`${baseUrl}/connect/register`)).status, 405);
});

test('a registered number, and one of the business app, is not offered', async (t) => {
  const { link, visitor, platform } = await connectStage(t);
  const { url } = await link();
  for (const facts of [{}, { status: 'FLAGGED' }, { status: 'PENDING', isOnApp: true }]) {
    platform.consent({ numberFacts: { [NUMBER]: facts } });
    t.regex((await visitor().consent(url, [NUMBER])).html, /<h1>(?:Connected|Reconnected)<\/h1>/);
  }
  platform.consent({ numberFacts: { [NUMBER]: { platformType: 'NOT_APPLICABLE' } } });
  t.regex((await visitor().consent(url, [NUMBER])).html, /Register your number/);
  platform.consent({ numberFacts: {} });
  t.regex((await visitor().consent(url, [NUMBER])).html, /<h1>Reconnected<\/h1>/);
});
