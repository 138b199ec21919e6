import type { Schema } from '../../../client/create-client.ts';
import { Facts } from '../../kit/facts.tsx';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { apiIn } from '../../session/api.ts';
import { useWorkspace } from '../../session/page-outlet.tsx';
import type { PageProps } from '../../routes/route.ts';
import { ChannelFrame } from './channel-frame.tsx';
import { EnvPanel } from './env-panel.tsx';
import { NoSecrets } from './no-secrets.tsx';
import { SecretPanel } from './secret-panel.tsx';

/** What programs need to speak for a channel at the gateway. */
export function Page({ params }: PageProps<'/app/:org/:ws/channels/:ch/token'>) {
  const mayReveal = useWorkspace().role !== 'member';
  return (
    <ChannelFrame params={params} about="Token and env">
      {({ connected }) =>
        !mayReveal ? (
          <NoSecrets />
        ) : connected ? (
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

const ABOUT = `Opens this channel at the gateway, and nothing anywhere else. Client libraries of the platform work with it as
soon as their base URL is the gateway's.`;

interface TokenPanelProps {
  readonly workspaceId: string;
  readonly channelId: string;
}

function TokenPanel({ workspaceId, channelId: ch }: TokenPanelProps) {
  const { role } = useWorkspace();
  const path = { ch };
  const rotation = {
    title: "Rotate the channel's token",
    about: 'Programs that use the old token go on as long as it does.',
    standard: '3600' as const,
    rotate: async (overlapSeconds: number, key: string) => {
      const options = { params: { path, header: { 'Idempotency-Key': key } }, body: { overlapSeconds } };
      const given = await apiIn(workspaceId).post('/platform/channels/{ch}/token/rotate', options);
      return { given, previousExpiresAt: given.previousTokenExpiresAt };
    },
  };
  return (
    <SecretPanel<Schema<'ChannelToken'>>
      title="Channel token"
      about={ABOUT}
      what="the token"
      reveal="Show token"
      load={() => apiIn(workspaceId).get('/platform/channels/{ch}/token', { params: { path } })}
      secretOf={({ token }) => token}
      more={(given) => <TokenFacts token={given} />}
      rotation={role === 'admin' ? rotation : null}
    />
  );
}

function TokenFacts({ token: { baseUrl, expiresAt } }: { readonly token: Schema<'ChannelToken'> }) {
  return (
    <div class="apart-above">
      <Facts
        facts={[
          ['Base URL', <code>{baseUrl}</code>],
          ['Ends', expiresAt === null ? 'when it is rotated' : <RelativeTime at={expiresAt} />],
        ]}
      />
    </div>
  );
}
