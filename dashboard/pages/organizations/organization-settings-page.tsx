import { useState } from 'preact/hooks';
import type { Schema } from '../../../client/create-client.ts';
import { useLoad } from '../../kit/calls.ts';
import { Form, TextArea, TextField, useFields } from '../../kit/forms.tsx';
import { PageHeader } from '../../kit/page.tsx';
import { CopyableId, CopyableLine, DescriptionList, Panel, RelativeTime, WhenLoaded } from '../../kit/parts.tsx';
import { toast } from '../../kit/toast.tsx';
import { api } from '../../session/api.ts';
import { useOrganization } from '../../session/page-outlet.tsx';
import { loadSession } from '../../session/session.ts';
import { DefaultWebhookPanel } from '../webhooks/default-webhook-panel.tsx';

type Organization = Schema<'Organization'>;

export function Page() {
  const { organizationId: org } = useOrganization();
  const organization = useLoad(['organization', org], () =>
    api.get('/organizations/{org}', { params: { path: { org } } }),
  );
  return (
    <>
      <PageHeader title="Organization settings" />
      <WhenLoaded of={organization}>{(value) => <Settings organization={value} />}</WhenLoaded>
    </>
  );
}

function Settings({ organization }: { readonly organization: Organization }) {
  const { organizationId, role } = useOrganization();
  return (
    <>
      {role === 'admin' && <NamePanel organization={organization} />}
      <Panel title="Details">
        <DescriptionList
          items={[
            ['Name', organization.name],
            ['ID', <CopyableId id={organizationId} what="organization ID" />],
            ['Your role', role],
            ['Created', <RelativeTime at={organization.createdAt} />],
          ]}
        />
      </Panel>
      {role === 'admin' && <DefaultWebhookPanel organizationId={organizationId} />}
      {role === 'admin' && <BrandingPanel org={organizationId} />}
      <Panel title="API access">
        <p>Call the API with an API key of the organization:</p>
        <CopyableLine
          what="command"
          text={`curl ${location.origin}/organizations/${organizationId}/workspaces -H "Authorization: Bearer $SERVICE_API_KEY"`}
        />
      </Panel>
    </>
  );
}

function NamePanel({ organization: { id, name: before } }: { readonly organization: Organization }) {
  const [name, setName] = useState(before);
  const rename = async () => {
    await api.patch('/organizations/{org}', { params: { path: { org: id } }, body: { name } });
    await loadSession();
    toast('Organization renamed.');
  };
  return (
    <Panel title="Name">
      <Form act={rename} submit="Rename" tone="plain" disabled={['', before].includes(name.trim())}>
        <TextField
          label="Organization name"
          hint="Shown to customers when they connect a channel, and to people you invite."
          maxLength={200}
          required
          value={name}
          onValue={setName}
        />
      </Form>
    </Panel>
  );
}

function BrandingPanel({ org }: { readonly org: string }) {
  const branding = useLoad(['branding', org], () =>
    api.get('/organizations/{org}/branding', { params: { path: { org } } }),
  );
  return (
    <Panel title="Pages for customers">
      <p>The name, logo and color of portals and onboarding pages. A link can have its own name and logo.</p>
      <WhenLoaded of={branding}>{(value) => <BrandingForm org={org} branding={value} />}</WhenLoaded>
    </Panel>
  );
}

function BrandingForm({ org, branding }: { readonly org: string; readonly branding: Schema<'Branding'> }) {
  const { fields, bind } = useFields({
    displayName: branding.displayName ?? '',
    logoUrl: branding.logoUrl ?? '',
    color: branding.color ?? '',
    origins: branding.portalFrameAncestors.join('\n'),
  });
  const save = async () => {
    const body = {
      displayName: fields.displayName.trim() || null,
      logoUrl: fields.logoUrl.trim() || null,
      color: fields.color.trim() || null,
      portalFrameAncestors: fields.origins.split(/\s+/).filter((one) => one !== ''),
    };
    await api.put('/organizations/{org}/branding', { params: { path: { org } }, body });
    toast('Branding saved.');
  };
  return (
    <Form act={save} submit="Save branding" tone="plain">
      <TextField
        label="Display name"
        hint="Leave empty for the organization's name."
        maxLength={200}
        {...bind('displayName')}
      />
      <TextField label="Logo URL" type="url" placeholder="https://…" {...bind('logoUrl')} />
      <TextField
        label="Color"
        hint="Black or white text is chosen for contrast."
        placeholder="#0b5fff"
        pattern="#[0-9A-Fa-f]{6}"
        title="# and six hexadecimal digits"
        {...bind('color')}
      />
      <TextArea
        label="Sites that may embed the portal"
        hint="Up to 10 origins such as https://app.example.com, one per line. Leave empty to allow none."
        rows={3}
        {...bind('origins')}
      />
    </Form>
  );
}
