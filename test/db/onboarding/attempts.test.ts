import { randomBytes } from 'node:crypto';
import test from 'ava';
import { newOpaqueToken } from '../../../db/core/opaque-tokens.ts';
import { beginAttempt, findAttempt, moveAttempt } from '../../../db/onboarding/attempts.ts';
import { findOnboardingLink, insertOnboardingLink } from '../../../db/onboarding/links.ts';
import { testDatabase } from '../../harness/database/database.ts';
import { aTenant, testSecretBox } from '../../harness/tenants.ts';

const tokenSalt = randomBytes(32);

test('an expired attempt can only be refused or fail', async (t) => {
  const { db } = await testDatabase(t);
  const { organization, user } = await aTenant(db);
  const organizationId = organization.id;
  const link = { organizationId, workspaceId: null, label: 'x', createdBy: user.id, channelType: 'chatapp' } as const;
  const publicId = await insertOnboardingLink(db, { secretBox: testSecretBox, tokenSalt }, link);
  const { id: linkId } = (await findOnboardingLink(db, { organizationId, publicId }))!;
  const begin = async (): Promise<number> => {
    const browser = newOpaqueToken();
    const state = (await beginAttempt(db, { linkId, tokenSalt, browser }))!;
    return (await findAttempt(db, { tokenSalt, state, browser }))!.id;
  };
  const [begun, granted, refused] = [await begin(), await begin(), await begin()];
  t.true(await moveAttempt(db, granted, { from: 'begun', to: 'granted' }));

  await db('onboarding_attempts').update({ expires_at: db.fn.now() });
  t.false(await moveAttempt(db, begun, { from: 'begun', to: 'granted' }));
  t.false(await moveAttempt(db, granted, { from: 'granted', to: 'connected' }));
  t.true(await moveAttempt(db, granted, { from: 'granted', to: 'failed' }));
  t.true(await moveAttempt(db, refused, { from: 'begun', to: 'refused' }));
});
