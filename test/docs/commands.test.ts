import test from 'ava';
import { cliStage } from '../cli/api-stage.ts';
import { aSession } from '../harness/people/sessions.ts';
import { commandsIn } from './command-lines.ts';
import { shellBlocksOf } from './shell-blocks.ts';

test('the key of the CLI guide has the limits of its options', async (t) => {
  const { cli, ws, db, user } = await cliStage(t);
  const { accessToken } = await aSession(db, user);
  const env = { SERVICE_API_KEY: accessToken };
  const commands = shellBlocksOf('docs/cli.md').flatMap(({ code }) => commandsIn(code).map((words) => words.join(' ')));
  const [create = '', ...others] = commands.filter((command) => command.startsWith('keys create '));
  t.deepEqual(others, []);
  const key = await cli.json(create.replace('ws_8kLm3Qz1', ws), { env });
  t.like(key, { scopes: ['deliveries.read'], workspaceIds: [ws], allowedCidrs: ['192.0.2.0/24'] });
  t.like(await cli.json('keys list', { env }), { keys: [{ keyId: key.keyId, workspaceIds: [ws] }] });
});
