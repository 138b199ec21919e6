import { type ApiClient, createClient } from '../../client/create-client.ts';
import { portalToken } from './portal.ts';
import { sessionEnded } from './session-state.ts';

/** Authenticates by the session cookie, or in a portal by its token. Any 401 ends the session of the page. */
async function send(request: Request): Promise<Response> {
  const token = portalToken();
  if (token !== null) request.headers.set('authorization', `Bearer ${token}`);
  const response = await fetch(request);
  if (response.status === 401) sessionEnded();
  return response;
}

export const api: ApiClient = createClient({ baseUrl: '', fetch: send });

let last: { readonly workspaceId: string; readonly client: ApiClient } | undefined;

export function apiIn(workspaceId: string): ApiClient {
  if (last?.workspaceId !== workspaceId) {
    last = { workspaceId, client: createClient({ baseUrl: '', workspaceId, fetch: send }) };
  }
  return last.client;
}
