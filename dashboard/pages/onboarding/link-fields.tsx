import type { ComponentChildren } from 'preact';
import type { Schema } from '../../../client/create-client.ts';
import { TextField } from '../../kit/forms/field.tsx';
import { WorkspaceField } from '../organizations/workspace-field.tsx';

export interface LinkFields {
  readonly label: string;
  /** Empty to create a customer for each account. */
  readonly workspaceId: string;
}

interface LinkFieldRowsProps {
  readonly org: string;
  readonly fields: LinkFields;
  readonly onFields: (fields: LinkFields) => void;
  readonly children?: ComponentChildren;
}

export function LinkFieldRows({ org, fields, onFields, children }: LinkFieldRowsProps) {
  return (
    <>
      <TextField
        label="Label"
        hint="Shown to the customer on the connect page."
        required
        maxLength={200}
        isFirst
        value={fields.label}
        onValue={(label) => onFields({ ...fields, label })}
      />
      {children}
      <WorkspaceField
        org={org}
        label="Workspace"
        hint="The workspace that connected channels are added to."
        none="New customer for each account"
        value={fields.workspaceId}
        onValue={(workspaceId) => onFields({ ...fields, workspaceId })}
      />
    </>
  );
}

export function linkBodyOf({ label, workspaceId }: LinkFields): Pick<Schema<'OnboardingLink'>, keyof LinkFields> {
  return { label, workspaceId: workspaceId === '' ? null : workspaceId };
}
