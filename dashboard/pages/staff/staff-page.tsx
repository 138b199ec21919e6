import type { Schema } from '../../../client/create-client.ts';
import { usePages } from '../../kit/calls.ts';
import { type Column, List } from '../../kit/lists.tsx';
import { Panel, RelativeTime } from '../../kit/parts.tsx';
import { BulkReplayPanel } from './bulk-replay-panel.tsx';
import type { Desk } from './desk.ts';
import { SearchPanel } from './search-panel.tsx';
import { StaffDesk } from './staff-desk.tsx';
import { UnroutedPanel } from './unrouted-panel.tsx';

export function Page() {
  return <StaffDesk title="Support">{(opened) => <OpenDesk key={opened.reason} opened={opened} />}</StaffDesk>;
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

/** Of a page, because searches are left out, and the desk itself searches when it opens. */
const READ_ENTRIES = 100;

function AuditPanel({ opened: { client, reason } }: { readonly opened: Desk }) {
  const pages = usePages(['entries', 'staff', reason], (page) =>
    client.get('/staff/audit-entries', { params: { query: { reason, limit: READ_ENTRIES, ...page } } }),
  );
  const items = pages.items?.filter(({ action }) => !action.endsWith('.searched')) ?? null;
  return (
    <Panel title="What staff did">
      <List
        pages={{ ...pages, items }}
        caption="What staff did"
        columns={columns}
        keyOf={({ at, action, targetId, requestId }) => `${at} ${action} ${targetId} ${requestId}`}
        one="entry"
        many="entries"
        empty={<p>No entries. Searches are recorded, but not listed here.</p>}
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
