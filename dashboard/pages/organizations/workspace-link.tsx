import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { api } from '../../session/api.ts';
import { workspacePath } from '../../routes/paths.ts';

/** Null while loading and for workspaces without access. */
const names = signal<ReadonlyMap<string, string | null>>(new Map());

function setName(id: string, name: string | null): void {
  names.value = new Map(names.value).set(id, name);
}

async function loadName(id: string): Promise<void> {
  if (names.peek().has(id)) return;
  setName(id, null);
  const found = await api.get('/workspaces/{ws}', { params: { path: { ws: id } } }).catch(() => null);
  if (found) setName(id, found.name);
}

export function WorkspaceLink({ org, id }: { readonly org: string; readonly id: string }) {
  useEffect(() => void loadName(id), [id]);
  const name = names.value.get(id);
  return (
    <a href={workspacePath(org, id)} title={id}>
      {name ?? <code>{id}</code>}
    </a>
  );
}
