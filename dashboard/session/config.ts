import { signal } from '@preact/signals';

export interface DashboardConfig {
  readonly deployment: 'development' | 'production';
  readonly temporalUi: { readonly url: string; readonly namespace: string } | null;
}

/** Restrictive until the response arrives. */
export const config = signal<DashboardConfig>({ deployment: 'production', temporalUi: null });

/** Ignores failures, because the configuration only adds links to workflows. */
export async function loadConfig(): Promise<void> {
  const response = await fetch('/app/config.json').catch(() => null);
  if (response?.ok) config.value = (await response.json()) as DashboardConfig;
}

/** Returns the Temporal UI link of a workflow's latest run, or null for users without access. */
export function workflowUrl(workflowId: string): string | null {
  const { temporalUi: ui } = config.value;
  if (!ui) return null;
  return `${ui.url}/namespaces/${encodeURIComponent(ui.namespace)}/workflows/${encodeURIComponent(workflowId)}`;
}
