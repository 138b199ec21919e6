import { searchAttributes } from '../../contract/search-attributes.ts';
import type { ApiDeps } from '../requests/deps.ts';

export interface TemporalUi {
  readonly url: string;
  readonly namespace: string;
}

export function temporalUiOf({
  temporalUiUrl: url,
  temporalNamespace: namespace,
}: Pick<ApiDeps, 'temporalUiUrl' | 'temporalNamespace'>): TemporalUi | null {
  return url === undefined ? null : { url, namespace };
}

export function workflowLink(ui: TemporalUi | null, workflowId: string): string | null {
  return ui && `${workflowsOf(ui)}/${encodeURIComponent(workflowId)}`;
}

/** Running workflows are deliveries being retried and open circuits. */
export function channelLinks(ui: TemporalUi | null, channelId: string): { troubled: string; all: string } | null {
  if (!ui) return null;
  const ofChannel = `${searchAttributes.channel}="${channelId}"`;
  const link = (query: string) => `${workflowsOf(ui)}?query=${encodeURIComponent(query)}`;
  return { troubled: link(`${ofChannel} AND ExecutionStatus="Running"`), all: link(ofChannel) };
}

function workflowsOf({ url, namespace }: TemporalUi): string {
  return `${url}/namespaces/${encodeURIComponent(namespace)}/workflows`;
}
