import { useState } from 'preact/hooks';
import type { Schema } from '../../../client/create-client.ts';
import { Button } from '../../kit/button.tsx';
import { CopyButton } from '../../kit/copy-button.tsx';
import { ErrorBox } from '../../kit/error-box.tsx';
import { Panel } from '../../kit/facts.tsx';
import { useAction } from '../../kit/calls/use-action.ts';
import { apiIn } from '../../session/api.ts';
import { envText, maskedEnvText } from './env-text.ts';

interface EnvPanelProps {
  readonly workspaceId: string;
  readonly channelId: string;
}

/** What a client of the channel is set up with, to be pasted into a `.env` file. */
export function EnvPanel({ workspaceId, channelId: ch }: EnvPanelProps) {
  const [values, setValues] = useState<Schema<'ChannelEnv'>['values'] | null>(null);
  const [isOpen, setOpen] = useState(false);
  const load = useAction(async () => {
    setValues((await apiIn(workspaceId).get('/platform/channels/{ch}/env', { params: { path: { ch } } })).values);
  });
  const actions = values ? (
    <>
      <Button small onClick={() => setOpen(!isOpen)}>
        {isOpen ? 'Hide secrets' : 'Show secrets'}
      </Button>
      <CopyButton text={`${envText(values)}\n`} what="the variables">
        Copy as .env
      </CopyButton>
    </>
  ) : (
    <Button small busy={load.isBusy} onClick={() => void load.run()}>
      Load variables
    </Button>
  );
  return (
    <Panel title="Environment variables" actions={actions}>
      <p>
        All that a program needs: the token, the gateway's address, and what verifies webhooks. In a terminal:{' '}
        <code>channels env {ch} --write .env</code>
      </p>
      <ErrorBox error={load.error} />
      {values && (
        <pre class="block" tabIndex={0} aria-label="Environment variables">
          {isOpen ? envText(values) : maskedEnvText(values)}
        </pre>
      )}
    </Panel>
  );
}
