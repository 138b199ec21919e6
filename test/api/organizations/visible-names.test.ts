import test from 'ava';
import { tenantStage } from '../../harness/api/stages.ts';
import { aSession } from '../../harness/people/sessions.ts';
import { aChannel } from '../../harness/tenants.ts';

test('no name takes invisible or direction characters', async (t) => {
  const { db, refused, organization, workspace, user } = await tenantStage(t);
  const { headers } = await aSession(db, user);
  const channel = await aChannel(db, workspace);
  const org = `/organizations/${organization.publicId}`;
  const url = 'https://receiver.example.com/hook';
  const inputs = (name: string): Record<string, object> => ({
    [`PATCH ${org}`]: { name },
    [`POST ${org}/workspaces`]: { name, kind: 'customer' },
    [`PATCH /workspaces/${workspace.publicId}`]: { name },
    [`POST ${org}/keys`]: { name },
    [`POST ${org}/onboarding-links`]: { label: name, channelType: 'chatapp' },
    [`PUT ${org}/branding`]: { displayName: name, logoUrl: null, color: null, portalFrameAncestors: [] },
    [`POST /workspaces/${workspace.publicId}/portal-links`]: { name, rights: ['channels.read'] },
    [`POST /channels/${channel.publicId}/subscriptions`]: { url, events: ['chatapp.message.received'], label: name },
    [`POST /channels/${channel.publicId}/listeners`]: { label: name },
  });
  for (const name of ['Acme \u202egro.live', 'Ac\u200bme', '\u2066Acme', '\u3164', 'Acme\u{e0041}']) {
    for (const [route, body] of Object.entries(inputs(name))) {
      const { body: refusal } = await refused('VALIDATION_ERROR', route, {
        headers,
        workspace: workspace.publicId,
        body,
      });
      t.regex(refusal.message, /^body\.(name|label|displayName): must be visible text/, route);
    }
  }
});
