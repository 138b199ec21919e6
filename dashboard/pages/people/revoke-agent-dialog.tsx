import { useState } from 'preact/hooks';
import { cancelEvery } from '../../../client/cancel-every.ts';
import type { Schema } from '../../../client/create-client.ts';
import { everyRecord } from '../../../client/pages.ts';
import { useLoad } from '../../kit/calls.ts';
import { Dialog } from '../../kit/dialogs.tsx';
import { Checkbox, Form } from '../../kit/forms.tsx';
import { WhenLoaded } from '../../kit/parts.tsx';
import { toast } from '../../kit/toast.tsx';
import { api } from '../../session/api.ts';
import { ScheduledByKey } from '../scheduled/scheduled-by-key.tsx';
import { type Reveal, RevealList, type Rotation } from './secrets.tsx';

export type Credential = Schema<'AgentCredential'>;

interface RevokeAgentDialogProps {
  readonly credential: Credential;
  readonly onRotated: (rotations: readonly Rotation[]) => void;
  readonly onClose: () => void;
}

/** First lists the secrets that the agent has seen and offers to rotate them. */
export function RevokeAgentDialog({ credential, onRotated, onClose }: RevokeAgentDialogProps) {
  const { credentialId: ac, email } = credential;
  const params = { path: { ac } };
  const load = async () => {
    const scheduled = await api.get('/agent/credentials/{ac}/scheduled', { params });
    return { scheduled, reveals: await currentReveals(ac) };
  };
  const known = useLoad(['known-to-agent', ac], load, { isOnce: true });
  const [cancels, setCancels] = useState(false);
  const [rotates, setRotates] = useState(false);
  const revoke = async () => {
    await api.delete('/agent/credentials/{ac}', { params });
    toast('Agent credential revoked.');
    if (cancels) await cancelEvery(() => api.post('/agent/credentials/{ac}/cancel-scheduled', { params }));
    if (!rotates) return;
    const { rotations } = await api.post('/agent/credentials/{ac}/rotate-revealed', { params, body: {} });
    if (rotations.length > 0) onRotated(rotations);
  };
  return (
    <Dialog title="Revoke this agent's credential?" onClose={onClose} isWide>
      <div class="prose">
        <p>
          The agent that acts for {email} loses access immediately. It can request a new credential with a new code. Its
          own channel tokens end, too. Other secrets that it has seen stay valid unless you rotate them.
        </p>
      </div>
      <WhenLoaded of={known}>
        {({ reveals, scheduled }) => (
          <Form act={revoke} onDone={onClose} submit="Revoke credential" tone="danger" onCancel={onClose}>
            <RevealList reveals={reveals} />
            {reveals.length > 0 && (
              <Checkbox
                label="Rotate these secrets"
                hint="The old values stay valid for one hour."
                value={rotates}
                onValue={setRotates}
              />
            )}
            <ScheduledByKey list={scheduled} cancels={cancels} onCancels={setCancels} />
          </Form>
        )}
      </WhenLoaded>
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
