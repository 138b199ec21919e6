import { reloadingOnFailure, useAction, useLoad } from '../../kit/calls.ts';
import { Table } from '../../kit/lists.tsx';
import { WhenFound } from '../../kit/page.tsx';
import {
  Badge,
  Button,
  CopyableId,
  DescriptionList,
  ErrorBox,
  ExternalLink,
  Panel,
  RelativeTime,
} from '../../kit/parts.tsx';
import { toast } from '../../kit/toast.tsx';
import type { PageProps } from '../../routes/route.ts';
import { api } from '../../session/api.ts';
import { usePlace } from '../../session/page-outlet.tsx';
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
  const { ch, ctr } = params;
  const { at } = usePlace();
  return (
    <ChannelLayout params={params} about={`Container ${ctr}`}>
      {() => (
        <>
          <p class="way-back">
            <a href={at(`channels/${ch}/containers`)}>All containers</a>
          </p>
          <ContainerPanels channelId={ch} containerId={ctr} />
        </>
      )}
    </ChannelLayout>
  );
}

interface ContainerPanelsProps {
  readonly channelId: string;
  readonly containerId: string;
}

function ContainerPanels({ channelId: ch, containerId: ctr }: ContainerPanelsProps) {
  const params = { path: { ch, ctr } };
  const load = () => api.get('/channels/{ch}/photoapp/containers/{ctr}', { params });
  const loaded = useLoad(['container', ch, ctr], load, {
    everyMs: (container) => isContainerInProgress(container) && REFRESH_MS,
  });
  const publish = useAction(async () => {
    await reloadingOnFailure(() => api.post('/channels/{ch}/photoapp/containers/{ctr}/publish', { params }));
    toast('Container published.');
  });
  return (
    <WhenFound of={loaded}>
      {(container) => {
        const { status, statusDetail, children } = container;
        const publishButton = status === 'finished' && (
          <Button tone="primary" busy={publish.isBusy} onClick={() => publish.run()}>
            {publish.isBusy ? 'Publishing…' : 'Publish'}
          </Button>
        );
        return (
          <>
            <Panel title={`${container.mediaType} container`} actions={publishButton}>
              <Steps container={container} />
              <p role="status">
                <Badge tone={containerTones[status]}>{status}</Badge>{' '}
                {(status !== 'unknown' || statusDetail === null) && containerStatusTexts[status]}
              </p>
              {statusDetail !== null && <p class="notice">{statusDetail}</p>}
              <ErrorBox error={publish.error ?? loaded.error} />
            </Panel>
            {children && children.length > 0 && <ChildrenPanel parts={children} />}
            <ContainerDetails container={container} />
          </>
        );
      }}
    </WhenFound>
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
  const { containerId, status, platformContainerId, mediaId, permalink, caption } = container;
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
          isContainerInProgress(container) && ['Next check', instant(container.nextCheckAt)],
          status !== 'published' && ['Expires', instant(container.expiresAt)],
          ['Published', instant(container.publishedAt)],
        ]}
      />
    </Panel>
  );
}

/** Links only to http and https, because the URL comes from the platform. */
function Permalink({ url }: { readonly url: string }) {
  return /^https?:\/\//.test(url) ? <ExternalLink href={url}>{url}</ExternalLink> : <>{url}</>;
}
