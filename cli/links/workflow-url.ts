import { searchAttributes } from '../../contract/search-attributes.ts';
import type { World } from '../terminal/world.ts';

/** The Temporal Web UI belongs to operators, who set its address. The API does not tell it to customers. */
export function workflowsUrl({ env }: Pick<World, 'env'>): string | undefined {
  const url = env['TEMPORAL_UI_URL'];
  if (!url || !URL.canParse(url)) return undefined;
  const namespace = encodeURIComponent(env['TEMPORAL_NAMESPACE'] || 'default');
  return `${url.replace(/(?<!\/)\/+$/, '')}/namespaces/${namespace}/workflows`;
}

export function workflowUrl(world: Pick<World, 'env'>, workflowId: string | null): string | undefined {
  const workflows = workflowsUrl(world);
  return workflowId === null || workflows === undefined ? undefined : `${workflows}/${encodeURIComponent(workflowId)}`;
}

export function channelWorkflowsUrl(world: Pick<World, 'env'>, ch: string): string | undefined {
  const workflows = workflowsUrl(world);
  const query = encodeURIComponent(`${searchAttributes.channel}="${ch}"`);
  return workflows && `${workflows}?query=${query}`;
}
