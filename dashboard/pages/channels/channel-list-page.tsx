import { ErrorBox } from '../../kit/error-box.tsx';
import { Loading } from '../../kit/lists/list.tsx';
import { PageHeader } from '../../kit/page-header.tsx';
import { Pager } from '../../kit/lists/pager.tsx';
import { useOrganization, useWorkspace } from '../../session/page-outlet.tsx';
import { organizationPath } from '../../routes/paths.ts';
import { ChannelTable } from './channel-table.tsx';
import { NoChannel } from './no-channel.tsx';
import { useChannels } from './use-channels.ts';

export function Page() {
  const { organizationId, role } = useOrganization();
  const { id, name } = useWorkspace();
  const pages = useChannels(id);
  const { items, error, isLoading, reload } = pages;
  const connect = role === 'admin' && (
    <a class="button plain" href={organizationPath(organizationId, 'onboarding')}>
      Connect a channel
    </a>
  );
  return (
    <>
      <PageHeader title="Channels" windowTitle={`Channels · ${name}`} actions={items?.length ? connect : null}>
        Platform accounts whose events are sent to your webhooks, subscriptions and listeners.
      </PageHeader>
      {!items && error && <ErrorBox error={error} onRetry={() => void reload()} />}
      {!items && !error && <Loading />}
      {items?.length === 0 && !isLoading && <NoChannel />}
      {items && items.length > 0 && (
        <>
          <ChannelTable channels={items} workspaceId={id} isBusy={isLoading} />
          <Pager pages={pages} one="channel" many="channels" />
        </>
      )}
    </>
  );
}
