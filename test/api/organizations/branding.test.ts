import test from 'ava';
import { textColorOn } from '../../../contract/identity/branding.ts';
import { tenantStage } from '../../harness/api/stages.ts';

const none = { displayName: null, logoUrl: null, color: null, textColor: null, portalFrameAncestors: [] };

test('branding is replaced as a whole', async (t) => {
  const { call, key, organization } = await tenantStage(t);
  const path = `/organizations/${organization.publicId}/branding`;
  t.deepEqual((await call(`GET ${path}`, { key })).body, none);
  const body = {
    displayName: 'Acme Messaging',
    logoUrl: 'https://cdn.example.com/logo.svg',
    color: '#0B5FFF',
    portalFrameAncestors: ['https://app.example.com', 'https://APP.example.com/', 'https://b.example.com:8443'],
  };
  const saved = {
    ...body,
    color: '#0b5fff',
    textColor: '#ffffff',
    portalFrameAncestors: ['https://app.example.com', 'https://b.example.com:8443'],
  };
  t.deepEqual((await call(`PUT ${path}`, { key, body })).body, saved);
  t.deepEqual((await call(`GET ${path}`, { key })).body, saved);
  t.deepEqual((await call(`PUT ${path}`, { key, body: {} })).body, none);
  const { entries } = (
    await call(`GET /organizations/${organization.publicId}/audit-entries?action=branding.changed`, { key })
  ).body;
  t.is(entries.length, 2);
});

test('only https origins may frame the portal', async (t) => {
  const { db, refused, key, organization } = await tenantStage(t);
  const put = `PUT /organizations/${organization.publicId}/branding`;
  const bad = [
    'http://a.example.com',
    'https://*.example.com',
    'https://a.example.com/path',
    'https://u:p@a.example.com',
  ];
  for (const origin of [
    ...bad,
    "'self'",
    '*',
    'https:',
    'data:',
    'a.example.com',
    'https://a.example.com;script-src *',
    'https://a.example.com;script-src-elem',
    'https://a,b',
    "https://'self'",
  ]) {
    await refused('VALIDATION_ERROR', put, { key, body: { portalFrameAncestors: [origin] } });
  }
  const many = Array.from({ length: 11 }, (_, place) => `https://a${place}.example.com`);
  await refused('VALIDATION_ERROR', put, { key, body: { portalFrameAncestors: many } });
  await refused('VALIDATION_ERROR', put, { key, body: { color: 'blue' } });
  t.deepEqual(await db('organization_branding'), []);
});

test('text on a color has a contrast of at least 4.5', (t) => {
  const channel = (share: number): number => (share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4);
  const levels = [0, 51, 102, 118, 119, 153, 204, 255];
  for (const red of levels) {
    for (const green of levels) {
      for (const blue of levels) {
        const color = `#${[red, green, blue].map((level) => level.toString(16).padStart(2, '0')).join('')}`;
        const [r, g, b] = [red, green, blue].map((level) => channel(level / 255)) as [number, number, number];
        const light = 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05;
        const contrast = textColorOn(color) === '#ffffff' ? 1.05 / light : light / 0.05;
        t.true(contrast >= 4.5, color);
      }
    }
  }
});
