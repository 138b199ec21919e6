import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { api } from '../../session/api.ts';
import { workspacePath } from '../../routes/paths.ts';

/** Names that were asked for on this visit. Null: on its way, or not to be had. */
const names = signal<ReadonlyMap<string, string | null>>(new Map());

function setName(id: string, name: string | null): void {
  names.value = new Map(names.value).set(id, name);
}

async function askForName(id: string): Promise<void> {
  if (names.peek().has(id)) return;
  setName(id, null);
  const found = await api.get('/workspaces/{ws}', { params: { path: { ws: id } } }).catch(() => null); // deleted, say
  if (found) setName(id, found.name);
}

/** A workspace that a record names by its id alone. */
export function WorkspaceLink({ org, id }: { readonly org: string; readonly id: string }) {
  useEffect(() => void askForName(id), [id]);
  const name = names.value.get(id);
  return (
    <a href={workspacePath(org, id)} title={id}>
      {name ?? <code>{id}</code>}
    </a>
  );
}
