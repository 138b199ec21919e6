import { signal } from '@preact/signals';
import { api } from './api.ts';

/** Open alerts by the id of an organization or a workspace. Kept while they are read again. */
export const alertCounts = signal<ReadonlyMap<string, number>>(new Map());

export async function loadAlertCount(org: string, workspaceId?: string): Promise<void> {
  const params = { path: { org }, query: workspaceId === undefined ? {} : { workspaceId } };
  try {
    const { critical, warning } = await api.get('/organizations/{org}/alert-count', { params });
    alertCounts.value = new Map(alertCounts.value).set(workspaceId ?? org, critical + warning);
  } catch {
    // The menu works without the number.
  }
}
