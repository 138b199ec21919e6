import { useAction } from '../../kit/calls.ts';
import { useDialog } from '../../kit/dialogs.tsx';
import { Table } from '../../kit/lists.tsx';
import { PageHeader } from '../../kit/page.tsx';
import { Badge, Button, CopyableId, DescriptionList, ErrorBox, Panel } from '../../kit/parts.tsx';
import { organizationPath } from '../../routes/paths.ts';
import { navigate } from '../../routes/router.ts';
import { person } from '../../session/session-state.ts';
import { signOut, signOutEverywhere } from '../../session/session.ts';

export function Page() {
  const me = person.value;
  if (!me) return null;
  return (
    <>
      <PageHeader title="Your account" />
      <Panel title="Profile">
        <DescriptionList
          items={[
            ['Email address', me.user.email],
            ['ID', <CopyableId id={me.user.id} what="your user ID" />],
          ]}
        />
      </Panel>
      <Panel title="Organizations">
        <Table
          caption="Your organizations"
          columns={[
            {
              head: 'Name',
              isWide: true,
              cell: ({ organizationId, name }) => <a href={organizationPath(organizationId)}>{name}</a>,
            },
            { head: 'ID', cell: ({ organizationId }) => <CopyableId id={organizationId} /> },
            { head: 'Your role', cell: ({ role }) => <Badge>{role}</Badge> },
          ]}
          rows={me.organizations}
          keyOf={({ organizationId }) => organizationId}
        />
      </Panel>
      <Sessions />
      <p class="soft">
        Support staff with a staff key use the <a href="/app/staff">support page</a>.
      </p>
    </>
  );
}

function Sessions() {
  const dialog = useDialog();
  const leave = async (end: () => Promise<void>) => {
    await end();
    navigate('/app', { replace: true });
  };
  const leaving = useAction(() => leave(signOut));
  const askEverywhere = () =>
    dialog.confirm({
      title: 'Sign out everywhere?',
      submit: 'Sign out everywhere',
      about: 'All your sessions end immediately, including this one. API keys and agents keep working.',
      act: () => leave(signOutEverywhere),
    });
  return (
    <Panel title="Sessions">
      <p>A session lasts 30 days. Signing out everywhere also ends your sessions on other devices.</p>
      <ErrorBox error={leaving.error} />
      <div class="actions">
        <Button busy={leaving.isBusy} onClick={() => leaving.run()}>
          Sign out
        </Button>
        <Button tone="danger" onClick={askEverywhere}>
          Sign out everywhere
        </Button>
      </div>
      {dialog.shown}
    </Panel>
  );
}
