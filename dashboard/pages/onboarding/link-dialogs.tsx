import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Schema } from '../../../client/create-client.ts';
import { FormDialog } from '../../kit/dialogs.tsx';
import { localTimeOf } from '../../kit/format/format.ts';
import { SelectField, TextField, useFields } from '../../kit/forms.tsx';
import { CopyableLine } from '../../kit/parts.tsx';
import { toast } from '../../kit/toast.tsx';
import { api } from '../../session/api.ts';
import { WorkspaceField } from '../organizations/workspace-field.tsx';

type Link = Schema<'OnboardingLink'>;

interface LinkDialogProps {
  readonly org: string;
  readonly onClose: () => void;
}

const channelTypes = [
  ['chatapp', 'chatapp: phone number'],
  ['photoapp', 'photoapp: account'],
  ['pageapp', 'pageapp: Page'],
] as const satisfies readonly (readonly [Link['channelType'], string])[];

interface CreateLinkDialogProps extends LinkDialogProps {
  readonly onCreated: (url: string) => void;
}

export function CreateLinkDialog({ org, onCreated, onClose }: CreateLinkDialogProps) {
  const form = useFields(noTexts);
  const [channelType, setChannelType] = useState<Link['channelType']>('chatapp');
  const create = async () => {
    const body = { ...bodyOf(form.fields), channelType };
    const { url } = await api.post('/organizations/{org}/onboarding-links', { params: { path: { org } }, body });
    onCreated(url ?? '');
  };
  return (
    <FormDialog title="Create onboarding link" submit="Create link" act={create} onClose={onClose}>
      <LinkFields org={org} form={form}>
        <SelectField label="Channel type" value={channelType} options={channelTypes} onValue={setChannelType} />
      </LinkFields>
    </FormDialog>
  );
}

export function EditLinkDialog({ org, link, onClose }: LinkDialogProps & { readonly link: Link }) {
  const form = useFields(() => textsOf(link));
  const save = async () => {
    const params = { path: { org, ol: link.onboardingLinkId } };
    await api.patch('/organizations/{org}/onboarding-links/{ol}', { params, body: bodyOf(form.fields) });
    toast(`${form.fields.label} saved.`);
  };
  return (
    <FormDialog title="Edit link" submit="Save" act={save} onClose={onClose}>
      <LinkFields org={org} form={form} />
      {link.notificationSecret && <CopyableLine text={link.notificationSecret} what="notification secret" />}
      <LastNotification link={link} />
    </FormDialog>
  );
}

function LastNotification({ link: { lastNotification: last } }: { readonly link: Link }) {
  if (last === null) return null;
  const answer = last.lastStatus === null ? 'without an answer' : `with HTTP ${last.lastStatus}`;
  return (
    <p>
      Last notification, for {last.channelId}: {last.state}
      {last.attemptCount > 0 && ` after ${last.attemptCount} attempts, the last ${answer}`}.
    </p>
  );
}

/** Empty for null. Without a workspace, each account gets a customer of its own. */
const noTexts = {
  successUrl: '',
  failureUrl: '',
  connectedNotificationUrl: '',
  externalId: '',
  displayName: '',
  logoUrl: '',
  label: '',
  workspaceId: '',
  maxUses: '',
  expiresAt: '',
};
type LinkTexts = typeof noTexts;

function textsOf(link: Link): LinkTexts {
  const names = Object.keys(noTexts) as (keyof LinkTexts)[];
  const shown = Object.fromEntries(names.map((name) => [name, String(link[name] ?? '')]));
  return { ...noTexts, ...shown, expiresAt: link.expiresAt ? localTimeOf(link.expiresAt) : '' };
}

function bodyOf({ label, maxUses, expiresAt, ...others }: LinkTexts) {
  const texts = Object.entries(others).map(([name, text]) => [name, text.trim() || null]);
  return {
    ...(Object.fromEntries(texts) as Record<keyof typeof others, string | null>),
    label,
    maxUses: maxUses === '' ? null : Number(maxUses),
    expiresAt: expiresAt === '' ? null : new Date(expiresAt).toISOString(),
  };
}

interface LinkFieldsProps {
  readonly org: string;
  readonly form: ReturnType<typeof useFields<LinkTexts>>;
  readonly children?: ComponentChildren;
}

const embeddingFields = [
  ['successUrl', 'Success URL', 'Where the customer goes after connecting. Gets channelId and externalId.'],
  ['failureUrl', 'Failure URL', 'Where the customer goes if nothing was connected. Gets a reason.'],
  ['connectedNotificationUrl', 'Notification URL', 'Receives a signed request for each connected channel.'],
  ['externalId', 'External id', 'Your id for this customer; passed back to you.'],
  ['displayName', 'Display name', 'Your name on the connect page.'],
  ['logoUrl', 'Logo URL', 'An image on the connect page.'],
] as const;

function LinkFields({ org, form: { fields, bind }, children }: LinkFieldsProps) {
  return (
    <>
      <TextField
        label="Label"
        hint="Shown to the customer on the connect page."
        required
        maxLength={200}
        isFirst
        {...bind('label')}
      />
      {children}
      <WorkspaceField
        org={org}
        label="Workspace"
        hint="The workspace that connected channels are added to."
        none="New customer for each account"
        {...bind('workspaceId')}
      />
      <TextField
        label="Maximum uses"
        hint="Optional. 1 makes a link for one customer. Default: any number."
        type="number"
        min="1"
        {...bind('maxUses')}
      />
      <TextField
        label="Expires"
        hint="Optional. In your time zone. Default: never."
        type="datetime-local"
        {...bind('expiresAt')}
      />
      <details class="more-fields" open={embeddingFields.some(([name]) => fields[name] !== '')}>
        <summary>For products that embed the page</summary>
        {embeddingFields.map(([name, label, hint]) => (
          <TextField
            key={name}
            label={label}
            hint={hint}
            type={label.endsWith('URL') ? 'url' : 'text'}
            {...bind(name)}
          />
        ))}
      </details>
    </>
  );
}
