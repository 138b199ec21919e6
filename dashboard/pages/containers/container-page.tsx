import { ApiError } from '../../../client/errors.ts';
import { Badge } from '../../kit/badge.tsx';
import { Button } from '../../kit/button.tsx';
import { CopyableId } from '../../kit/copyable.tsx';
import { ErrorBox } from '../../kit/error-box.tsx';
import { DescriptionList } from '../../kit/description-list.tsx';
import { Tooltip } from '../../kit/menus/tooltip.tsx';
import { Panel } from '../../kit/panel.tsx';
import { Icon } from '../../kit/icon.tsx';
import { Loading } from '../../kit/lists/list.tsx';
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
import { ChannelLayout } from '../channels/channel-layout.tsx';
import {
  type Container,
  containerStatusTexts,
  containerSteps,
  containerTones,
  isContainerInProgress,
  stepsDone,
} from './container-status.ts';

const REFRESH_MS = 2_000;

export function Page({ params }: PageProps<'/app/:org/:ws/channels/:ch/containers/:ctr'>) {
  const { organizationId } = useOrganization();
  const { ws, ch, ctr } = params;
  const all = workspacePath(organizationId, ws, `channels/${ch}/containers`);
  return (
    <ChannelLayout params={params} about={`Container ${ctr}`}>
      {() => (
        <>
          <p class="way-back">
            <a href={all}>All containers</a>
          </p>
          <ContainerPanels channelId={ch} containerId={ctr} />
        </>
      )}
    </ChannelLayout>
  );
}

function ContainerPanels({ channelId: ch, containerId: ctr }: { channelId: string; containerId: string }) {
  const params = { path: { ch, ctr } };
  const load = () => api.get('/channels/{ch}/photoapp/containers/{ctr}', { params });
  const { value: container, error, reload } = useLoad(load, [ch, ctr]);
  useRefresh(() => void reload(), container && isContainerInProgress(container) ? REFRESH_MS : null);
  const publish = useAction(async () => {
    try {
      await api.post('/channels/{ch}/photoapp/containers/{ctr}/publish', { params });
      toast('Container published.');
    } finally {
      await reload();
    }
  });
  if (error instanceof ApiError && error.statusCode === 404) return <NotFound />;
  if (!container) return error ? <ErrorBox error={error} onRetry={() => void reload()} /> : <Loading />;
  const { status, statusDetail, children } = container;
  const isEarly = status !== 'finished';
  const publishButton = (
    <Button tone="primary" busy={isEarly || publish.isBusy} onClick={() => void publish.run()}>
      {publish.isBusy ? 'Publishing…' : 'Publish'}
    </Button>
  );
  const button = isEarly ? <Tooltip text={containerStatusTexts[status]}>{publishButton}</Tooltip> : publishButton;
  return (
    <>
      <Panel title={`${container.mediaType} container`} actions={status !== 'published' && button}>
        <Steps container={container} />
        <p role="status">
          <Badge tone={containerTones[status]}>{status}</Badge> {containerStatusTexts[status]}
        </p>
        {statusDetail !== null && <p class="notice">{statusDetail}</p>}
        <ErrorBox error={publish.error ?? error} />
      </Panel>
      {children && children.length > 0 && <ChildrenPanel parts={children} />}
      <ContainerDetails container={container} />
    </>
  );
}

function ChildrenPanel({ parts }: { readonly parts: NonNullable<Container['children']> }) {
  return (
    <Panel title="Children">
      <Table
        caption="Children of the carousel"
        columns={[
          { head: 'Position', cell: ({ index }) => index + 1 },
          { head: 'Media', isWide: true, cell: ({ imageUrl, videoUrl }) => <code>{imageUrl ?? videoUrl}</code> },
          { head: 'Status', cell: ({ status }) => <Badge tone={containerTones[status]}>{status}</Badge> },
        ]}
        rows={parts}
        keyOf={({ index }) => String(index)}
      />
    </Panel>
  );
}

function Steps({ container }: { readonly container: Container }) {
  const done = stepsDone(container);
  const isInProgress = isContainerInProgress(container);
  return (
    <ol class="steps">
      {containerSteps.map((step, index) => (
        <li
          key={step}
          class={index < done ? 'done' : index === done && isInProgress ? 'under-way' : undefined}
          aria-current={index === done ? 'step' : undefined}
        >
          {step}
          {index < done && <span class="hidden"> (done)</span>}
        </li>
      ))}
    </ol>
  );
}

function ContainerDetails({ container }: { readonly container: Container }) {
  const { containerId, platformContainerId, mediaId, permalink, caption } = container;
  const instant = (at: string | null) => (at === null ? '–' : <RelativeTime at={at} />);
  return (
    <Panel title="Details">
      {caption !== null && <p class="caption">{caption}</p>}
      <DescriptionList
        items={[
          ['Container ID', <CopyableId id={containerId} what="container ID" />],
          [
            'Platform container ID',
            platformContainerId === null ? '–' : <CopyableId id={platformContainerId} what="platform container ID" />,
          ],
          ['Media ID', mediaId === null ? '–' : <CopyableId id={mediaId} what="media ID" />],
          ['Post', permalink === null ? '–' : <Permalink url={permalink} />],
          ['Created', instant(container.createdAt)],
          ['Last checked', instant(container.checkedAt)],
          ['Next check', instant(container.nextCheckAt)],
          ['Expires', instant(container.expiresAt)],
          ['Published', instant(container.publishedAt)],
        ]}
      />
    </Panel>
  );
}

/** Links only to http and https, because the URL comes from the platform. */
function Permalink({ url }: { readonly url: string }) {
  if (!/^https?:\/\//.test(url)) return <>{url}</>;
  return (
    <a href={url} target="_blank" rel="noreferrer">
      {url} <Icon name="external" />
    </a>
  );
}
