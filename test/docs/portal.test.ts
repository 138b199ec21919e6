import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { projectRoot } from '../../dev/checks/source-files.ts';
import { cliStage } from '../cli/api-stage.ts';

const guide = readFileSync(join(projectRoot, 'docs/portal.md'), 'utf8');

function blocksOf(language: string): string[] {
  return [...guide.matchAll(/^( *)```(\w+)\n([^]*?)^ *```$/gm)].flatMap(([, , name, text = '']) =>
    name === language ? [text.replace(/^ {3}/gm, '')] : [],
  );
}

interface Example {
  readonly portalUrl: (needs: { baseUrl: string; apiKey: string; workspaceId: string }) => Promise<string>;
}

test('the example of the portal guide creates a link that opens', async (t) => {
  const { url, ws, apiKey, call } = await cliStage(t);
  const [code = ''] = blocksOf('js');
  const { portalUrl } = (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as Example;
  const link = new URL(await portalUrl({ baseUrl: url, apiKey, workspaceId: ws }));
  const body = { portalLinkId: link.pathname.split('/').at(-1), secret: link.hash.slice(1) };
  const session = await call('POST /portal/session', { body });
  t.deepEqual(session.body.rights, [
    'channels.read',
    'deliveries.read',
    'deliveries.retry',
    'subscriptions.read',
    'subscriptions.manage',
  ]);
  await t.throwsAsync(portalUrl({ baseUrl: url, apiKey: 'hmok_x', workspaceId: ws }), { message: /401/ });
});

test('the commands of the portal guide run', async (t) => {
  const { cli, ws, ch } = await cliStage(t);
  const lines = blocksOf('bash').flatMap((block) => block.split('\n').filter((line) => line.startsWith('channels ')));
  t.is(lines.length, 6);
  let created = '';
  for (const line of lines) {
    const given = line.replace('ws_8kLm3Qz1', ws).replace('ch_4fT9aPq2', ch).replace('ptl_8kLm3Qz1', created);
    const answer = await cli.json(given.replaceAll("'", '').split(' ').slice(1));
    created = answer.portalLinkId ?? created;
  }
  t.is((await cli.json('branding show')).displayName, 'Acme');
  t.is((await cli.json('portal-links list')).portalLinks[0].status, 'revoked');
});
