import process from 'node:process';
import { command } from '../commands/definition.ts';
import type { Run } from '../commands/run.ts';
import { CliError, exitCodes, usageError } from '../terminal/failures.ts';
import { dashboardUrl, organizationUrl } from './dashboard-url.ts';
import { channelWorkflowsUrl, workflowsUrl, workflowUrl } from './workflow-url.ts';

const pages = ['dashboard', 'deliveries', 'alerts', 'members', 'settings', 'guides', 'reference', 'workflows'] as const;
type PageName = (typeof pages)[number];

export const open = command('open [what]', {
  summary: 'Open a page in the browser: of a channel, delivery or replay, a guide, or a workflow',
  examples: [
    'channels open                            # the dashboard',
    'ch_4fT9aPq2',
    'wd_4fT9aPq2 --workflow     # in the Temporal Web UI, for operators',
    'guides',
    'deliveries --print',
  ],
  flags: {
    print: ['--print', 'print the address instead; also without a terminal or browser'],
    workflow: ['--workflow', 'open the workflow of the delivery, replay or channel; needs TEMPORAL_UI_URL'],
  },
  remarks: `Opens: the ID of a channel, delivery, replay, alert, workspace or organization, or one of ${pages.join(', ')}`,
  async run(run, [what], { print = false, workflow }) {
    const url = workflow ? await workflowOf(run, what ?? '') : await pageOf(run, what ?? 'dashboard');
    await openUrl(run, url, { print });
  },
});

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

/** Opens the address in a browser if there is one, and prints it otherwise. */
async function openUrl({ output, world }: Run, url: string, { print }: { print: boolean }): Promise<void> {
  if (output.isJson) return output.json({ url });
  const { openBrowser, env, stdout } = world;
  if (print || !stdout.isTTY || openBrowser === undefined || !hasBrowser(env)) return output.exact(`${url}\n`);
  try {
    await openBrowser(url);
    output.note(`Opened ${url} in your browser.`);
  } catch {
    output.note('No browser could be started. Open this address:');
    output.exact(`${url}\n`);
  }
}

/** A Linux computer without a display, as at the other end of SSH, has no browser. */
function hasBrowser(env: Run['world']['env']): boolean {
  if (env['CI']) return false;
  if (process.platform !== 'linux') return true;
  return Boolean(env['DISPLAY'] || env['WAYLAND_DISPLAY'] || env['WSL_DISTRO_NAME']);
}
