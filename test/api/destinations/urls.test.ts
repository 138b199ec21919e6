import test from 'ava';
import { channelStage } from '../../harness/api/stages.ts';

const tables =
  'webhook_candidates default_webhooks alert_webhooks subscriptions onboarding_links organization_branding';

/** Every route that stores a URL. Tests of subscriptions and links change one. */
async function urlStage(t: Parameters<typeof channelStage>[0]) {
  const stage = await channelStage(t);
  const { org, channel, workspace } = stage;
  const link = (name: string) => (url: string) => ({ label: 'Spring', channelType: 'chatapp', [name]: url });
  const hook = (webhookUrl: string) => ({ webhookUrl, verifyToken: 'token' });
  const inputs: readonly (readonly [route: string, body: (url: string) => object])[] = [
    [`PUT /webhook-config/${channel.publicId}`, (webhookUrl) => ({ webhookUrl })],
    [`PUT ${org}/default-webhook`, hook],
    [`PUT /workspaces/${workspace.publicId}/default-webhook`, hook],
    [`PUT ${org}/alert-webhook`, (url) => ({ url })],
    [`POST /channels/${channel.publicId}/subscriptions`, (url) => ({ url, events: ['chatapp.message.received'] })],
    [`PUT ${org}/branding`, (logoUrl) => ({ logoUrl })],
    ...['successUrl', 'failureUrl', 'connectedNotificationUrl', 'logoUrl'].map(
      (name) => [`POST ${org}/onboarding-links`, link(name)] as const,
    ),
  ];
  return { ...stage, inputs };
}

test('no URL of a caller leaves the public network', async (t) => {
  const { db, call, at, inputs } = await urlStage(t);
  const unsafe = [
    'javascript:alert(1)',
    'data:text/html,x',
    'http://shop.example/',
    'ftp://example.com/',
    'https://[::1]/',
    'https://user:password@shop.example/',
    'https://127.0.0.1/',
    'https://169.254.169.254/',
    'https://localhost/',
    'https://a;frame-ancestors/x',
  ];
  const malformed = ['//evil.example', '/relative', 'https://shop.example\\@evil.example/', 'https://'];
  for (const [route, body] of inputs) {
    const { message } = (await call(route, { ...at, body: body('https://10.1.2.3/hook?key=1') })).body;
    t.regex(message, /^body\.\w*[uU]rl: The address 10\.1\.2\.3 is not public\.$/, route);
    const codeOf = async (url: string) => (await call(route, { ...at, body: body(url) })).body.code;
    for (const url of unsafe) t.is(await codeOf(url), 'URL_NOT_ALLOWED', `${route} ${url}`);
    // A webhook is stored as the parser writes it, without its line breaks.
    const isLink = route.endsWith('onboarding-links');
    for (const url of [...malformed, ...(isLink ? ['https://a.example/\n'] : [])]) {
      t.true(['URL_NOT_ALLOWED', 'VALIDATION_ERROR'].includes(await codeOf(url)), `${route} ${url}`);
    }
  }
  for (const table of tables.split(' ')) t.deepEqual(await db(table), [], table);
});

const urlOf = (length: number, path = ''): string => `https://a.example?${path}`.padEnd(length, 'b');

test('a URL is limited as it is stored and shown', async (t) => {
  const { call, at, inputs, org } = await urlStage(t);
  const { status, body: saved } = await call(`PUT ${org}/branding`, { ...at, body: { logoUrl: urlOf(2047) } });
  t.is(status, 200);
  t.is(saved.logoUrl.length, 2048);
  for (const [route, body] of inputs) {
    for (const url of [urlOf(2048), urlOf(1000, 'ü'.repeat(400)), `https://${'a'.repeat(1994)}/`]) {
      const answer = await call(route, { ...at, body: body(url) });
      t.true(['URL_NOT_ALLOWED', 'VALIDATION_ERROR'].includes(answer.body.code), `${route} ${answer.body.message}`);
    }
  }
});
