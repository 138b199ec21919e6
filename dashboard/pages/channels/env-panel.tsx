import { useState } from 'preact/hooks';
import { envValuesOf } from '../../../contract/channels/env-names.ts';
import { Button } from '../../kit/button.tsx';
import { CopyButton } from '../../kit/copy-button.tsx';
import { ErrorBox } from '../../kit/error-box.tsx';
import { Panel } from '../../kit/panel.tsx';
import { useAction } from '../../kit/calls/use-action.ts';
import { apiIn } from '../../session/api.ts';
import { formatEnv, formatMaskedEnv } from './format-env.ts';

interface EnvPanelProps {
  readonly workspaceId: string;
  readonly channelId: string;
}

export function EnvPanel({ workspaceId, channelId: ch }: EnvPanelProps) {
  const [values, setValues] = useState<Readonly<Record<string, string>> | null>(null);
  const [isOpen, setOpen] = useState(false);
  const load = useAction(async () => {
    setValues(envValuesOf(await apiIn(workspaceId).get('/platform/channels/{ch}/env', { params: { path: { ch } } })));
  });
  const actions = values ? (
    <>
      <Button small onClick={() => setOpen(!isOpen)}>
        {isOpen ? 'Hide secrets' : 'Show secrets'}
      </Button>
      <CopyButton text={`${formatEnv(values)}\n`} what="environment variables">
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
        Everything a program needs: the token, the gateway URL, and the values that verify webhooks. On the command
        line: <code>channels env {ch} --write .env</code>
      </p>
      <ErrorBox error={load.error} />
      {values && (
        <pre class="block" tabIndex={0} aria-label="Environment variables">
          {isOpen ? formatEnv(values) : formatMaskedEnv(values)}
        </pre>
      )}
    </Panel>
  );
}
