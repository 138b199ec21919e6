import type { RolloutOutcome } from '../contract/webhooks/rollout.ts';
import type { ApiClient, Schema } from './create-client.ts';

type Input = Schema<'DefaultWebhookInput'>;
type ApplyInput = Schema<'WebhookRolloutInput'>;
interface Keyed {
  readonly 'Idempotency-Key'?: string;
}
interface PageQuery {
  readonly limit?: number;
  readonly cursor?: string;
}
type ResultQuery = PageQuery & { readonly outcome?: RolloutOutcome };

/** The calls about an organization's default webhook, without its id. */
export function ofOrganization(client: ApiClient, org: string) {
  const path = '/organizations/{org}/default-webhook';
  const at = { path: { org } };
  return {
    get: () => client.get(path, { params: at }),
    put: (body: Input) => client.put(path, { params: at, body }),
    clear: () => client.delete(path, { params: at }),
    apply: (body: ApplyInput, header: Keyed) => client.post(`${path}/apply`, { params: { ...at, header }, body }),
    list: (query: PageQuery) => client.get(`${path}/rollouts`, { params: { ...at, query } }),
    read: (dwr: string) => client.get(`${path}/rollouts/{dwr}`, { params: { path: { org, dwr } } }),
    cancel: (dwr: string) => client.post(`${path}/rollouts/{dwr}/cancel`, { params: { path: { org, dwr } } }),
    results: (dwr: string, query: ResultQuery) =>
      client.get(`${path}/rollouts/{dwr}/results`, { params: { path: { org, dwr }, query } }),
  };
}

export type DefaultWebhookCalls = ReturnType<typeof ofOrganization>;

/** The calls about a workspace's default webhook, without its id. */
export function ofWorkspace(client: ApiClient, ws: string): DefaultWebhookCalls {
  const path = '/workspaces/{ws}/default-webhook';
  const at = { path: { ws } };
  return {
    get: () => client.get(path, { params: at }),
    put: (body) => client.put(path, { params: at, body }),
    clear: () => client.delete(path, { params: at }),
    apply: (body, header) => client.post(`${path}/apply`, { params: { ...at, header }, body }),
    list: (query) => client.get(`${path}/rollouts`, { params: { ...at, query } }),
    read: (dwr) => client.get(`${path}/rollouts/{dwr}`, { params: { path: { ws, dwr } } }),
    cancel: (dwr) => client.post(`${path}/rollouts/{dwr}/cancel`, { params: { path: { ws, dwr } } }),
    results: (dwr, query) => client.get(`${path}/rollouts/{dwr}/results`, { params: { path: { ws, dwr }, query } }),
  };
}
