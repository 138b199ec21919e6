import { type ApiClient, createClient } from '../../client/create-client.ts';
import { sessionEnded } from './session-state.ts';

/** Authenticates by the session cookie. Any 401 shows the sign-in page. */
async function send(request: Request): Promise<Response> {
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
