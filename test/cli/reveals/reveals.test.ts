import test from 'ava';
import { insertAgentCredential } from '../../../db/people/agent-credentials.ts';
import { insertApiKey } from '../../../db/organizations/api-keys.ts';
import { tokenKeys } from '../../harness/channels/channel-tokens.ts';
import { aWebhook } from '../../harness/deliveries/ledger.ts';
import { aScheduledMessage } from '../../harness/scheduled/scheduled.ts';
import { aSession } from '../../harness/people/sessions.ts';
import { aKey, aMember } from '../../harness/tenants.ts';
import { cliStage } from '../api-stage.ts';

test.serial('removing a member lists known secrets and rotates on request', async (t) => {
  const { cli, ch, db, organization, channel } = await cliStage(t);
  await aWebhook(db, channel);
  const person = await aMember(db, organization, 'admin');
  const key = await aKey(db, { organization, user: person });
  await cli.run(`webhook hmac ${ch} --value`, { env: { SERVICE_API_KEY: key } });
  t.is((await cli.json(`members reveals ${person.publicId}`)).reveals.length, 1);
  t.is((await cli.json(`members keys ${person.publicId}`)).keys.length, 1);
  const { stdout, stderr } = await cli.run(`members remove ${person.publicId} --yes`);
  t.is(stdout, '');
  t.regex(stderr, new RegExp(`Revealed: webhook_secret of ${ch}`));
  t.regex(stderr, /Created: key_\w{8} \(test\)/);
  t.regex(stderr, new RegExp(`members revoke-keys ${person.publicId}`));
  t.regex(stderr, new RegExp(`members rotate-revealed ${person.publicId}`));
  const { rotations } = await cli.json(`members rotate-revealed ${person.publicId} --overlap 60`);
  t.like(rotations, [{ kind: 'webhook_secret', status: 'rotated' }]);
  t.regex(await cli.fails(3, `members revoke-keys ${person.publicId} --yes`), /FORBIDDEN/);
});

test.serial('revoking an agent credential rotates revealed secrets on request', async (t) => {
  const { cli, ch, db, organization, user, channel } = await cliStage(t);
  await aWebhook(db, channel);
  const keys = await tokenKeys(db);
  const owner = { organizationId: organization.id, userId: user.id };
  const agent = await db.transaction((trx) =>
    insertAgentCredential(trx, keys, { ...owner, scopes: ['workspace.read', 'channel.reveal', 'webhook.manage'] }),
  );
  const { credentialId: ac } = agent;
  await cli.json(`token ${ch}`, { env: { SERVICE_API_KEY: agent.token } });
  await cli.run(`webhook hmac ${ch} --value`, { env: { SERVICE_API_KEY: agent.token } });
  const { reveals } = await cli.json(`credentials reveals ${ac}`);
  t.deepEqual(reveals.map(({ kind }: { kind: string }) => kind).toSorted(), ['token', 'webhook_secret']);
  const revoked = await cli.json(`credentials revoke ${ac} --yes --rotate-revealed`);
  t.like(revoked, { credentialId: ac, revoked: true, rotations: [{ kind: 'webhook_secret' }] });
  t.is(revoked.rotations.length, 1, "the agent's own token ended with its credential");
  t.deepEqual((await cli.json(`credentials rotate-revealed ${ac}`)).rotations, []);
});

test.serial('revoking credentials lists and cancels what they have scheduled', async (t) => {
  const { cli, ch, db, organization, workspace, user, channel } = await cliStage(t);
  const keys = await tokenKeys(db);
  const owner = { organizationId: organization.id, userId: user.id };
  const agent = await db.transaction((trx) => insertAgentCredential(trx, keys, { ...owner, scopes: ['message.send'] }));
  const kept = await insertApiKey(db, keys, { ...owner, name: 'Kept', scopes: null });
  const ended = await insertApiKey(db, keys, { ...owner, name: 'Ended', scopes: null });
  const schedule = async (createdBy: string) =>
    (await aScheduledMessage(db, { channel, workspace, createdBy })).publicId;
  const byAgent = await schedule(agent.credentialId);
  const byKept = await schedule(kept.publicId);
  const byEnded = await schedule(ended.publicId);
  const revoked = await cli.json(`credentials revoke ${agent.credentialId} --yes --cancel-scheduled`);
  t.like(revoked, { revoked: true, cancellations: [{ id: byAgent, outcome: 'cancelled' }] });
  const env = { SERVICE_API_KEY: (await aSession(db, user)).accessToken };
  const { stderr } = await cli.run(`keys revoke ${kept.publicId} --yes`, { env });
  t.regex(stderr, new RegExp(`Scheduled: message ${byKept} of ${ch}`));
  t.regex(stderr, /still sent and published/);
  const end = await cli.run(`keys revoke ${ended.publicId} --yes --cancel-scheduled`, { env });
  t.regex(end.stdout, new RegExp(`${byEnded}.*cancelled`));
  const open = await db('scheduled').where({ status: 'scheduled' }).pluck('public_id');
  t.deepEqual(open, [byKept]);
});
