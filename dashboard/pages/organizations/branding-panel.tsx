import { useState } from 'preact/hooks';
import type { Schema } from '../../../client/create-client.ts';
import { useAction } from '../../kit/calls/use-action.ts';
import { useLoad } from '../../kit/calls/use-load.ts';
import { ErrorBox } from '../../kit/error-box.tsx';
import { TextField } from '../../kit/forms/field.tsx';
import { Form } from '../../kit/forms/form.tsx';
import { TextArea } from '../../kit/forms/text-area.tsx';
import { Panel } from '../../kit/panel.tsx';
import { toast } from '../../kit/toast.tsx';
import { api } from '../../session/api.ts';

export function BrandingPanel({ organizationId: org }: { readonly organizationId: string }) {
  const load = () => api.get('/organizations/{org}/branding', { params: { path: { org } } });
  const { value, error, reload } = useLoad(load, [org]);
  return (
    <Panel title="Pages for customers">
      <p>The name, logo and color of portals and onboarding pages. A link can have its own name and logo.</p>
      <ErrorBox error={error} onRetry={() => void reload()} />
      {value && <BrandingForm org={org} branding={value} />}
    </Panel>
  );
}

function BrandingForm({ org, branding }: { readonly org: string; readonly branding: Schema<'Branding'> }) {
  const [displayName, setDisplayName] = useState(branding.displayName ?? '');
  const [logoUrl, setLogoUrl] = useState(branding.logoUrl ?? '');
  const [color, setColor] = useState(branding.color ?? '');
  const [origins, setOrigins] = useState(branding.portalFrameAncestors.join('\n'));
  const action = useAction(async () => {
    const body = {
      displayName: orNull(displayName),
      logoUrl: orNull(logoUrl),
      color: orNull(color),
      portalFrameAncestors: origins.split(/\s+/).filter((one) => one !== ''),
    };
    await api.put('/organizations/{org}/branding', { params: { path: { org } }, body });
    toast('Branding saved.');
  });
  return (
    <Form action={action} submit="Save branding" tone="plain">
      <TextField
        label="Display name"
        hint="Leave empty for the organization's name."
        maxLength={200}
        value={displayName}
        onValue={setDisplayName}
      />
      <TextField label="Logo URL" type="url" placeholder="https://…" value={logoUrl} onValue={setLogoUrl} />
      <TextField
        label="Color"
        hint="Black or white text is chosen for contrast."
        placeholder="#0b5fff"
        pattern="#[0-9A-Fa-f]{6}"
        title="# and six hexadecimal digits"
        value={color}
        onValue={setColor}
      />
      <TextArea
        label="Sites that may embed the portal"
        hint="Up to 10 origins such as https://app.example.com, one per line. Leave empty to allow none."
        rows={3}
        value={origins}
        onValue={setOrigins}
      />
    </Form>
  );
}

const orNull = (text: string): string | null => (text.trim() === '' ? null : text.trim());
