import { useState } from 'preact/hooks';
import type { Schema } from '../../../client/create-client.ts';
import { Button } from '../../kit/button.tsx';
import { CopyableLine } from '../../kit/copyable.tsx';
import { ErrorBox } from '../../kit/error-box.tsx';
import { Facts, Panel } from '../../kit/facts.tsx';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { useAction } from '../../kit/use-action.ts';
import { apiIn } from '../../shell/api.ts';
import { useWorkspace } from '../../shell/page-outlet.tsx';
import type { PageProps } from '../../shell/route.ts';
import { ChannelFrame } from './channel-frame.tsx';
import { EnvPanel } from './env-panel.tsx';
import { RotateDialog } from './rotate-dialog.tsx';

/** What programs need to speak for a channel at the gateway. */
export function Page({ params }: PageProps<'/app/:org/:ws/channels/:ch/token'>) {
  return (
    <ChannelFrame params={params} about="Token and env">
      {({ connected }) =>
        connected ? (
          <>
            <TokenPanel workspaceId={params.ws} channelId={params.ch} />
            <EnvPanel workspaceId={params.ws} channelId={params.ch} />
          </>
        ) : (
          <p class="notice">The channel is disconnected: it has no token until it is connected again.</p>
        )
      }
    </ChannelFrame>
  );
}

interface TokenPanelProps {
  readonly workspaceId: string;
  readonly channelId: string;
}

function TokenPanel({ workspaceId, channelId: ch }: TokenPanelProps) {
  const { role } = useWorkspace();
  const [token, setToken] = useState<Schema<'ChannelToken'> | null>(null);
  const [isRotating, setRotating] = useState(false);
  const params = { path: { ch } };
  const show = useAction(async () => {
    setToken(await apiIn(workspaceId).get('/platform/channels/{ch}/token', { params }));
  });
  const actions = (
    <>
      <Button small busy={show.isBusy} onClick={() => (token ? setToken(null) : void show.run())}>
        {token ? 'Hide' : 'Show token'}
      </Button>
      {role === 'admin' && (
        <Button small onClick={() => setRotating(true)}>
          Rotate …
        </Button>
      )}
    </>
  );
  return (
    <Panel title="Channel token" actions={actions}>
      <p>
        Opens this channel at the gateway, and nothing anywhere else. Client libraries of the platform work with it as
        soon as their base URL is the gateway's.
      </p>
      <ErrorBox error={show.error} />
      {token && <TokenInFull token={token} />}
      {isRotating && (
        <RotateDialog
          title="Rotate the channel's token"
          about="Programs that use the old token go on as long as it does."
          standard="3600"
          rotate={async (overlapSeconds, key) => {
            const options = { params: { ...params, header: { 'Idempotency-Key': key } }, body: { overlapSeconds } };
            const rotated = await apiIn(workspaceId).post('/platform/channels/{ch}/token/rotate', options);
            setToken(rotated);
            return { secret: rotated.token, previousExpiresAt: rotated.previousTokenExpiresAt };
          }}
          onClose={() => setRotating(false)}
        />
      )}
    </Panel>
  );
}

function TokenInFull({ token: { token, baseUrl, expiresAt } }: { readonly token: Schema<'ChannelToken'> }) {
  return (
    <>
      <CopyableLine text={token} what="the token" />
      <div class="apart-above">
        <Facts
          facts={[
            ['Base URL', <code>{baseUrl}</code>],
            ['Ends', expiresAt === null ? 'when it is rotated' : <RelativeTime at={expiresAt} />],
          ]}
        />
      </div>
    </>
  );
}
