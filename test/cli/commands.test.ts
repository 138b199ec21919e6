import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { insertWorkspace } from '../../db/organizations/workspaces.ts';
import { aLedgerDelivery, aWebhook } from '../harness/deliveries/ledger.ts';
import { aSession } from '../harness/people/sessions.ts';
import { aChannel, aKey, aTenant } from '../harness/tenants.ts';
import { cliStage } from './api-stage.ts';

test.serial('channels are listed, shown, toggled, moved and disconnected', async (t) => {
  const { cli, ch, ws, db, organization } = await cliStage(t);
  const { channels, nextCursor } = await cli.json('list');
  t.is(channels[0].id, ch);
  t.is(nextCursor, null);
  const { stdout } = await cli.run('list');
  t.regex(stdout, /^CHANNEL\s+TYPE\s+NAME\s+STATUS\s+WEBHOOK\nch_\w{8}\s+chatapp\s+chatapp \w+\s+connected\s+-\n$/);
  const shown = (await cli.run(`show ${ch}`)).stdout;
  t.regex(shown, new RegExp(`Webhook +not set[^]*Workspace +${ws}`));
  t.notRegex(shown, /\S +-$/m, 'no row is empty');
  t.false((await cli.json(`disable ${ch}`)).forwardingEnabled);
  t.regex((await cli.run('list')).stdout, /forwarding off/);
  t.true((await cli.json(`enable ${ch}`)).forwardingEnabled);
  t.regex(await cli.fails(2, `disconnect ${ch}`), /--yes/);
  const other = await insertWorkspace(db, { organizationId: organization.id, name: 'Other', kind: 'team' });
  t.is((await cli.json(`move ${ch} --to ${other.publicId}`)).workspaceId, other.publicId);
  t.regex(
    await cli.fails(1, `show ${ch} --workspace ${ws}`),
    /--workspace\.\n {2}code CHANNEL_NOT_FOUND, request [\w.-]+\n$/,
  );
  t.false((await cli.json(`disconnect ${ch} --yes --workspace ${other.publicId}`)).connected);
});

test.serial('token and env print secrets and write owner-only files', async (t) => {
  const { cli, ch } = await cliStage(t);
  const { token } = await cli.json(`token ${ch}`);
  t.regex((await cli.run(`token ${ch}`)).stdout, new RegExp(`^Token +${token}\n`));
  t.is((await cli.run(`token ${ch} --value`)).stdout, `${token}\n`);
  t.regex(await cli.fails(2, `token ${ch} --value --json`), /cannot be combined/);
  t.regex(await cli.fails(2, `token ${ch} --overlap 5`), /--rotate/);
  const { values } = await cli.json(`env ${ch}`);
  t.is(values.CHATAPP_ACCESS_TOKEN, token);
  const printed = (await cli.run(`env ${ch} --export`)).stdout;
  t.true(printed.includes(`export CHATAPP_ACCESS_TOKEN=${token}\n`));
  const file = join(cli.configFolder, '..', 'app.env');
  await writeFile(file, "# mine\nPORT=4000\nSERVICE_CHANNEL_ID='old'\n");
  const end = await cli.run(['env', ch, '--write', file]);
  t.false(end.stdout.includes(token));
  const text = await readFile(file, 'utf8');
  t.true(text.startsWith(`# mine\nPORT=4000\nSERVICE_CHANNEL_ID=${ch}\n`));
  t.true(text.includes(`WEBHOOK_HMAC_SECRET=${values.WEBHOOK_HMAC_SECRET}\n`));
  t.is((await stat(file)).mode & 0o777, 0o600);
});

test.serial('webhook commands hide the token, rotate the secret and clear', async (t) => {
  const { cli, ch, db, channel } = await cliStage(t);
  await aWebhook(db, channel);
  t.false('verifyToken' in (await cli.json(`webhook show ${ch}`)));
  t.is((await cli.json(`webhook show ${ch} --reveal`)).verifyToken, 'token');
  t.regex((await cli.run(`webhook show ${ch}`)).stdout, /Verify token +set; use --reveal to show it/);
  const { hmacSecret } = await cli.json(`webhook hmac ${ch}`);
  t.is((await cli.run(`webhook hmac ${ch} --value`)).stdout, `${hmacSecret}\n`);
  t.regex(await cli.fails(2, `webhook hmac ${ch} --value --json`), /cannot be combined/);
  const rotate = `webhook hmac ${ch} --rotate --overlap 60 --idempotency-key once`;
  const rotated = await cli.json(rotate);
  t.not(rotated.hmacSecret, hmacSecret);
  t.truthy(rotated.previousSecretExpiresAt);
  t.is((await cli.json(rotate)).hmacSecret, rotated.hmacSecret);
  t.is((await cli.json(`webhook clear ${ch} --yes`)).webhookUrl, null);
  t.regex(await cli.fails(6, `webhook test ${ch}`), /channels webhook set .*\n.*WEBHOOK_NOT_SET, request /);
  t.regex(await cli.fails(1, `webhook set ${ch} https://r.example.com/hook --verify-token x`), /WORKFLOW_UNAVAILABLE/);
});

test.serial('deliveries are filtered, shown, cancelled and replayed', async (t) => {
  const { cli, ch, db, channel } = await cliStage(t);
  const destinationId = await aWebhook(db, channel);
  const body = '{"id":12345678901234567890,"text":"a\\u001b[31m\\u009b"}';
  const exhausted = await aLedgerDelivery(db, channel, { status: 'exhausted', destinationId, body });
  const pending = await aLedgerDelivery(db, channel, { status: 'pending', destinationId });
  const list = async (line: string) =>
    (await cli.json(`deliveries list ${line}`)).deliveries.map(({ deliveryId }: { deliveryId: string }) => deliveryId);
  t.deepEqual(await list(`--channel ${ch}`), [pending.publicId, exhausted.publicId]);
  t.deepEqual(await list('--status exhausted --since 1h --until now --destination webhook --sender 15550001'), [
    exhausted.publicId,
  ]);
  t.deepEqual(await list('--status retrying,exhausted --status pending'), [pending.publicId, exhausted.publicId]);
  t.deepEqual(await list('--event-type chatapp.message.status,photoapp.message.received'), []);
  t.regex(await cli.fails(2, 'deliveries list --status lost,pending'), /Unknown value 'lost'\. Use pending/);
  t.deepEqual(await list('--message-id mid.2'), []);
  t.deepEqual(await list('--event-type chatapp.message.received --limit 1'), [pending.publicId]);
  t.regex((await cli.run('deliveries list --limit 1')).stderr, /Use --all or --cursor \w+/);
  t.is((await cli.run(`deliveries show ${exhausted.publicId} --payload`)).stdout, body);
  const stacked = (await cli.run(`deliveries show ${exhausted.publicId}`, { terminal: { columns: 80 } })).stdout;
  t.true(stacked.includes('"id": 12345678901234567890'), 'large numbers keep all digits');
  t.regex(stacked, /PAYLOAD[^\n]*\n[^]*ATTEMPTS/);
  t.true(stacked.lastIndexOf('none') > stacked.indexOf('ATTEMPTS'));
  const beside = (await cli.run(`deliveries show ${exhausted.publicId}`, { terminal: { columns: 130 } })).stdout;
  t.regex(beside, /PAYLOAD +│ ATTEMPTS/);
  t.is((await cli.json(`deliveries cancel ${pending.publicId} --yes`)).status, 'cancelled');
  t.is((await cli.json(`deliveries cancel ${pending.publicId} --yes`)).status, 'cancelled', 'again');
  t.regex(await cli.fails(6, `deliveries cancel ${exhausted.publicId} --yes`), /DELIVERY_ENDED/);
  const replayed = await cli.json(`deliveries replay ${exhausted.publicId} --destination webhook --idempotency-key a`);
  t.is(replayed.eventId, (await cli.json(`deliveries show ${exhausted.publicId}`)).eventId);
  t.is((await cli.json(`deliveries show ${replayed.deliveryId}`)).replayOf, exhausted.publicId);
  t.regex((await cli.run(`deliveries show ${replayed.deliveryId}`)).stdout, /Created \(UTC\) +\d{4}-/);
  const table = (await cli.run('deliveries list')).stdout;
  t.regex(table, new RegExp(`REPLAY OF\n.*${replayed.deliveryId} .* ${exhausted.publicId}\n`));
  t.is((await cli.json(`destinations ${ch}`)).destinations[0].type, 'webhook');
  t.true((await cli.json(`statistics ${ch} --since 2h --buckets 4`)).destinations.length > 0);
  t.regex((await cli.run(`destinations ${ch}`)).stdout, /DESTINATION +STATUS[^]*webhook https/);
  t.is((await cli.json(`ordering ${ch} none`)).destinations[0].ordering, 'none');
  t.regex((await cli.run(`ordering ${ch} conversation --destination webhook`)).stdout, /ORDERING[^]*conversation/);
  t.regex(await cli.fails(1, `ordering ${ch} none --destination sub_00000000`), /SUBSCRIPTION_NOT_FOUND/);
  const [, ...hours] = (await cli.run(`statistics ${ch} --since 2h --buckets 4`)).stdout.trim().split('\n');
  t.is(hours.length, 4, 'a row for each bucket, also without deliveries');
  const byDefault = (await cli.run(`statistics ${ch}`)).stdout.trim().split('\n');
  t.is(byDefault.length, 13, 'the title and twelve buckets');
});

test.serial('the trace header of a destination is turned off and on', async (t) => {
  const { cli, ch, db, channel } = await cliStage(t);
  await aWebhook(db, channel);

  t.false((await cli.json(`trace-header ${ch} off`)).destinations[0].sendsTraceParent);
  t.regex((await cli.run(`trace-header ${ch} on`)).stdout, /TRACE HEADER[^]*on/);
  t.regex(await cli.fails(1, `trace-header ${ch} off --destination sub_00000000`), /SUBSCRIPTION_NOT_FOUND/);
});

test.serial('server text cannot control the terminal', async (t) => {
  const { cli, db } = await cliStage(t);
  const name = 'Shop \u202e\u200f\u200b\u001b[31m';
  const { id } = await cli.json('customers create Shop --external-id shop-17');
  // The API refuses such a name.
  await db('workspaces').where({ public_id: id }).update({ name });
  const { stdout } = await cli.run('customers list', { terminal: { columns: 120 } });
  t.regex(stdout, /Shop \\u202e\\u200f\\u200b\\x1b\[31m/);
  const json = (await cli.run('customers list --json', { terminal: {} })).stdout;
  t.false(/[\u001b\u200b\u202e]/.test(json));
  t.is(JSON.parse(json).workspaces[0].name, name);
});

test.serial('workspaces and customers are created, listed, renamed and deleted', async (t) => {
  const { cli, org } = await cliStage(t);
  const team = await cli.json('workspaces create Support');
  t.is(team.organizationId, org);
  const customer = await cli.json("customers create 'Corner shop' --external-id shop-17");
  t.is(customer.kind, 'customer');
  t.is((await cli.json('customers list --external-id shop-17')).workspaces.length, 1);
  t.is((await cli.json('workspaces list --kind team --all')).workspaces.length, 2);
  t.is((await cli.json(`workspaces show ${team.id}`)).role, 'admin');
  t.is((await cli.json(`customers rename ${customer.id} Shop --external-id ''`)).externalId, null);
  t.regex(await cli.fails(2, `workspaces rename ${team.id}`), /Use a new name/);
  await cli.json(`customers delete ${customer.id} --yes`);
  t.regex(await cli.fails(1, `customers show ${customer.id}`), /WORKSPACE_NOT_FOUND/);
  t.regex(
    await cli.fails(2, 'list'),
    /access to 2 workspaces\. Choose one:\n {2}ws_\w{8} {2}Support[^]*--workspace <id>/,
  );
});

test.serial('members, invitations, onboarding links, credentials and logs are managed', async (t) => {
  const { cli, ch, ws, db, organization, user } = await cliStage(t);
  const { members } = await cli.json('members list');
  t.is(members[0].userId, user.publicId);
  await cli.json(`members set ${user.publicId} member --of ${ws}`);
  t.is((await cli.json(`members list --of ${ws}`)).members[0].role, 'member');
  await cli.json(`members remove ${user.publicId} --of ${ws} --yes`);
  t.regex(await cli.fails(6, `members set ${user.publicId} member`), /LAST_ADMIN/);
  t.regex(await cli.fails(1, 'invitations create ann@example.com'), /WORKFLOW_UNAVAILABLE/);
  t.is((await cli.json('invitations list')).invitations[0].status, 'revoked', 'no email could be sent');
  t.regex(await cli.fails(1, 'invitations revoke inv_00000000 --yes'), /INVITATION_NOT_FOUND/);
  t.regex(await cli.fails(3, 'invitations accept', { stdin: 'code\n' }), /FORBIDDEN/);

  const link = await cli.json(`onboarding-links create Spring --type chatapp --into ${ws}`);
  t.is((await cli.json(`onboarding-links edit ${link.onboardingLinkId} --label Summer --into none`)).workspaceId, null);
  t.not((await cli.json(`onboarding-links regenerate ${link.onboardingLinkId}`)).url, link.url);
  t.is((await cli.json(`onboarding-links show ${link.onboardingLinkId}`)).label, 'Summer');
  await cli.json(`onboarding-links revoke ${link.onboardingLinkId} --yes`);
  t.regex((await cli.run('onboarding-links list')).stdout, /revoked/);

  t.deepEqual((await cli.json('credentials eligible-scopes')).organizations.length, 1);
  t.deepEqual((await cli.json('credentials list')).credentials, []);
  t.regex(await cli.fails(1, 'credentials revoke ac_00000000 --yes'), /CREDENTIAL_NOT_FOUND/);
  t.true((await cli.json('audit --since 1h')).entries.length > 0);
  t.deepEqual((await cli.json('usage --since 7d --by channel')).usage, []);
  const { erasureId } = await cli.json('erasures create --sender 15550001 --reason asked --yes');
  t.is((await cli.json(`erasures show ${erasureId}`)).kind, 'sender');
  t.is((await cli.json('erasures list')).erasures.length, 1);
  const file = join(cli.configFolder, '..', 'person.jsonl');
  const exported = await cli.json(`exports create --sender 15550001 --reason asked --output ${file} --channel ${ch}`);
  t.is(exported.file, file);
  t.is(JSON.parse((await readFile(file, 'utf8')).trimEnd().split('\n').at(-1)!).type, 'end');
  t.is((await stat(file)).mode & 0o777, 0o600);
  t.regex((await cli.run('usage --csv')).stdout, /^day,workspaceId,channelId,events,/);
  t.deepEqual((await cli.json(`outbound-calls ${ch} --since 1h`)).outboundCalls, []);
  const reader = await aKey(db, { organization, user, scopes: ['workspace.read'] });
  t.regex(await cli.fails(3, 'list', { env: { SERVICE_API_KEY: reader } }), /--scopes all[^]*AGENT_SCOPE_INSUFFICIENT/);
});

test.serial('portal links and the branding are managed', async (t) => {
  const { cli, ch } = await cliStage(t);
  const portal = await cli.json(`portal-links create --right replays.manage --channel ${ch} --minutes 15`);
  t.deepEqual(portal.rights, ['channels.read', 'replays.read', 'replays.manage']);
  t.regex(portal.url, new RegExp(`/portal/${portal.portalLinkId}#`));
  t.is((await cli.json('portal-links list')).portalLinks[0].status, 'active');
  await cli.json(`portal-links revoke ${portal.portalLinkId} --yes`);
  t.regex((await cli.run('portal-links list')).stdout, /revoked/);
  t.regex(await cli.fails(2, 'portal-links create --right channel.reveal'), /channels\.read/);
  await cli.json('branding set --color #0b5fff --frame-ancestor https://app.example.com');
  await cli.json('branding set --display-name Acme');
  t.like(await cli.json('branding show'), { displayName: 'Acme', color: '#0b5fff', textColor: '#ffffff' });
  t.is((await cli.json('branding set --color none --frame-ancestor none')).portalFrameAncestors.length, 0);
  t.regex(await cli.fails(2, 'branding set'), /at least one/);
});

test.serial('key commands require a session', async (t) => {
  const { cli, db, user } = await cliStage(t);
  t.regex(await cli.fails(3, 'keys list'), /It accepts sessions\.[^]*channels login --session/);
  t.regex(
    await cli.fails(3, 'organizations create Acme'),
    /does not accept API keys\. It accepts sessions\.[^]*channels login --session/,
  );
  const { accessToken } = await aSession(db, user);
  const env = { SERVICE_API_KEY: accessToken };
  const made = await cli.json('keys create Build', { env });
  t.regex(made.apiKey, /^hmok_/);
  t.is((await cli.json(`keys reveal ${made.keyId}`, { env })).apiKey, made.apiKey);
  const listed = await cli.run('keys list', { env });
  t.false(listed.stdout.includes(made.apiKey));
  await cli.json(`keys revoke ${made.keyId} --yes`, { env });
  t.is((await cli.json('list --all', { env })).channels.length, 1);
});

test.serial('the api command calls any route', async (t) => {
  const { cli, ch, ws } = await cliStage(t);
  t.is((await cli.json('api GET /auth/session')).credential.kind, 'api_key');
  t.is((await cli.json(`api get /platform/channels/${ch} --workspace ${ws}`)).id, ch);
  const body = JSON.stringify({ name: 'Renamed' });
  t.is((await cli.json(`api PATCH /workspaces/${ws} --body -`, { stdin: body })).name, 'Renamed');
  t.regex((await cli.run('api GET /healthz --include')).stderr, /HTTP 200/);
  t.regex(await cli.fails(2, 'api GET platform/channels'), /Start it with one slash/);
  t.regex(await cli.fails(1, 'api GET /nonsense'), /ROUTE_NOT_FOUND/);
});

test.serial('listeners are created, listed, shown and deleted', async (t) => {
  const { cli, ch } = await cliStage(t);
  const create = `listeners create ${ch} --label laptop --events chatapp.message.received --idempotency-key a`;
  const made = await cli.json(create);
  t.is((await cli.json(`listeners list ${ch}`)).listeners[0].listenerId, made.listenerId);
  t.is((await cli.json(`listeners show ${ch} ${made.listenerId}`)).label, 'laptop');
  t.regex((await cli.run(`listeners list ${ch}`)).stdout, /laptop/);
  await cli.json(`listeners delete ${ch} ${made.listenerId} --yes`);
  t.regex(await cli.fails(1, `listeners show ${ch} ${made.listenerId}`), /LISTENER_NOT_FOUND/);
});

test.serial('tables fit the terminal, and NO_COLOR disables colors', async (t) => {
  const { cli, db, workspace } = await cliStage(t);
  for (let n = 0; n < 3; n++) await aChannel(db, workspace, { resourceId: `${n}`.repeat(90) });
  const plain = await cli.run('list', { terminal: { columns: 72 }, env: { NO_COLOR: '1' } });
  t.true(
    plain.stdout.split('\n').every((line) => line.length <= 72),
    plain.stdout,
  );
  t.true(plain.stdout.includes('…'));
  t.false(plain.stdout.includes('\u001b'));
  t.true((await cli.run('list', { terminal: { columns: 72 } })).stdout.includes('\u001b[32mconnected'));
  t.false((await cli.run('list')).stdout.includes('…'));
  const tenant = await aTenant(db);
  t.regex(await cli.fails(3, `list --workspace ${tenant.workspace.publicId}`), /WORKSPACE_ORG_MISMATCH/);
});
