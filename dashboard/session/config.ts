import { signal } from '@preact/signals';
import { traceUrl } from '../../contract/traces/trace-parent.ts';

export interface DashboardConfig {
  readonly deployment: 'development' | 'production';
  readonly temporalUi: { readonly url: string; readonly namespace: string } | null;
  readonly traceUrlTemplate: string | null;
  /** Accounts can be connected without the real platform. */
  readonly hasSimulator: boolean;
}

/** Restrictive until the response arrives. */
export const config = signal<DashboardConfig>({
  deployment: 'production',
  temporalUi: null,
  traceUrlTemplate: null,
  hasSimulator: false,
});

/** Ignores failures, because the configuration only adds links to workflows. */
export async function loadConfig(): Promise<void> {
  const response = await fetch('/app/config.json').catch(() => null);
  if (response?.ok) config.value = (await response.json()) as DashboardConfig;
}

/** Returns the link to a trace, or null if the installation has no trace UI or the user no access to it. */
export function traceLink(traceId: string): string | null {
  const { traceUrlTemplate: template } = config.value;
  return template === null ? null : traceUrl(template, traceId);
}

/** Returns the Temporal UI link of a workflow's latest run, or null for users without access. */
export function workflowUrl(workflowId: string): string | null {
  const { temporalUi: ui } = config.value;
  if (!ui) return null;
  return `${ui.url}/namespaces/${encodeURIComponent(ui.namespace)}/workflows/${encodeURIComponent(workflowId)}`;
}
