import { useState } from 'preact/hooks';
import { Badge } from '../../kit/badge.tsx';
import { Button } from '../../kit/button.tsx';
import { ConfirmDialog } from '../../kit/dialogs/confirm-dialog.tsx';
import { CopyableId } from '../../kit/copyable.tsx';
import { ErrorBox } from '../../kit/error-box.tsx';
import { DescriptionList } from '../../kit/description-list.tsx';
import { Panel } from '../../kit/panel.tsx';
import { PageHeader } from '../../kit/page-header.tsx';
import { Table } from '../../kit/lists/table.tsx';
import { useAction } from '../../kit/calls/use-action.ts';
import { organizationPath } from '../../routes/paths.ts';
import { navigate } from '../../routes/router.ts';
import { signOut, signOutEverywhere } from '../../session/session.ts';
import { type Person, person } from '../../session/session-state.ts';

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
      <Organizations organizations={me.organizations} />
      <Sessions />
      <p class="soft">
        Support staff with a staff key use the <a href="/app/staff">support page</a>.
      </p>
    </>
  );
}

function Organizations({ organizations }: Pick<Person, 'organizations'>) {
  return (
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
        rows={organizations}
        keyOf={({ organizationId }) => organizationId}
      />
    </Panel>
  );
}

function Sessions() {
  const [isAsking, setAsking] = useState(false);
  const leave = async (end: () => Promise<void>) => {
    await end();
    navigate('/app', { replace: true });
  };
  const leaving = useAction(() => leave(signOut));
  return (
    <Panel title="Sessions">
      <p>A session lasts 30 days. Signing out everywhere also ends your sessions on other devices.</p>
      <ErrorBox error={leaving.error} />
      <div class="actions">
        <Button busy={leaving.isBusy} onClick={() => void leaving.run()}>
          Sign out
        </Button>
        <Button tone="danger" onClick={() => setAsking(true)}>
          Sign out everywhere
        </Button>
      </div>
      {isAsking && (
        <ConfirmDialog
          title="Sign out everywhere?"
          submit="Sign out everywhere"
          onConfirm={() => leave(signOutEverywhere)}
          onClose={() => setAsking(false)}
        >
          <p>All your sessions end immediately, including this one. API keys and agents keep working.</p>
        </ConfirmDialog>
      )}
    </Panel>
  );
}
