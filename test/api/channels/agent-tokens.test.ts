import test from 'ava';
import { fieldsOf } from '../../harness/fields-of.ts';
import { opened } from '../../harness/channels/channel-tokens.ts';
import { revealStage } from '../../harness/reveals/reveal-stage.ts';

test('an agent gets its own channel token, limited to its scopes', async (t) => {
  const { db, call, at, tenant, agentOf, tokenPath, envPath } = await revealStage(t);
  const agent = await agentOf(tenant.user, ['channel.reveal', 'channel.read', 'deliveries.read']);
  const another = await agentOf(tenant.user, ['channel.reveal', 'message.send']);
  const tokens = await Promise.all(
    [at, agent.at, another.at].map(async (who) => (await call(`GET ${tokenPath}`, who)).body),
  );
  t.deepEqual(fieldsOf(tokens, 'scopes'), [null, ['channel.read'], ['message.send']]);
  t.is(new Set(tokens.map(({ token }) => token)).size, 3);
  for (const { token, scopes } of tokens) t.deepEqual((await opened(db, token))?.scopes, scopes);
  t.is((await call(`GET ${envPath}`, agent.at)).body.values.CHATAPP_ACCESS_TOKEN, tokens[1].token);
  t.is((await call(`GET ${tokenPath}`, agent.at)).body.token, tokens[1].token, 'the token is stable');
});

test('an agent rotates only its own token under a shared Idempotency-Key', async (t) => {
  const { db, call, at, tenant, agentOf, tokenPath } = await revealStage(t);
  const agent = await agentOf(tenant.user, ['channel.reveal', 'channel.manage']);
  const shared = (await call(`GET ${tokenPath}`, at)).body.token;
  const before = (await call(`GET ${tokenPath}`, agent.at)).body.token;
  const rotate = (who: object) =>
    call(`POST ${tokenPath}/rotate`, { ...who, headers: { 'idempotency-key': 'same' }, body: {} });

  const rotated = (await rotate(agent.at)).body;

  t.deepEqual(rotated.scopes, ['channel.manage']);
  t.not(rotated.token, before);
  t.is((await call(`GET ${tokenPath}`, at)).body.token, shared);
  for (const token of [shared, before]) t.truthy(await opened(db, token), 'the overlap has started');
  t.is((await rotate(agent.at)).body.token, rotated.token);
  const ours = (await rotate(at)).body;
  t.not(ours.token, rotated.token);
  t.is(ours.scopes, null);
  t.is((await call(`GET ${tokenPath}`, agent.at)).body.token, rotated.token);
  t.truthy(await opened(db, before), "the agent's overlap continues");
});

test("an agent's token ends with its credential or by rotating revealed secrets", async (t) => {
  const { db, call, at, tenant, agentOf, tokenPath } = await revealStage(t);
  const agent = await agentOf(tenant.user, ['channel.reveal']);
  const path = `/agent/credentials/${agent.credentialId}`;
  const read = async () => (await call(`GET ${tokenPath}`, agent.at)).body.token;
  const first = await read();
  await call(`POST ${path}/rotate-revealed`, { ...at, body: { overlapSeconds: 0 } });
  t.is(await opened(db, first), undefined);
  const second = await read();
  t.truthy(await opened(db, second));
  await call(`DELETE ${path}`, at);
  t.is(await opened(db, second), undefined);
  t.false((await call(`GET ${path}/reveals`, at)).body.reveals[0].current);
});
