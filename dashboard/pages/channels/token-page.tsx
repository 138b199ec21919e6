import { useState } from 'preact/hooks';
import type { Schema } from '../../../client/create-client.ts';
import { envValuesOf } from '../../../contract/channels/env-names.ts';
import { useAction } from '../../kit/calls.ts';
import { Button, CopyButton, DescriptionList, ErrorBox, Panel, RelativeTime } from '../../kit/parts.tsx';
import type { PageProps } from '../../routes/route.ts';
import { apiIn } from '../../session/api.ts';
import { useWorkspace } from '../../session/page-outlet.tsx';
import { ChannelLayout, type ChannelParams } from './channel-layout.tsx';
import { formatEnv, formatMaskedEnv } from './format-env.ts';
import { DeveloperRoleNotice, SecretPanel } from './secret-panel.tsx';

export function Page({ params }: PageProps<'/app/:org/:ws/channels/:ch/token'>) {
  const mayReveal = useWorkspace().role !== 'member';
  return (
    <ChannelLayout params={params} about="Token">
      {({ connected }) =>
        !mayReveal ? (
          <DeveloperRoleNotice />
        ) : connected ? (
          <>
            <TokenPanel {...params} />
            <EnvPanel {...params} />
          </>
        ) : (
          <p class="notice">This channel is disconnected and has no token. Reconnect it to get a new one.</p>
        )
      }
    </ChannelLayout>
  );
}

const ABOUT = `Gives access to this channel through the gateway and to nothing else. The platform's client libraries accept it
once you set their base URL to the gateway.`;

function TokenPanel({ ws, ch }: ChannelParams) {
  const { role } = useWorkspace();
  const path = { ch };
  const rotation = {
    title: 'Rotate channel token',
    about: 'Programs can use the old token for as long as you keep it valid.',
    submit: 'Rotate token',
    defaultOverlap: '3600' as const,
    rotate: async (overlapSeconds: number, key: string) => {
      const options = { params: { path, header: { 'Idempotency-Key': key } }, body: { overlapSeconds } };
      const revealed = await apiIn(ws).post('/platform/channels/{ch}/token/rotate', options);
      return { revealed, previousExpiresAt: revealed.previousTokenExpiresAt };
    },
  };
  return (
    <SecretPanel<Schema<'ChannelToken'>>
      title="Channel token"
      about={ABOUT}
      what="channel token"
      reveal="Show token"
      load={() => apiIn(ws).get('/platform/channels/{ch}/token', { params: { path } })}
      secretOf={({ token }) => token}
      more={({ baseUrl, expiresAt }) => (
        <div class="apart-above">
          <DescriptionList
            items={[
              ['Base URL', <code>{baseUrl}</code>],
              ['Expires', expiresAt === null ? 'when rotated' : <RelativeTime at={expiresAt} />],
            ]}
          />
        </div>
      )}
      rotation={role === 'admin' ? rotation : null}
    />
  );
}

function EnvPanel({ ws, ch }: ChannelParams) {
  const [values, setValues] = useState<Readonly<Record<string, string>> | null>(null);
  const [isOpen, setOpen] = useState(false);
  const load = useAction(async () => {
    setValues(envValuesOf(await apiIn(ws).get('/platform/channels/{ch}/env', { params: { path: { ch } } })));
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
    <Button small busy={load.isBusy} onClick={() => load.run()}>
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
