import { useState } from 'preact/hooks';
import type { Schema } from '../../../client/create-client.ts';
import { everyRecord } from '../../../client/pages.ts';
import { Checkbox } from '../../kit/forms/checkbox.tsx';
import { Dialog } from '../../kit/dialogs/dialog.tsx';
import { ErrorBox } from '../../kit/error-box.tsx';
import { Form } from '../../kit/forms/form.tsx';
import { Loading } from '../../kit/lists/list.tsx';
import { toast } from '../../kit/toast.tsx';
import { useAction } from '../../kit/calls/use-action.ts';
import { useLoad } from '../../kit/calls/use-load.ts';
import { api } from '../../session/api.ts';
import { cancelEvery } from '../../../client/cancel-every.ts';
import { ScheduledByKey } from '../scheduled/scheduled-by-key.tsx';
import { type Reveal, RevealList } from '../reveals/reveal-list.tsx';
import { RotatedDialog, type Rotation } from '../reveals/rotated-dialog.tsx';

export type Credential = Schema<'AgentCredential'>;

interface RevokeAgentDialogProps {
  readonly credential: Credential;
  readonly onDone: () => Promise<void>;
  readonly onClose: () => void;
}

/** First lists the secrets that the agent has seen and offers to rotate them. */
export function RevokeAgentDialog({ credential, onDone, onClose }: RevokeAgentDialogProps) {
  const { credentialId: ac, email } = credential;
  const reveals = useLoad(() => currentReveals(ac), [ac]);
  const scheduled = useLoad(() => api.get('/agent/credentials/{ac}/scheduled', { params: { path: { ac } } }), [ac]);
  const [cancels, setCancels] = useState(false);
  const [rotates, setRotates] = useState(false);
  const [rotations, setRotations] = useState<readonly Rotation[] | null>(null);
  const action = useAction(async () => {
    const params = { path: { ac } };
    await api.delete('/agent/credentials/{ac}', { params });
    toast('Agent credential revoked.');
    if (cancels) await cancelEvery(() => api.post('/agent/credentials/{ac}/cancel-scheduled', { params }));
    const rotated = rotates ? await api.post('/agent/credentials/{ac}/rotate-revealed', { params, body: {} }) : null;
    await onDone();
    if (rotated && rotated.rotations.length > 0) setRotations(rotated.rotations);
    else onClose();
  });
  if (rotations) return <RotatedDialog rotations={rotations} onClose={onClose} />;
  return (
    <Dialog title="Revoke this agent's credential?" onClose={onClose} isWide>
      <div class="prose">
        <p>
          The agent that acts for {email} loses access immediately. It can request a new credential with a new code. Its
          own channel tokens end, too. Other secrets that it has seen stay valid unless you rotate them.
        </p>
      </div>
      <ErrorBox error={reveals.error} onRetry={() => void reveals.reload()} />
      <ErrorBox error={scheduled.error} onRetry={() => void scheduled.reload()} />
      {!(reveals.value && scheduled.value) && !reveals.error && !scheduled.error && <Loading />}
      {reveals.value && scheduled.value && (
        <Form action={action} submit="Revoke credential" tone="danger" onCancel={onClose}>
          <RevealList reveals={reveals.value} />
          {reveals.value.length > 0 && (
            <Checkbox
              label="Rotate these secrets"
              hint="The old values stay valid for one hour."
              isChecked={rotates}
              onChecked={setRotates}
            />
          )}
          <ScheduledByKey list={scheduled.value} cancels={cancels} onCancels={setCancels} />
        </Form>
      )}
    </Dialog>
  );
}

async function currentReveals(ac: string): Promise<Reveal[]> {
  const all = await everyRecord(
    (cursor) =>
      api.get('/agent/credentials/{ac}/reveals', {
        params: { path: { ac }, query: { limit: 100, ...(cursor !== undefined && { cursor }) } },
      }),
    (page) => page.reveals,
  );
  return all.filter(({ current }) => current);
}
