import { ApiError } from '../../../client/errors.ts';
import { Badge } from '../../kit/badge.tsx';
import { Button } from '../../kit/button.tsx';
import { CopyableId } from '../../kit/copyable.tsx';
import { ErrorBox } from '../../kit/error-box.tsx';
import { Facts, Panel } from '../../kit/facts.tsx';
import { Icon } from '../../kit/icon.tsx';
import { Waiting } from '../../kit/lists/list.tsx';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { Table } from '../../kit/lists/table.tsx';
import { toast } from '../../kit/toast.tsx';
import { useAction } from '../../kit/calls/use-action.ts';
import { useLoad } from '../../kit/calls/use-load.ts';
import { useRefresh } from '../../kit/calls/use-refresh.ts';
import { api } from '../../session/api.ts';
import { NotFound } from '../../kit/not-found.tsx';
import { useOrganization } from '../../session/page-outlet.tsx';
import { workspacePath } from '../../routes/paths.ts';
import type { PageProps } from '../../routes/route.ts';
import { ChannelFrame } from '../channels/channel-frame.tsx';
import {
  type Container,
  containerStateWords,
  containerSteps,
  containerTones,
  isContainerMoving,
  stepsDone,
} from './container-words.ts';

const REFRESH_MS = 2_000;

/** One media container: how far it is, and its publishing. */
export function Page({ params }: PageProps<'/app/:org/:ws/channels/:ch/containers/:ctr'>) {
  const { organizationId } = useOrganization();
  const { ws, ch, ctr } = params;
  const all = workspacePath(organizationId, ws, `channels/${ch}/containers`);
  return (
    <ChannelFrame params={params} about={`Container ${ctr}`}>
      {() => (
        <>
          <p class="way-back">
            <a href={all}>All containers</a>
          </p>
          <ContainerPanels channelId={ch} containerId={ctr} />
        </>
      )}
    </ChannelFrame>
  );
}

function ContainerPanels({ channelId: ch, containerId: ctr }: { channelId: string; containerId: string }) {
  const params = { path: { ch, ctr } };
  const load = () => api.get('/channels/{ch}/photoapp/containers/{ctr}', { params });
  const { value: container, error, reload } = useLoad(load, [ch, ctr]);
  useRefresh(() => void reload(), container && isContainerMoving(container) ? REFRESH_MS : null);
  const publish = useAction(async () => {
    try {
      await api.post('/channels/{ch}/photoapp/containers/{ctr}/publish', { params });
      toast('It is published.');
    } finally {
      await reload();
    }
  });
  if (error instanceof ApiError && error.statusCode === 404) return <NotFound />;
  if (!container) return error ? <ErrorBox error={error} onRetry={() => void reload()} /> : <Waiting />;
  const { status, statusDetail, children } = container;
  const button = (
    <Button tone="primary" busy={publish.isBusy} disabled={status !== 'finished'} onClick={() => void publish.run()}>
      {publish.isBusy ? 'Publishing …' : 'Publish'}
    </Button>
  );
  return (
    <>
      <Panel title={`${container.mediaType} container`} actions={status !== 'published' && button}>
        <Steps container={container} />
        <p role="status">
          <Badge tone={containerTones[status]}>{status}</Badge> {containerStateWords[status]}
        </p>
        {statusDetail !== null && <p class="notice">{statusDetail}</p>}
        <ErrorBox error={publish.error ?? error} />
      </Panel>
      {children && children.length > 0 && <ChildrenPanel parts={children} />}
      <ContainerFacts container={container} />
    </>
  );
}

function ChildrenPanel({ parts }: { readonly parts: NonNullable<Container['children']> }) {
  return (
    <Panel title="Children">
      <Table
        caption="Children of the carousel"
        columns={[
          { head: 'Place', cell: ({ index }) => index + 1 },
          { head: 'Media', isWide: true, cell: ({ imageUrl, videoUrl }) => <code>{imageUrl ?? videoUrl}</code> },
          { head: 'State', cell: ({ status }) => <Badge tone={containerTones[status]}>{status}</Badge> },
        ]}
        rows={parts}
        keyOf={({ index }) => String(index)}
      />
    </Panel>
  );
}

function Steps({ container }: { readonly container: Container }) {
  const done = stepsDone(container);
  const isMoving = isContainerMoving(container);
  return (
    <ol class="steps">
      {containerSteps.map((step, index) => (
        <li
          key={step}
          class={index < done ? 'done' : index === done && isMoving ? 'under-way' : undefined}
          aria-current={index === done ? 'step' : undefined}
        >
          {step}
          {index < done && <span class="hidden"> (done)</span>}
        </li>
      ))}
    </ol>
  );
}

function ContainerFacts({ container }: { readonly container: Container }) {
  const { containerId, platformContainerId, mediaId, permalink, caption } = container;
  const instant = (at: string | null) => (at === null ? '–' : <RelativeTime at={at} />);
  return (
    <Panel title="About">
      {caption !== null && <p class="caption">{caption}</p>}
      <Facts
        facts={[
          ['Container id', <CopyableId id={containerId} what="the container's id" />],
          [
            "Platform's container id",
            platformContainerId === null ? '–' : <CopyableId id={platformContainerId} what="the platform's id" />,
          ],
          ['Media id', mediaId === null ? '–' : <CopyableId id={mediaId} what="the media id" />],
          ['Post', permalink === null ? '–' : <Permalink url={permalink} />],
          ['Created', instant(container.createdAt)],
          ['Last looked at', instant(container.checkedAt)],
          ['Next look', instant(container.nextCheckAt)],
          ['Expires', instant(container.expiresAt)],
          ['Published', instant(container.publishedAt)],
        ]}
      />
    </Panel>
  );
}

/** It comes from the platform: only an address of the web becomes a link. */
function Permalink({ url }: { readonly url: string }) {
  if (!/^https?:\/\//.test(url)) return <>{url}</>;
  return (
    <a href={url} target="_blank" rel="noreferrer">
      {url} <Icon name="external" />
    </a>
  );
}
