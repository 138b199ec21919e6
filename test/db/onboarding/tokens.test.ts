import { randomBytes } from 'node:crypto';
import test from 'ava';
import { beginAttempt, findAttempt, storeChoice, moveAttempt, openChoice } from '../../../db/onboarding/attempts.ts';
import { findLinkByToken, insertOnboardingLink, findOnboardingLink, linkToken } from '../../../db/onboarding/links.ts';
import { newOpaqueToken } from '../../../db/core/opaque-tokens.ts';
import { reencrypt } from '../../../db/upkeep/reencrypt.ts';
import { createSecretBox } from '../../../db/core/secret-box.ts';
import { testDatabase } from '../../harness/database/database.ts';
import { aTenant } from '../../harness/tenants.ts';

const tokenSalt = randomBytes(32);
const oldKey = { id: 'old', bytes: randomBytes(32) };
const newKey = { id: 'new', bytes: randomBytes(32) };

test('re-encryption reseals links and pending choices with the new key', async (t) => {
  const { db } = await testDatabase(t);
  const { organization, user } = await aTenant(db);
  // The tenant's own key was sealed by another box.
  await db('api_keys').delete();
  const secretBox = createSecretBox([oldKey]);
  const link = { organizationId: organization.id, workspaceId: null, label: 'x', createdBy: user.id };
  const publicId = await insertOnboardingLink(db, { secretBox, tokenSalt }, { ...link, channelType: 'chatapp' });
  const key = { organizationId: organization.id, publicId };
  const made = await findOnboardingLink(db, key);
  const token = linkToken(secretBox, made!);
  const browser = newOpaqueToken();
  const state = (await beginAttempt(db, { linkId: made!.id, tokenSalt, browser }))!;
  const { id } = (await findAttempt(db, { tokenSalt, state, browser }))!;
  await moveAttempt(db, id, { from: 'begun', to: 'granted' });
  await storeChoice(db, secretBox, { id, choice: 'the accounts' });

  const counts = await reencrypt(db, createSecretBox([newKey, oldKey]));
  t.like(counts, { 'onboarding_links.token_encrypted': 1, 'onboarding_attempts.token_encrypted': 1 });
  const only = createSecretBox([newKey]);
  t.is(linkToken(only, (await findOnboardingLink(db, key))!), token);
  t.is((await findLinkByToken(db, { tokenSalt, token }))?.publicId, publicId);
  const attempt = await findAttempt(db, { tokenSalt, state, browser });
  t.is(openChoice(only, { id, sealed: attempt!.sealedChoice! }), 'the accounts');
});
