import { signal } from '@preact/signals';

export interface DashboardConfig {
  readonly deployment: 'development' | 'production';
  readonly temporalUi: { readonly url: string; readonly namespace: string } | null;
}

/** What the service says about itself to whoever is signed in; the cautious values until it has. */
export const config = signal<DashboardConfig>({ deployment: 'production', temporalUi: null });

/** Links into workflows are all that hangs on it, so that no answer is no harm. */
export async function loadConfig(): Promise<void> {
  const response = await fetch('/app/config.json').catch(() => null);
  if (response?.ok) config.value = (await response.json()) as DashboardConfig; // the API's own type
}

/** A workflow's latest run in the Temporal UI, for those who may look there; null for everybody else. */
export function workflowUrl(workflowId: string): string | null {
  const { temporalUi: ui } = config.value;
  if (!ui) return null;
  return `${ui.url}/namespaces/${encodeURIComponent(ui.namespace)}/workflows/${encodeURIComponent(workflowId)}`;
}
