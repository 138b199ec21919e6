import type { Schema } from '../../../client/create-client.ts';
import { usePages } from '../../kit/calls.ts';
import { Form, TextField, useFields } from '../../kit/forms.tsx';
import { type Column, List } from '../../kit/lists.tsx';
import { PageHeader } from '../../kit/page.tsx';
import { Button, Panel, RelativeTime } from '../../kit/parts.tsx';
import { BulkReplayPanel } from './bulk-replay-panel.tsx';
import { type Desk, desk, openDesk } from './desk.ts';
import { SearchPanel } from './search-panel.tsx';
import { UnroutedPanel } from './unrouted-panel.tsx';

/** Staff sign in with their key. The session of the person gives no access here. */
export function Page() {
  const opened = desk.value;
  const leave = opened && (
    <Button small onClick={() => (desk.value = null)}>
      Forget the key
    </Button>
  );
  return (
    <>
      <PageHeader title="Support" actions={leave}>
        {opened
          ? `Every call is recorded with your reason: ${opened.reason}`
          : 'For support staff. Customers see in their audit log what you read and did, and why.'}
      </PageHeader>
      {opened ? <OpenDesk key={opened.reason} opened={opened} /> : <KeyPanel />}
    </>
  );
}

function OpenDesk({ opened }: { readonly opened: Desk }) {
  return (
    <>
      <SearchPanel />
      <BulkReplayPanel />
      <UnroutedPanel opened={opened} />
      <AuditPanel opened={opened} />
    </>
  );
}

function KeyPanel() {
  const { fields, bind } = useFields({ key: '', reason: '' });
  return (
    <Panel title="Staff key">
      <Form act={async () => openDesk(fields.key.trim(), fields.reason.trim())} submit="Open">
        <TextField
          label="Staff key"
          hint="Kept in this tab only, until you reload or close it. The operator creates it."
          required
          isFirst
          pattern="\s*hmok_\S+\s*"
          title="A key that begins with hmok_"
          autoComplete="off"
          spellcheck={false}
          class="secret"
          {...bind('key')}
        />
        <TextField
          label="Reason"
          hint="A ticket number will do. It is recorded with every call."
          required
          maxLength={500}
          autoComplete="off"
          {...bind('reason')}
        />
      </Form>
    </Panel>
  );
}

function AuditPanel({ opened: { client, reason } }: { readonly opened: Desk }) {
  const pages = usePages(['entries', 'staff', reason], (page) =>
    client.get('/staff/audit-entries', { params: { query: { reason, limit: 10, ...page } } }),
  );
  return (
    <Panel title="What staff did">
      <List
        pages={pages}
        caption="What staff did"
        columns={columns}
        keyOf={({ at, action, targetId, requestId }) => `${at} ${action} ${targetId} ${requestId}`}
        one="entry"
        many="entries"
        empty={<p>No entries.</p>}
      />
    </Panel>
  );
}

const columns: readonly Column<Schema<'StaffAuditEntry'>>[] = [
  { head: 'Time', cell: ({ at }) => <RelativeTime at={at} /> },
  { head: 'Person', cell: ({ person, actor }) => person ?? actor.id },
  { head: 'Action', cell: ({ action }) => <code>{action}</code> },
  { head: 'Target', cell: ({ targetId }) => targetId },
  { head: 'Reason', isWide: true, cell: ({ reason }) => reason },
];
