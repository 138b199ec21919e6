import { useState } from 'preact/hooks';
import { Button } from '../../kit/button.tsx';
import { CopyableLine } from '../../kit/copyable.tsx';
import { ErrorBox } from '../../kit/error-box.tsx';
import { Panel } from '../../kit/facts.tsx';
import { useAction } from '../../kit/use-action.ts';
import { apiIn } from '../../shell/api.ts';
import { RotateDialog } from './rotate-dialog.tsx';

interface WebhookSecretProps {
  readonly workspaceId: string;
  readonly channelId: string;
}

/** The secret that signs deliveries: shown when asked for, and replaced. */
export function WebhookSecret({ workspaceId, channelId: ch }: WebhookSecretProps) {
  const [secret, setSecret] = useState<string | null>(null);
  const [isRotating, setRotating] = useState(false);
  const params = { path: { ch } };
  const reveal = useAction(async () => {
    setSecret((await apiIn(workspaceId).get('/webhook-config/{ch}/hmac', { params })).hmacSecret);
  });
  const actions = (
    <>
      <Button small busy={reveal.isBusy} onClick={() => (secret === null ? void reveal.run() : setSecret(null))}>
        {secret === null ? 'Reveal' : 'Hide'}
      </Button>
      <Button small onClick={() => setRotating(true)}>
        Rotate …
      </Button>
    </>
  );
  return (
    <Panel title="Signing secret" actions={actions}>
      <p>
        Every delivery is signed with it, in <code>X-Service-Signature-256</code> and <code>webhook-signature</code>;
        your receiver checks that before it believes anything. <a href="/docs">How to verify</a>
      </p>
      <ErrorBox error={reveal.error} />
      {secret !== null && <CopyableLine text={secret} what="the signing secret" />}
      {isRotating && (
        <RotateDialog
          title="Rotate the signing secret"
          about="Deliveries carry both signatures while the old secret goes on, so that receivers can be changed meanwhile."
          standard="0"
          rotate={async (overlapSeconds, key) => {
            const header = { 'Idempotency-Key': key };
            const options = { params: { ...params, header }, body: { overlapSeconds } };
            const rotated = await apiIn(workspaceId).post('/webhook-config/{ch}/rotate-hmac', options);
            setSecret(rotated.hmacSecret);
            return { secret: rotated.hmacSecret, previousExpiresAt: rotated.previousSecretExpiresAt };
          }}
          onClose={() => setRotating(false)}
        />
      )}
    </Panel>
  );
}
