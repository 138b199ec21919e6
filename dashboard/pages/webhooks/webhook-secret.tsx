import type { Schema } from '../../../client/create-client.ts';
import { Panel } from '../../kit/panel.tsx';
import { apiIn } from '../../session/api.ts';
import { useWorkspace } from '../../session/page-outlet.tsx';
import { DeveloperRoleNotice } from '../channels/developer-role-notice.tsx';
import { SecretPanel } from '../channels/secret-panel.tsx';

interface WebhookSecretProps {
  readonly workspaceId: string;
  readonly channelId: string;
}

export function WebhookSecret({ workspaceId, channelId: ch }: WebhookSecretProps) {
  const { role } = useWorkspace();
  if (role === 'member') {
    return (
      <Panel title="Signing secret">
        <DeveloperRoleNotice />
      </Panel>
    );
  }
  return <RevealedSecret workspaceId={workspaceId} channelId={ch} mayRotate={role === 'admin'} />;
}

function RevealedSecret({ workspaceId, channelId: ch, mayRotate }: WebhookSecretProps & { mayRotate: boolean }) {
  const path = { ch };
  const rotation = {
    title: 'Rotate signing secret',
    about: 'While the old secret is valid, deliveries carry both signatures so that you can update your receivers.',
    submit: 'Rotate secret',
    defaultOverlap: '0' as const,
    rotate: async (overlapSeconds: number, key: string) => {
      const options = { params: { path, header: { 'Idempotency-Key': key } }, body: { overlapSeconds } };
      const revealed = await apiIn(workspaceId).post('/webhook-config/{ch}/rotate-hmac', options);
      return { revealed, previousExpiresAt: revealed.previousSecretExpiresAt };
    },
  };
  return (
    <SecretPanel<Schema<'WebhookHmac'>>
      title="Signing secret"
      about={about}
      what="signing secret"
      reveal="Show secret"
      load={() => apiIn(workspaceId).get('/webhook-config/{ch}/hmac', { params: { path } })}
      secretOf={({ hmacSecret }) => hmacSecret}
      rotation={mayRotate ? rotation : null}
    />
  );
}

const about = (
  <>
    Signs every delivery in the headers <code>X-Service-Signature-256</code> and <code>webhook-signature</code>. Verify
    the signature in your receiver before you process an event. <a href="/docs">How to verify</a>
  </>
);
