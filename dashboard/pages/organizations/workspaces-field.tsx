import { Button } from '../../kit/button.tsx';
import { Field } from '../../kit/forms/field.tsx';
import { useLoad } from '../../kit/calls/use-load.ts';
import { workspaceOptions } from './workspace-field.tsx';

interface WorkspacesFieldProps {
  readonly org: string;
  readonly label: string;
  readonly hint: string;
  /** Optional. The only ones to choose from. Default: all. */
  readonly among?: readonly string[] | undefined;
  readonly values: readonly string[];
  readonly onValues: (workspaceIds: readonly string[]) => void;
}

/** A select that adds to a list, because an organization can have thousands of customers. */
export function WorkspacesField({ org, label, hint, among, values, onValues }: WorkspacesFieldProps) {
  const { value: all, error } = useLoad(() => workspaceOptions(org), [org]);
  const options = (all ?? []).filter(([id]) => among?.includes(id) ?? true);
  const nameOf = (id: string): string => options.find(([one]) => one === id)?.[1] ?? id;
  return (
    <Field label={label} hint={error ? `Could not load the workspaces: ${error.message}` : hint}>
      {(tie) => (
        <>
          <select {...tie} value="" onChange={({ currentTarget }) => onValues([...values, currentTarget.value])}>
            <option value="">Add a workspace…</option>
            {options
              .filter(([id]) => !values.includes(id))
              .map(([id, name]) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
          </select>
          {values.length > 0 && (
            <ul class="chosen">
              {values.map((id) => (
                <li key={id}>
                  <span>{nameOf(id)}</span>
                  <Button
                    small
                    tone="quiet"
                    aria-label={`Remove ${nameOf(id)}`}
                    onClick={() => onValues(values.filter((one) => one !== id))}
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
