import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { projectRoot } from '../../dev/checks/source-files.ts';
import { cliStage } from '../cli/api-stage.ts';

const guide = readFileSync(join(projectRoot, 'docs/portal.md'), 'utf8');

interface Example {
  readonly portalUrl: (needs: { baseUrl: string; apiKey: string; workspaceId: string }) => Promise<string>;
}

test('the example of the portal guide creates a link that opens', async (t) => {
  const { url, ws, apiKey, call } = await cliStage(t);
  const [, indented = ''] = /^ *```js\n([^]*?)^ *```$/m.exec(guide) ?? [];
  const code = indented.replace(/^ {3}/gm, '');
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
