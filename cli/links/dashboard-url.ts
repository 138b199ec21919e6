import type { Run } from '../commands/run.ts';
import type { Field } from '../terminal/output.ts';
import { linkCell } from '../terminal/output.ts';

export interface DashboardPage {
  /** Optional. Default: the workspace in use. */
  readonly workspaceId?: string | null;
  /** Below the workspace: `channels/ch_…`. Empty for its overview. */
  readonly page: string;
}

export async function dashboardUrl(run: Run, { workspaceId, page }: DashboardPage): Promise<string> {
  const ws = workspaceId ?? (await run.workspaceId());
  return urlOf(run, [await organizationOf(run, ws), ws, page]);
}

export async function organizationUrl(run: Run, page = ''): Promise<string> {
  return urlOf(run, [await run.organizationId(), page]);
}

/** Returns no field with --json and for credentials that cannot tell the organization: a link is worth no failure. */
export async function dashboardField(run: Run, page: DashboardPage): Promise<Field[]> {
  if (run.output.isJson) return [];
  try {
    return [['Dashboard', linkCell(await dashboardUrl(run, page))]];
  } catch {
    run.world.signal.throwIfAborted();
    return [];
  }
}

function urlOf({ settings }: Run, parts: readonly string[]): string {
  return [`${settings.baseUrl.value}/app`, ...parts].filter(Boolean).join('/');
}

async function organizationOf(run: Run, ws: string): Promise<string> {
  const { organizationId } = run.settings;
  if (organizationId !== undefined) return organizationId.value;
  const client = await run.client();
  const { organizations } = await client.get('/auth/session');
  const [only, ...others] = organizations;
  if (only && others.length === 0) return only.organizationId;
  return (await client.get('/workspaces/{ws}', { params: { path: { ws } } })).organizationId;
}
