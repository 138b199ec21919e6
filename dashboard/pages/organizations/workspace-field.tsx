import { everyRecord } from '../../../client/pages.ts';
import { useLoad } from '../../kit/calls.ts';
import { Field } from '../../kit/forms.tsx';
import { Combobox } from '../../kit/menus/combobox.tsx';
import { Button } from '../../kit/parts.tsx';
import { api } from '../../session/api.ts';

interface WorkspaceFieldProps {
  readonly org: string;
  readonly label: string;
  readonly hint?: string;
  readonly none: string;
  readonly value: string;
  readonly onValue: (workspaceId: string) => void;
}

export function WorkspaceField({ org, none, hint, ...field }: WorkspaceFieldProps) {
  const { options, problem } = useWorkspaceOptions(org);
  return (
    <Combobox
      {...field}
      hint={problem ?? hint}
      placeholder={none}
      options={options.map(([id, name]) => ({ value: id, label: name }))}
    />
  );
}

interface WorkspacesFieldProps {
  readonly org: string;
  readonly label: string;
  readonly hint: string;
  /** Optional. The only ones to choose from. Default: all. */
  readonly among?: readonly string[] | undefined;
  readonly value: readonly string[];
  readonly onValue: (workspaceIds: readonly string[]) => void;
}

/** A select that adds to a list, because an organization can have thousands of customers. */
export function WorkspacesField({ org, label, hint, among, value, onValue }: WorkspacesFieldProps) {
  const { options: all, problem } = useWorkspaceOptions(org);
  const options = all.filter(([id]) => among?.includes(id) ?? true);
  const nameOf = (id: string): string => options.find(([one]) => one === id)?.[1] ?? id;
  return (
    <Field label={label} hint={problem ?? hint}>
      {(tie) => (
        <>
          <select {...tie} value="" onChange={({ currentTarget }) => onValue([...value, currentTarget.value])}>
            <option value="">Add a workspace…</option>
            {options
              .filter(([id]) => !value.includes(id))
              .map(([id, name]) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
          </select>
          {value.length > 0 && (
            <ul class="chosen">
              {value.map((id) => (
                <li key={id}>
                  <span>{nameOf(id)}</span>
                  <Button
                    small
                    tone="quiet"
                    aria-label={`Remove ${nameOf(id)}`}
                    onClick={() => onValue(value.filter((one) => one !== id))}
                  >
                    Remove
                  </Button>
                </li>
              ))}
            </ul>
          )}
        </>
      )}
    </Field>
  );
}

function useWorkspaceOptions(org: string) {
  const { value, error } = useLoad(['workspace-options', org], async () => {
    const all = await everyRecord(
      (cursor) => {
        const query = { limit: 100, ...(cursor !== undefined && { cursor }) };
        return api.get('/organizations/{org}/workspaces', { params: { path: { org }, query } });
      },
      ({ workspaces }) => workspaces,
    );
    return all.map(({ id, name, kind }): [id: string, name: string] => [
      id,
      kind === 'customer' ? `${name} (customer)` : name,
    ]);
  });
  return { options: value ?? [], problem: error && `Could not load the workspaces: ${error.message}` };
}
