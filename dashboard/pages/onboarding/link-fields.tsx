import type { ComponentChildren } from 'preact';
import type { Schema } from '../../../client/create-client.ts';
import { TextField } from '../../kit/forms/field.tsx';
import { WorkspaceField } from '../organizations/workspace-field.tsx';

/** What can be changed of a link as its forms have it. */
export interface LinkFields {
  readonly label: string;
  /** Empty for a new customer for each account. */
  readonly workspaceId: string;
}

interface LinkFieldRowsProps {
  readonly org: string;
  readonly fields: LinkFields;
  readonly onFields: (fields: LinkFields) => void;
  /** Stands between the two. */
  readonly children?: ComponentChildren;
}

/** What the customer reads, and where the channels go that are connected. */
export function LinkFieldRows({ org, fields, onFields, children }: LinkFieldRowsProps) {
  return (
    <>
      <TextField
        label="Label"
        hint="The customer reads it on the page of the link."
        required
        maxLength={200}
        isFirst
        value={fields.label}
        onValue={(label) => onFields({ ...fields, label })}
      />
      {children}
      <WorkspaceField
        org={org}
        label="Leads to"
        hint="Which workspace gets the channels that are connected."
        none="A new customer for each account"
        value={fields.workspaceId}
        onValue={(workspaceId) => onFields({ ...fields, workspaceId })}
      />
    </>
  );
}

/** The fields as the API takes them. */
export function linkBodyOf({ label, workspaceId }: LinkFields): Pick<Schema<'OnboardingLink'>, keyof LinkFields> {
  return { label, workspaceId: workspaceId === '' ? null : workspaceId };
}
