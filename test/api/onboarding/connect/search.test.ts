import test, { type ExecutionContext } from 'ava';
import type { ConsentControlInput } from '../../../../simulator/consent/accounts.ts';
import { accountScopePrefixes, consentScopes, requiredScopes } from '../../../../platform/client/oauth-vocabulary.ts';
import { connectStage } from '../../../harness/onboarding/connect.ts';

const NUMBER = '100000000000011';
const BUSINESS_ACCOUNT = '400000000000001';
const PAGE = '300000000000021';
const PHOTO = '200000000000021';
const OWNER = '500000000000001';
const photo = { id: PHOTO, username: 'corner.cafe' };
const page = { id: PAGE, name: 'Corner Café', photo };
const ofBusiness = { ...page, ownerId: OWNER };
const number = { id: NUMBER, businessId: BUSINESS_ACCOUNT, number: '+1 555 010 0011', name: 'Sunrise Bakery' };

type Type = 'chatapp' | 'photoapp' | 'pageapp';
interface Shape {
  readonly type: Type;
  readonly accounts: readonly string[];
  readonly consent: ConsentControlInput;
}

async function connect(t: ExecutionContext, { type, accounts, consent }: Shape) {
  const { db, link, visitor, platform, log, calls } = await connectStage(t);
  platform.consent(consent);
  const { url } = await link({ channelType: type });
  const shown = await visitor().consent(url, accounts);
  return { ...shown, calls, log, resourceIds: await db('channels').pluck('resource_id') };
}

const [numberScope = ''] = requiredScopes.chatapp;
const granular = (scope: string, ...target_ids: string[]): ConsentControlInput => ({
  granularScopes: [{ scope, target_ids }],
});
const found: Readonly<Record<string, Shape & { readonly resourceId: string }>> = {
  'a number whose account another permission names': {
    type: 'chatapp',
    accounts: [NUMBER],
    resourceId: NUMBER,
    consent: granular(`${accountScopePrefixes.chatapp[0]}business_manage_events`, BUSINESS_ACCOUNT),
  },
  'a number whose account the business permission names': {
    type: 'chatapp',
    accounts: [NUMBER],
    resourceId: NUMBER,
    consent: granular('business_management', BUSINESS_ACCOUNT),
  },
  'a number among targets that are no accounts': {
    type: 'chatapp',
    accounts: [NUMBER],
    resourceId: NUMBER,
    consent: granular(numberScope, OWNER, PAGE, BUSINESS_ACCOUNT),
  },
  'a number of a business, without targets': {
    type: 'chatapp',
    accounts: [NUMBER],
    resourceId: NUMBER,
    consent: { granularScopes: 'all', numbers: [{ ...number, ownerId: OWNER }] },
  },
  "a number of a business's client, without targets": {
    type: 'chatapp',
    accounts: [NUMBER],
    resourceId: NUMBER,
    consent: { granularScopes: 'absent', numbers: [{ ...number, ownerId: OWNER, relation: 'client' }] },
  },
  'a number of a business that is the only target': {
    type: 'chatapp',
    accounts: [NUMBER],
    resourceId: NUMBER,
    consent: { ...granular('business_management', OWNER), numbers: [{ ...number, ownerId: OWNER }] },
  },
  'a Page of a business': {
    type: 'pageapp',
    accounts: [PAGE],
    resourceId: PAGE,
    consent: { pages: [ofBusiness] },
  },
  'an unlisted Page that a permission names': {
    type: 'pageapp',
    accounts: [PAGE],
    resourceId: PAGE,
    consent: { pages: [{ ...page, isListed: false }], ...granular('pages_messaging', PAGE) },
  },
  'an unlisted Page that an unexpected permission names': {
    type: 'pageapp',
    accounts: [PAGE],
    resourceId: PAGE,
    consent: { pages: [{ ...page, isListed: false }], ...granular('ads_management', '1', PAGE, OWNER) },
  },
  "an unlisted Page of a business's client": {
    type: 'pageapp',
    accounts: [PAGE],
    resourceId: PAGE,
    consent: { pages: [{ ...ofBusiness, isListed: false, relation: 'client' }], granularScopes: 'all' },
  },
  'the photo account of an unlisted Page': {
    type: 'photoapp',
    accounts: [PHOTO],
    resourceId: PHOTO,
    consent: { pages: [{ ...page, isListed: false }] },
  },
  'a photo account of a business, without targets': {
    type: 'photoapp',
    accounts: [PHOTO],
    resourceId: PHOTO,
    consent: { pages: [{ ...ofBusiness, isListed: false }], granularScopes: 'absent' },
  },
};

for (const [title, { resourceId, ...shape }] of Object.entries(found)) {
  test(`the search finds ${title}`, async (t) => {
    const { status, html, resourceIds } = await connect(t, shape);
    t.is(status, 200, html);
    t.deepEqual(resourceIds, [resourceId]);
  });
}

const lost: Readonly<Record<string, Shape & { readonly causes: readonly string[]; readonly says: RegExp }>> = {
  'the role on the Page': {
    type: 'pageapp',
    accounts: [PAGE],
    causes: ['role_missing'],
    consent: { pages: [{ ...page, hasRole: false }] },
    says: /role on these Pages is not sufficient: Corner Café/,
  },
  'the photo account of the Page': {
    type: 'photoapp',
    accounts: ['300000000000022'],
    causes: ['photo_account_missing'],
    consent: { pages: [page, { id: '300000000000022', name: 'Town Choir' }] },
    says: /no photoapp account: Town Choir/,
  },
  'a number of the business account': {
    type: 'chatapp',
    accounts: [],
    causes: ['number_missing'],
    consent: { emptyBusinessIds: ['400000000000009'], ...granular(numberScope, '400000000000009') },
    says: /has no number/,
  },
  'the permission of Pages': {
    type: 'pageapp',
    accounts: [PAGE],
    causes: ['permission_missing', 'business_permission_missing'],
    consent: { pages: [{ ...page, isListed: false }], scopes: ['email'] },
    says: /permissions are missing: pages_show_list/,
  },
  'the permission of the business': {
    type: 'pageapp',
    accounts: [PAGE],
    causes: ['not_selected', 'business_permission_missing'],
    consent: { pages: [ofBusiness], granularScopes: 'all', scopes: ['pages_show_list'] },
    says: /allow managing that business/,
  },
  'the permission of numbers': {
    type: 'chatapp',
    accounts: [NUMBER],
    causes: ['permission_missing'],
    consent: { granularScopes: 'absent', scopes: ['business_management'] },
    says: /permissions are missing: \w+_business_management/,
  },
  'access to the account': {
    type: 'chatapp',
    accounts: [NUMBER],
    causes: ['access_refused', 'business_permission_missing'],
    consent: { scopes: [...consentScopes.chatapp], ...granular(numberScope, '499999999999999') },
    says: /does not show them to us/,
  },
  'a selected account': {
    type: 'photoapp',
    accounts: [],
    causes: ['not_selected'],
    consent: {},
    says: /selected no account/,
  },
};

for (const [title, { causes, says, ...shape }] of Object.entries(lost)) {
  test(`the page says what is missing: ${title}`, async (t) => {
    const { status, html, resourceIds, log } = await connect(t, shape);
    t.is(status, 422, html);
    t.regex(html, says);
    t.deepEqual(resourceIds, []);
    t.like(
      log.lines.find(({ event }) => event === 'onboarding.ended'),
      { outcome: 'no_account', causes },
    );
  });
}

test('a Page that is temporarily unreadable connects no other one', async (t) => {
  const { status, resourceIds } = await connect(t, {
    type: 'pageapp',
    accounts: [PAGE, '300000000000012'],
    consent: {
      pages: [
        { ...page, isListed: false },
        { id: '300000000000012', name: 'Garden Café' },
      ],
      fault: { at: 'page', status: 503 },
    },
  });
  t.is(status, 504);
  t.deepEqual(resourceIds, []);
});

test('the failure URL names the most likely cause', async (t) => {
  const { link, visitor, platform } = await connectStage(t);
  platform.consent({ pages: [{ ...page, hasRole: false }] });
  const returns = { failureUrl: 'https://shop.example/failed' };
  const { url } = await link({ channelType: 'pageapp', returns });
  const left = await visitor().consent(url, [PAGE], /^https:\/\/shop\.example/);
  t.is(new URL(left.url).searchParams.get('reason'), 'no_account');
  t.is(new URL(left.url).searchParams.get('detail'), 'role_missing');
});

test('a Page connects although the platform refuses some of its events', async (t) => {
  const { status, log } = await connect(t, {
    type: 'pageapp',
    accounts: [PAGE],
    consent: { pages: [page], refusedFields: ['ratings'] },
  });
  t.is(status, 200);
  t.like(
    log.lines.find(({ event }) => event === 'onboarding.fieldsRefused'),
    { fields: ['ratings'] },
  );
});
