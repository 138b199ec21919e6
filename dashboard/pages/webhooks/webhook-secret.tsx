import type { Schema } from '../../../client/create-client.ts';
import { Panel } from '../../kit/facts.tsx';
import { apiIn } from '../../session/api.ts';
import { useWorkspace } from '../../session/page-outlet.tsx';
import { NoSecrets } from '../channels/no-secrets.tsx';
import { SecretPanel } from '../channels/secret-panel.tsx';

interface WebhookSecretProps {
  readonly workspaceId: string;
  readonly channelId: string;
}

/** The secret that signs deliveries. */
export function WebhookSecret({ workspaceId, channelId: ch }: WebhookSecretProps) {
  const { role } = useWorkspace();
  if (role === 'member') {
    return (
      <Panel title="Signing secret">
        <NoSecrets />
      </Panel>
    );
  }
  return <RevealedSecret workspaceId={workspaceId} channelId={ch} mayRotate={role === 'admin'} />;
}

function RevealedSecret({ workspaceId, channelId: ch, mayRotate }: WebhookSecretProps & { mayRotate: boolean }) {
  const path = { ch };
  const rotation = {
    title: 'Rotate the signing secret',
    about: 'Deliveries carry both signatures while the old secret goes on, so that receivers can be changed meanwhile.',
    standard: '0' as const,
    rotate: async (overlapSeconds: number, key: string) => {
      const options = { params: { path, header: { 'Idempotency-Key': key } }, body: { overlapSeconds } };
      const given = await apiIn(workspaceId).post('/webhook-config/{ch}/rotate-hmac', options);
      return { given, previousExpiresAt: given.previousSecretExpiresAt };
    },
  };
  return (
    <SecretPanel<Schema<'WebhookHmac'>>
      title="Signing secret"
      about={about}
      what="the signing secret"
      reveal="Reveal"
      load={() => apiIn(workspaceId).get('/webhook-config/{ch}/hmac', { params: { path } })}
      secretOf={({ hmacSecret }) => hmacSecret}
      rotation={mayRotate ? rotation : null}
    />
  );
}

const about = (
  <>
    Every delivery is signed with it, in <code>X-Service-Signature-256</code> and <code>webhook-signature</code>; your
    receiver checks that before it believes anything. <a href="/docs">How to verify</a>
  </>
);
