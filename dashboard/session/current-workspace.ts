import { signal } from '@preact/signals';
import type { Schema } from '../../client/create-client.ts';
import { api } from './api.ts';
import { remember, remembered } from './remembered.ts';

export type Workspace = Schema<'WholeWorkspace'>;

export interface WorkspaceState {
  readonly workspaceId: string;
  /** Null until it is here. */
  readonly workspace: Workspace | null;
  readonly error: Error | null;
}

/** The workspace that the pages and the menu speak of. */
export const currentWorkspace = signal<WorkspaceState | null>(null);

/** Makes a workspace the current one, and asks for it unless it is here. */
export async function enterWorkspace(workspaceId: string): Promise<void> {
  const state = currentWorkspace.peek();
  if (state?.workspaceId === workspaceId && !state.error) return;
  currentWorkspace.value = { workspaceId, workspace: null, error: null };
  await refreshWorkspace();
}

/** Asks for the current workspace anew: it was renamed, or has more channels. */
export async function refreshWorkspace(): Promise<void> {
  const workspaceId = currentWorkspace.peek()?.workspaceId;
  if (workspaceId === undefined) return;
  const found = await api.get('/workspaces/{ws}', { params: { path: { ws: workspaceId } } }).then(
    (workspace) => ({ workspace, error: null }),
    (error: Error) => ({ workspace: null, error }),
  );
  if (currentWorkspace.peek()?.workspaceId !== workspaceId) return;
  currentWorkspace.value = { workspaceId, ...found };
  if (found.workspace) remember(`workspace.${found.workspace.organizationId}`, workspaceId);
}

export function leaveWorkspace(): void {
  currentWorkspace.value = null;
}

/** Where somebody goes who names only the organization: where they were last, else its oldest workspace on the first page. */
export async function usualWorkspace(organizationId: string): Promise<string | null> {
  const last = remembered(`workspace.${organizationId}`);
  const path = { org: organizationId };
  const { workspaces } = await api.get('/organizations/{org}/workspaces', { params: { path, query: { limit: 100 } } });
  if (last !== null && workspaces.some(({ id }) => id === last)) return last;
  const teams = workspaces.filter(({ kind }) => kind === 'team');
  return (teams.at(-1) ?? workspaces.at(-1))?.id ?? null;
}
