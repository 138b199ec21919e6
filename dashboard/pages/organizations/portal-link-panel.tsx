import { useState } from 'preact/hooks';
import type { Schema } from '../../../client/create-client.ts';
import { Badge } from '../../kit/badge.tsx';
import { Button } from '../../kit/button.tsx';
import { useAction } from '../../kit/calls/use-action.ts';
import { ErrorBox } from '../../kit/error-box.tsx';
import { Icon } from '../../kit/icon.tsx';
import { List } from '../../kit/lists/list.tsx';
import type { Column } from '../../kit/lists/table.tsx';
import { usePages } from '../../kit/lists/use-pages.ts';
import { Panel } from '../../kit/panel.tsx';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { toast } from '../../kit/toast.tsx';
import { api } from '../../session/api.ts';
import { CreatePortalLinkDialog } from './create-portal-link-dialog.tsx';

type Link = Schema<'PortalLink'>;

export function PortalLinkPanel({ workspaceId: ws }: { readonly workspaceId: string }) {
  const [isCreating, setCreating] = useState(false);
  const pages = useLinks(ws);
  const revoke = useAction(async (ptl: string) => {
    await api.delete('/workspaces/{ws}/portal-links/{ptl}', { params: { path: { ws, ptl } } });
    await pages.reload();
    toast('Portal link revoked.');
  });
  const create = (
    <Button small onClick={() => setCreating(true)}>
      <Icon name="plus" /> Create portal link
    </Button>
  );
  return (
    <Panel title="Portal links" actions={create}>
      <p>Short-lived links to a page that shows one customer their channels, with the rights that you choose.</p>
      <ErrorBox error={revoke.error} />
      <List
        pages={pages}
        caption="Portal links"
        columns={[...columns, actionColumn((ptl) => void revoke.run(ptl))]}
        keyOf={({ portalLinkId }) => portalLinkId}
        one="link"
        many="links"
        empty={<p class="soft">No links in the last week.</p>}
      />
      {isCreating && <CreatePortalLinkDialog ws={ws} onCreated={pages.reload} onClose={() => setCreating(false)} />}
    </Panel>
  );
}

function useLinks(ws: string) {
  return usePages(
    async (cursor) => {
      const params = { path: { ws }, query: { ...(cursor !== undefined && { cursor }) } };
      const { portalLinks, nextCursor } = await api.get('/workspaces/{ws}/portal-links', { params });
      return { items: portalLinks, nextCursor };
    },
    [ws],
  );
}

const tones = { active: 'good', expired: 'neutral', revoked: 'neutral' } as const;

const columns: readonly Column<Link>[] = [
  {
    head: 'Link',
    isWide: true,
    cell: ({ portalLinkId, name }) => (
      <>
        {name !== null && <span class="line">{name}</span>}
        <code>{portalLinkId}</code>
      </>
    ),
  },
  { head: 'Status', cell: ({ status }) => <Badge tone={tones[status]}>{status}</Badge> },
  { head: 'Rights', cell: ({ rights }) => rights.map((right) => <code class="line">{right}</code>) },
  { head: 'Opened', align: 'end', cell: ({ useCount }) => useCount },
  { head: 'Ends', cell: ({ expiresAt }) => <RelativeTime at={expiresAt} /> },
];

const actionColumn = (revoke: (portalLinkId: string) => void): Column<Link> => ({
  head: 'Actions',
  isHeadHidden: true,
  align: 'end',
  cell: ({ portalLinkId, name, status }) =>
    status === 'active' && (
      <Button small tone="quiet" aria-label={`Revoke ${name ?? portalLinkId}`} onClick={() => revoke(portalLinkId)}>
        Revoke
      </Button>
    ),
});
