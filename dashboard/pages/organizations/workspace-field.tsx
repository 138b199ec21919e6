import { records } from '../../../client/pages.ts';
import { Combobox } from '../../kit/menus/combobox.tsx';
import { useLoad } from '../../kit/calls/use-load.ts';
import { api } from '../../session/api.ts';

interface WorkspaceFieldProps {
  readonly org: string;
  readonly label: string;
  readonly hint?: string;
  readonly none: string;
  readonly value: string;
  readonly onValue: (workspaceId: string) => void;
}

export function WorkspaceField({ org, label, hint, none, value, onValue }: WorkspaceFieldProps) {
  const workspaces = useLoad(() => workspaceOptions(org), [org]);
  const problem = workspaces.error && `Could not load the workspaces: ${workspaces.error.message}`;
  return (
    <Combobox
      label={label}
      hint={problem ?? hint}
      placeholder={none}
      value={value}
      options={(workspaces.value ?? []).map(([id, name]) => ({ value: id, label: name }))}
      onValue={onValue}
    />
  );
}

export async function workspaceOptions(org: string): Promise<(readonly [string, string])[]> {
  const all = records(
    (cursor) => {
      const query = { limit: 100, ...(cursor !== undefined && { cursor }) };
      return api.get('/organizations/{org}/workspaces', { params: { path: { org }, query } });
    },
    ({ workspaces }) => workspaces,
  );
  const options: (readonly [string, string])[] = [];
  for await (const { id, name, kind } of all) options.push([id, kind === 'customer' ? `${name} (customer)` : name]);
  return options;
}
