import { type ApiClient, createClient } from '../../client/create-client.ts';
import { sessionEnded } from './session-state.ts';

/** The browser's cookie speaks; a refusal of it anywhere brings the sign-in page. */
async function send(request: Request): Promise<Response> {
  const response = await fetch(request);
  if (response.status === 401) sessionEnded();
  return response;
}

/** Calls the API as the person who is signed in. */
export const api: ApiClient = createClient({ baseUrl: '', fetch: send });

let last: { readonly workspaceId: string; readonly client: ApiClient } | undefined;

/** The same within a workspace, for operations that take it from X-Workspace-Id. */
export function apiIn(workspaceId: string): ApiClient {
  if (last?.workspaceId !== workspaceId) {
    last = { workspaceId, client: createClient({ baseUrl: '', workspaceId, fetch: send }) };
  }
  return last.client;
}
