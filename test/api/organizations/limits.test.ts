import test from 'ava';
import type { OrganizationLimit } from '../../../contract/identity/limits.ts';
import { setOrganizationLimit } from '../../../db/organizations/limits.ts';
import { tenantStage, channelStage } from '../../harness/api/stages.ts';
import { aSession } from '../../harness/people/sessions.ts';

const span = { since: '2026-01-01T00:00:00Z', until: '2026-02-01T00:00:00Z', statuses: ['delivered'] };

for (const [limit, route, body] of [
  ['workspaces', 'workspaces', { name: 'Shop', kind: 'customer' }],
  ['apiKeys', 'keys', { name: 'CI' }],
  ['onboardingLinks', 'onboarding-links', { label: 'Shop', channelType: 'chatapp' }],
  ['openInvitations', 'invitations', { email: 'ann@example.com', role: 'member' }],
] as const satisfies readonly (readonly [OrganizationLimit, string, object])[]) {
  test(`an organization at its limit of ${limit} cannot create another`, async (t) => {
    const sendInvitation = () => Promise.resolve({ state: 'ended', result: 'started' } as const);
    const { db, call, refused, organization, user } = await tenantStage(t, {
      starts: { sendInvitation },
    });
    const { headers } = await aSession(db, user);
    const path = `POST /organizations/${organization.publicId}/${route}`;
    t.is((await call(path, { headers, body })).status, 201);
    await setOrganizationLimit(db, { organizationId: organization.id, limit, max: 1 });
    const { status, body: answer } = await refused('LIMIT_REACHED', path, { headers, body });
    t.is(status, 409);
    t.regex(answer.message, new RegExp(`can have at most 1 .*\`${limit}\``));
  });
}

test('concurrent replays are limited per organization', async (t) => {
  const { db, call, refused, organization, key, channel } = await channelStage(t);
  await setOrganizationLimit(db, { organizationId: organization.id, limit: 'runningReplays', max: 2 });
  const body = { ...span, scope: `channel:${channel.publicId}` };
  const create = () => call('POST /replays', { key, body });
  const answers = await Promise.all([1, 2, 3, 4].map(create));
  t.deepEqual(answers.map(({ status }) => status).sort(), [202, 202, 409, 409]);
  await refused('LIMIT_REACHED', 'POST /replays', { key, body });
  t.is((await call('POST /replays', { key, body: { ...body, dryRun: true } })).status, 202);
});

test('an onboarding link that has ended leaves room for another', async (t) => {
  const { db, call, refused, organization, key } = await tenantStage(t);
  await setOrganizationLimit(db, { organizationId: organization.id, limit: 'onboardingLinks', max: 1 });
  const path = `/organizations/${organization.publicId}/onboarding-links`;
  const body = { label: 'Shop', channelType: 'chatapp', maxUses: 1 };
  const create = async () => (await call(`POST ${path}`, { key, body })).body.onboardingLinkId;
  const used = await create();
  await refused('LIMIT_REACHED', `POST ${path}`, { key, body });
  await db('onboarding_links').where({ public_id: used }).update({ use_count: 1 });
  const expired = await create();
  await db('onboarding_links')
    .where({ public_id: expired })
    .update({ expires_at: db.raw("now() - interval '1 second'") });
  await create();
  for (const [link, again] of [
    [used, { maxUses: 2 }],
    [expired, { expiresAt: null }],
  ] as const) {
    await refused('LIMIT_REACHED', `PATCH ${path}/${link}`, { key, body: again });
    t.is((await call(`PATCH ${path}/${link}`, { key, body: { label: 'Old' } })).status, 200);
  }
  await setOrganizationLimit(db, { organizationId: organization.id, limit: 'onboardingLinks', max: 2 });
  t.like((await call(`PATCH ${path}/${used}`, { key, body: { maxUses: 2 } })).body, { status: 'active' });
});
