import type { Schema } from '../../../client/create-client.ts';
import { DescriptionList } from '../../kit/description-list.tsx';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { apiIn } from '../../session/api.ts';
import { useWorkspace } from '../../session/page-outlet.tsx';
import type { PageProps } from '../../routes/route.ts';
import { ChannelLayout } from './channel-layout.tsx';
import { EnvPanel } from './env-panel.tsx';
import { DeveloperRoleNotice } from './developer-role-notice.tsx';
import { SecretPanel } from './secret-panel.tsx';

export function Page({ params }: PageProps<'/app/:org/:ws/channels/:ch/token'>) {
  const mayReveal = useWorkspace().role !== 'member';
  return (
    <ChannelLayout params={params} about="Token">
      {({ connected }) =>
        !mayReveal ? (
          <DeveloperRoleNotice />
        ) : connected ? (
          <>
            <TokenPanel workspaceId={params.ws} channelId={params.ch} />
            <EnvPanel workspaceId={params.ws} channelId={params.ch} />
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

interface TokenPanelProps {
  readonly workspaceId: string;
  readonly channelId: string;
}

function TokenPanel({ workspaceId, channelId: ch }: TokenPanelProps) {
  const { role } = useWorkspace();
  const path = { ch };
  const rotation = {
    title: 'Rotate channel token',
    about: 'Programs can use the old token for as long as you keep it valid.',
    submit: 'Rotate token',
    defaultOverlap: '3600' as const,
    rotate: async (overlapSeconds: number, key: string) => {
      const options = { params: { path, header: { 'Idempotency-Key': key } }, body: { overlapSeconds } };
      const revealed = await apiIn(workspaceId).post('/platform/channels/{ch}/token/rotate', options);
      return { revealed, previousExpiresAt: revealed.previousTokenExpiresAt };
    },
  };
  return (
    <SecretPanel<Schema<'ChannelToken'>>
      title="Channel token"
      about={ABOUT}
      what="channel token"
      reveal="Show token"
      load={() => apiIn(workspaceId).get('/platform/channels/{ch}/token', { params: { path } })}
      secretOf={({ token }) => token}
      more={(revealed) => <TokenDetails token={revealed} />}
      rotation={role === 'admin' ? rotation : null}
    />
  );
}

function TokenDetails({ token: { baseUrl, expiresAt } }: { readonly token: Schema<'ChannelToken'> }) {
  return (
    <div class="apart-above">
      <DescriptionList
        items={[
          ['Base URL', <code>{baseUrl}</code>],
          ['Expires', expiresAt === null ? 'when rotated' : <RelativeTime at={expiresAt} />],
        ]}
      />
    </div>
  );
}
