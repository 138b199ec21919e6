import { useLoad } from '../kit/calls.ts';
import { workspacePath } from '../routes/paths.ts';
import { api } from './api.ts';

/** Shows the id while the name loads, and for workspaces without access. */
export function WorkspaceLink({ org, id }: { readonly org: string; readonly id: string }) {
  const load = () => api.get('/workspaces/{ws}', { params: { path: { ws: id } } });
  const { value } = useLoad(['workspace', id], load, { isKept: true, isOnce: true });
  return (
    <a href={workspacePath(org, id)} title={id}>
      {value?.name ?? <code>{id}</code>}
    </a>
  );
}
