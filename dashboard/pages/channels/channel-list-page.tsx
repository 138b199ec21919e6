import { Pager } from '../../kit/lists.tsx';
import { PageHeader } from '../../kit/page.tsx';
import { EmptyState, ErrorBox, Loading } from '../../kit/parts.tsx';
import { organizationPath } from '../../routes/paths.ts';
import { useOrganization, useWorkspace } from '../../session/page-outlet.tsx';
import { ChannelTable } from './channel-table.tsx';
import { useChannels } from './use-channels.ts';

export function Page() {
  const { organizationId, role } = useOrganization();
  const { id, name } = useWorkspace();
  const pages = useChannels(id);
  const { items, error, isLoading, reload } = pages;
  const onboarding = organizationPath(organizationId, 'onboarding');
  const connect = role === 'admin' && (
    <a class="button plain" href={onboarding}>
      Connect a channel
    </a>
  );
  const createLink = role === 'admin' && (
    <a class="button primary" href={onboarding}>
      Create onboarding link
    </a>
  );
  const createCommand =
    role === 'admin' && `channels onboarding-links create 'First account' --type chatapp --into ${id}`;
  return (
    <>
      <PageHeader title="Channels" windowTitle={`Channels · ${name}`} actions={items?.length ? connect : null}>
        Platform accounts whose events are sent to your webhooks, subscriptions and listeners.
      </PageHeader>
      {!items && (error ? <ErrorBox error={error} onRetry={reload} /> : <Loading />)}
      {items?.length === 0 && (
        <EmptyState title="No channels yet" action={createLink} command={createCommand}>
          A channel is a platform account. Its owner connects it by opening an onboarding link
          {role === 'admin' ? '.' : ', which an organization admin can create.'}
        </EmptyState>
      )}
      {items && items.length > 0 && (
        <>
          <ChannelTable channels={items} workspaceId={id} isBusy={isLoading} />
          <Pager pages={pages} one="channel" />
        </>
      )}
    </>
  );
}
