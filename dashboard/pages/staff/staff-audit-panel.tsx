import type { Schema } from '../../../client/create-client.ts';
import { List } from '../../kit/lists/list.tsx';
import type { Column } from '../../kit/lists/table.tsx';
import { usePages } from '../../kit/lists/use-pages.ts';
import { Panel } from '../../kit/panel.tsx';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { desk } from './desk.ts';

type Entry = Schema<'StaffAuditEntry'>;

export function StaffAuditPanel() {
  const pages = usePages<Entry>(async (cursor) => {
    const opened = desk.peek();
    if (!opened) return { items: [], nextCursor: null };
    const query = { reason: opened.reason, limit: 10, ...(cursor !== undefined && { cursor }) };
    const { entries, nextCursor } = await opened.client.get('/staff/audit-entries', { params: { query } });
    return { items: entries, nextCursor };
  }, []);
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

const columns: readonly Column<Entry>[] = [
  { head: 'Time', cell: ({ at }) => <RelativeTime at={at} /> },
  { head: 'Person', cell: ({ person, actor }) => person ?? actor.id },
  { head: 'Action', cell: ({ action }) => <code>{action}</code> },
  { head: 'Target', cell: ({ targetId }) => targetId },
  { head: 'Reason', isWide: true, cell: ({ reason }) => reason },
];
