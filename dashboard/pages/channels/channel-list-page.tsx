import { ErrorBox } from '../../kit/error-box.tsx';
import { Waiting } from '../../kit/lists/list.tsx';
import { PageHeader } from '../../kit/page-header.tsx';
import { Pager } from '../../kit/lists/pager.tsx';
import { useOrganization, useWorkspace } from '../../session/page-outlet.tsx';
import { organizationPath } from '../../routes/paths.ts';
import { ChannelTable } from './channel-table.tsx';
import { NoChannel } from './no-channel.tsx';
import { useChannels } from './use-channels.ts';

/** The channels of a workspace, and how they are doing. */
export function Page() {
  const { organizationId, role } = useOrganization();
  const { id, name } = useWorkspace();
  const pages = useChannels(id);
  const { items, error, isLoading, reload } = pages;
  const connect = role === 'admin' && (
    <a class="button plain" href={organizationPath(organizationId, 'onboarding')}>
      Connect another
    </a>
  );
  return (
    <>
      <PageHeader title="Channels" windowTitle={`Channels of ${name}`} actions={items?.length ? connect : null}>
        Accounts at the platform whose events come in here and go on to your receivers.
      </PageHeader>
      {!items && error && <ErrorBox error={error} onRetry={() => void reload()} />}
      {!items && !error && <Waiting />}
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
