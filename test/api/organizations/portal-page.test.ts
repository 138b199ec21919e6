import test from 'ava';
import { tenantStage } from '../../harness/api/stages.ts';
import { aPortal } from '../../harness/access/portals.ts';
import { aTenant } from '../../harness/tenants.ts';

const ancestorsOf = (response: Response): string | undefined =>
  /frame-ancestors ([^;]+)/.exec(response.headers.get('content-security-policy') ?? '')?.[1];

test('the page of a portal names the frames of its organization', async (t) => {
  const { db, url, call, tenant } = await tenantStage(t);
  const { publicId } = await aPortal(db, tenant);
  const plain = await fetch(`${url}/portal/${publicId}`);
  t.is(plain.status, 200);
  t.is(ancestorsOf(plain), "'none'");
  t.is(plain.headers.get('x-frame-options'), 'SAMEORIGIN');

  const body = {
    logoUrl: 'https://cdn.example.com/logo.svg',
    portalFrameAncestors: ['https://app.example.com', 'https://b.example.com:8443'],
  };
  await call(`PUT /organizations/${tenant.organization.publicId}/branding`, { key: tenant.apiKey, body });
  for (const path of [`/portal/${publicId}`, `/portal/${publicId}/deliveries`]) {
    const framed = await fetch(url + path);
    t.is(ancestorsOf(framed), 'https://app.example.com https://b.example.com:8443', path);
    t.is(framed.headers.get('x-frame-options'), null);
    t.is(framed.headers.get('cache-control'), 'no-store');
    t.regex(framed.headers.get('content-security-policy') ?? '', /img-src 'self' data: https:\/\/cdn\.example\.com;/);
  }
});

test('an unknown portal and all other pages allow no frame', async (t) => {
  const { db, url, call, tenant } = await tenantStage(t);
  const other = await aPortal(db, await aTenant(db));
  const body = { portalFrameAncestors: ['https://app.example.com'] };
  await call(`PUT /organizations/${tenant.organization.publicId}/branding`, { key: tenant.apiKey, body });
  const pages = ['/portal/ptl_00000000', '/portal/x', `/portal/${other.publicId}`, '/', '/app', '/docs', '/connect/x'];
  for (const path of [...pages, '/platform/channels', '/healthz']) {
    t.is(ancestorsOf(await fetch(url + path)), "'none'", path);
  }
});

test('a connect page shows the branding of the organization', async (t) => {
  const { url, call, organization, key } = await tenantStage(t);
  const path = `/organizations/${organization.publicId}`;
  const body = { displayName: 'Acme Messaging', logoUrl: 'https://cdn.example.com/logo.svg' };
  await call(`PUT ${path}/branding`, { key, body });
  const create = async (input: object) => {
    const given = { label: 'Spring', channelType: 'chatapp', ...input };
    return (await call(`POST ${path}/onboarding-links`, { key, body: given })).body;
  };
  const shown = async (link: { url: string }) => await (await fetch(url + new URL(link.url).pathname)).text();
  const plain = await create({});
  t.is(plain.displayName, null);
  t.regex(await shown(plain), /cdn\.example\.com\/logo\.svg[^]*Acme Messaging/);
  t.regex(await shown(await create({ displayName: 'Own name' })), /Own name/);
});
