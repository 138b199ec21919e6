import type { ComponentChildren } from 'preact';
import type { Schema } from '../../../client/create-client.ts';
import { TextField } from '../../kit/forms/field.tsx';
import { WorkspaceField } from '../organizations/workspace-field.tsx';

/** Texts of the form; empty for null. */
export interface LinkFields {
  readonly label: string;
  /** Empty to create a customer for each account. */
  readonly workspaceId: string;
  readonly maxUses: string;
  readonly expiresAt: string;
  readonly successUrl: string;
  readonly failureUrl: string;
  readonly connectedNotificationUrl: string;
  readonly externalId: string;
  readonly displayName: string;
  readonly logoUrl: string;
}

type Link = Schema<'OnboardingLink'>;

const noTexts = {
  ...{ successUrl: '', failureUrl: '', connectedNotificationUrl: '', externalId: '', displayName: '', logoUrl: '' },
  ...{ label: '', workspaceId: '', maxUses: '', expiresAt: '' },
} satisfies LinkFields;

export function fieldsOf(link: Link | null): LinkFields {
  if (!link) return noTexts;
  const names = Object.keys(noTexts) as (keyof LinkFields)[];
  const shown = Object.fromEntries(names.map((name) => [name, String(link[name] ?? '')]));
  return { ...noTexts, ...shown, expiresAt: link.expiresAt ? toLocalTime(link.expiresAt) : '' };
}

/** The form of `datetime-local`, which has no time zone. */
function toLocalTime(instant: string): string {
  const at = new Date(instant);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
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
      <TextField
        label="Maximum uses"
        hint="Optional. 1 makes a link for one customer. Default: any number."
        type="number"
        min="1"
        value={fields.maxUses}
        onValue={(maxUses) => onFields({ ...fields, maxUses })}
      />
      <TextField
        label="Expires"
        hint="Optional. In your time zone. Default: never."
        type="datetime-local"
        value={fields.expiresAt}
        onValue={(expiresAt) => onFields({ ...fields, expiresAt })}
      />
      <EmbeddingFields fields={fields} onFields={onFields} />
    </>
  );
}

const texts = [
  ['successUrl', 'Success URL', 'Where the customer goes after connecting. Gets channelId and externalId.'],
  ['failureUrl', 'Failure URL', 'Where the customer goes if nothing was connected. Gets a reason.'],
  ['connectedNotificationUrl', 'Notification URL', 'Receives a signed request for each connected channel.'],
  ['externalId', 'External id', 'Your id for this customer; passed back to you.'],
  ['displayName', 'Display name', 'Your name on the connect page.'],
  ['logoUrl', 'Logo URL', 'An image on the connect page.'],
] as const;

function EmbeddingFields({ fields, onFields }: Pick<LinkFieldRowsProps, 'fields' | 'onFields'>) {
  const isUsed = texts.some(([name]) => fields[name] !== '');
  return (
    <details class="more-fields" open={isUsed}>
      <summary>For products that embed the page</summary>
      {texts.map(([name, label, hint]) => (
        <TextField
          key={name}
          label={label}
          hint={hint}
          {...(label.endsWith('URL') && { type: 'url' as const })}
          value={fields[name]}
          onValue={(value) => onFields({ ...fields, [name]: value })}
        />
      ))}
    </details>
  );
}

export function linkBodyOf({ label, maxUses, expiresAt, ...others }: LinkFields) {
  const orNull = (text: string): string | null => (text.trim() === '' ? null : text.trim());
  return {
    label,
    workspaceId: orNull(others.workspaceId),
    successUrl: orNull(others.successUrl),
    failureUrl: orNull(others.failureUrl),
    connectedNotificationUrl: orNull(others.connectedNotificationUrl),
    externalId: orNull(others.externalId),
    displayName: orNull(others.displayName),
    logoUrl: orNull(others.logoUrl),
    maxUses: maxUses === '' ? null : Number(maxUses),
    expiresAt: expiresAt === '' ? null : new Date(expiresAt).toISOString(),
  };
}
