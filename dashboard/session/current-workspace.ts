import { signal } from '@preact/signals';
import type { Schema } from '../../client/create-client.ts';
import { api } from './api.ts';
import { readPreference, savePreference } from './preferences.ts';

export type Workspace = Schema<'WholeWorkspace'>;

export interface WorkspaceState {
  readonly workspaceId: string;
  readonly workspace: Workspace | null;
  readonly error: Error | null;
}

export const currentWorkspace = signal<WorkspaceState | null>(null);

export async function enterWorkspace(workspaceId: string): Promise<void> {
  const state = currentWorkspace.peek();
  if (state?.workspaceId === workspaceId && !state.error) return;
  currentWorkspace.value = { workspaceId, workspace: null, error: null };
  await refreshWorkspace();
}

export async function refreshWorkspace(): Promise<void> {
  const workspaceId = currentWorkspace.peek()?.workspaceId;
  if (workspaceId === undefined) return;
  const found = await api.get('/workspaces/{ws}', { params: { path: { ws: workspaceId } } }).then(
    (workspace) => ({ workspace, error: null }),
    (error: Error) => ({ workspace: null, error }),
  );
  if (currentWorkspace.peek()?.workspaceId !== workspaceId) return;
  currentWorkspace.value = { workspaceId, ...found };
  if (found.workspace) savePreference(`workspace.${found.workspace.organizationId}`, workspaceId);
}

export function leaveWorkspace(): void {
  currentWorkspace.value = null;
}

/** Returns the last used workspace, else the oldest team workspace on the first page, else the oldest of any kind. */
export async function defaultWorkspace(organizationId: string): Promise<string | null> {
  const last = readPreference(`workspace.${organizationId}`);
  const path = { org: organizationId };
  const { workspaces } = await api.get('/organizations/{org}/workspaces', { params: { path, query: { limit: 100 } } });
  if (last !== null && workspaces.some(({ id }) => id === last)) return last;
  const teams = workspaces.filter(({ kind }) => kind === 'team');
  return (teams.at(-1) ?? workspaces.at(-1))?.id ?? null;
}
