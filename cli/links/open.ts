import type { Command } from 'commander';
import { addCommand } from '../commands/arguments.ts';
import type { Act, Run } from '../commands/run.ts';
import { CliError, exitCodes, usageError } from '../terminal/failures.ts';
import { dashboardUrl, organizationUrl } from './dashboard-url.ts';
import { openUrl } from './open-browser.ts';
import { channelWorkflowsUrl, workflowsUrl, workflowUrl } from './workflow-url.ts';

const pages = ['dashboard', 'deliveries', 'alerts', 'members', 'settings', 'guides', 'reference', 'workflows'] as const;
type PageName = (typeof pages)[number];

interface OpenOptions {
  readonly print?: boolean;
  readonly workflow?: boolean;
}

export function addOpen(program: Command, act: Act): void {
  addCommand(program, 'open [what]', {
    summary: 'Open a page in the browser: of a channel, delivery or replay, a guide, or a workflow',
    examples: [
      'channels open                            # the dashboard',
      'channels open ch_4fT9aPq2',
      'channels open wd_4fT9aPq2 --workflow     # in the Temporal Web UI, for operators',
      'channels open guides',
      'channels open deliveries --print',
    ],
  })
    .option('--print', 'print the address instead; also without a terminal or browser')
    .option('--workflow', 'open the workflow of the delivery, replay or channel; needs TEMPORAL_UI_URL')
    .addHelpText(
      'after',
      `\nOpens: the ID of a channel, delivery, replay, alert, workspace or organization, or one of ${pages.join(', ')}`,
    )
    .action(act(open));
}

async function open(run: Run, what: string | undefined, { print = false, workflow }: OpenOptions): Promise<void> {
  const url = workflow ? await workflowOf(run, what ?? '') : await pageOf(run, what ?? 'dashboard');
  await openUrl(run, url, { print });
}

async function pageOf(run: Run, what: string): Promise<string> {
  const name = pages.find((page) => page === what);
  if (name !== undefined) return await namedPage(run, name);
  const kind: string | undefined = /^(ch|wd|rpl|alr|ws|org)_[A-Za-z0-9]{8}$/.exec(what)?.[1];
  switch (kind ?? 'none') {
    case 'ch':
      return await dashboardUrl(run, { page: `channels/${what}` });
    case 'wd':
      return await dashboardUrl(run, { page: `deliveries/${what}` });
    case 'rpl':
      return await organizationUrl(run, `replays/${what}`);
    case 'alr':
      return await organizationUrl(run, 'alerts');
    case 'ws':
      return await dashboardUrl(run, { workspaceId: what, page: '' });
    case 'org':
      return `${run.settings.baseUrl.value}/app/${what}`;
    default:
      throw usageError(`There is no page for '${what}'.`, `Use the ID of a record, or one of ${pages.join(', ')}.`);
  }
}

async function namedPage(run: Run, name: PageName): Promise<string> {
  const service = run.settings.baseUrl.value;
  switch (name) {
    case 'dashboard':
      return run.settings.workspaceId === undefined ? `${service}/app` : await dashboardUrl(run, { page: '' });
    case 'guides':
      return `${service}/guides`;
    case 'reference':
      return `${service}/docs`;
    case 'workflows':
      return workflowsUrl(run.world) ?? noTemporalUi();
    case 'deliveries':
    case 'alerts':
    case 'members':
    case 'settings':
      return await dashboardUrl(run, { page: name });
  }
}

async function workflowOf(run: Run, what: string): Promise<string> {
  if (workflowsUrl(run.world) === undefined) return noTemporalUi();
  if (what.startsWith('ch_')) return channelWorkflowsUrl(run.world, what) ?? noTemporalUi();
  const workflowId = await workflowIdOf(run, what);
  if (workflowId === null) {
    const hint = 'Only retried deliveries have one. `channels deliveries show` shows its attempts.';
    throw new CliError(`${what} has no workflow.`, { exitCode: exitCodes.failure, hint });
  }
  return workflowUrl(run.world, workflowId) ?? noTemporalUi();
}

async function workflowIdOf(run: Run, what: string): Promise<string | null> {
  if (what.startsWith('wd_')) {
    const client = await run.inWorkspace();
    return (await client.get('/deliveries/{wd}', { params: { path: { wd: what } } })).workflowId;
  }
  if (what.startsWith('rpl_')) {
    return (await (await run.client()).get('/replays/{rpl}', { params: { path: { rpl: what } } })).workflowId;
  }
  throw usageError('--workflow requires the ID of a delivery, replay or channel.');
}

function noTemporalUi(): never {
  throw usageError(
    'The address of the Temporal Web UI is not set.',
    'Operators set TEMPORAL_UI_URL. Support staff get links from `channels staff show`.',
  );
}
