import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { sourceFiles } from '../../../dev/checks/source-files.ts';
import { aWebhook } from '../../harness/deliveries/ledger.ts';
import { aChannel } from '../../harness/tenants.ts';
import { anAlert } from '../../harness/deliveries/alerts.ts';
import { startDemoSystem } from './demo-system.ts';
import { withFreePorts } from './free-ports.ts';
import { type GuideShell, guideShell } from './guide-shell.ts';
import { entryOf } from './not-run.ts';
import { type ShellBlock, shellBlocksOf } from '../shell-blocks.ts';

const START = 'docs/README.md';
/** readme.test.ts runs them. */
const TOUR = ['README.md', 'docs/tour.md'];
/** Refusals that a page explains. A slow machine may see another one of them, or none. */
const explained: Readonly<Record<string, readonly number[]>> = {
  // The alert receiver takes no GET, which waits for its start.
  'docs/alerts.md': [405],
  'docs/api-tour.md': [409, 504],
  // A receiver refuses the GET that waits for its start.
  'docs/receiving.md': [403],
};

const pages = sourceFiles(/^docs\/[^/]*\.md$/).filter((page) => page !== START && !TOUR.includes(page));
const isRun = (block: ShellBlock): boolean => entryOf(block) === undefined;

test('every block of the guides runs as it is, in order', async (t) => {
  const { db, folder, tenants } = await startDemoSystem(t);
  const organization = await db('organizations').where({ public_id: tenants.organizationId }).first('id');
  const workspace = await db('workspaces').where({ public_id: tenants.workspaceId }).first('id');
  const channel = await aChannel(db, workspace);
  const destinationId = await aWebhook(db, channel);
  // An alert with its cause, so that the worker does not resolve it.
  await db('destinations').where({ id: destinationId }).update({ enabled: false, disabled_reason: 'gone' });
  await anAlert(db, {
    organizationId: organization.id,
    workspaceId: workspace.id,
    kind: 'destination.disabled',
    causeKey: destinationId,
  });
  // curl reports each status here, because its exit code is 0 for refusals too.
  await writeFile(join(folder, '.curlrc'), String.raw`write-out = "%{stderr}\nanswer: %{http_code}\n"`);
  let count = 0;
  const problems: string[] = [];
  for (const page of pages) {
    const blocks = shellBlocksOf(page).filter(isRun);
    if (blocks.length === 0) continue;
    const shell = await guideShell(t, { folder, env: {} });
    const all = await withFreePorts([...shellBlocksOf(START), ...blocks]);
    problems.push(...(await problemsOf(shell, all)));
    count += blocks.length;
    await shell.end();
  }
  t.deepEqual(problems, []);
  t.true(count > 70, `${count}`);
});

/** The shell ends with the first command that fails. */
async function problemsOf(shell: GuideShell, blocks: readonly ShellBlock[]): Promise<string[]> {
  const problems: string[] = [];
  for (const block of blocks) {
    const ended = await shell.run(block).catch((error: unknown) => ({ error: String(error) }));
    if (typeof ended !== 'string') return [...problems, ended.error];
    const statuses = [...ended.matchAll(/^answer: (\d+)$/gm)].map(([, status]) => Number(status));
    const refused = statuses.filter((status) => status >= 400 && !explained[block.page]?.includes(status));
    if (refused.length > 0) problems.push(`${block.page}:${block.line} answers ${refused.join()}\n${ended}`);
  }
  return problems;
}
