import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Button, type CreateTone } from '../../kit/button.tsx';
import { CopyableId } from '../../kit/copyable.tsx';
import { Icon } from '../../kit/icon.tsx';
import { List } from '../../kit/lists/list.tsx';
import { PageHeader } from '../../kit/page-header.tsx';
import { RelativeTime } from '../../kit/relative-time.tsx';
import type { Column } from '../../kit/lists/table.tsx';
import { usePages } from '../../kit/lists/use-pages.ts';
import type { Schema } from '../../../client/create-client.ts';
import { api } from '../../session/api.ts';
import { useOrganization } from '../../session/page-outlet.tsx';
import { workspacePath } from '../../routes/paths.ts';
import { CreateWorkspaceDialog, kindLabels, type WorkspaceKind } from './workspace-dialogs.tsx';

type Workspace = Schema<'Workspace'>;

interface WorkspaceListProps {
  readonly kind: WorkspaceKind;
  readonly title: string;
  readonly about: string;
  readonly search?: string | undefined;
  readonly filters?: ComponentChildren;
  readonly empty: (create: ComponentChildren) => ComponentChildren;
}

export function WorkspaceList({ kind, title, about, search, filters, empty }: WorkspaceListProps) {
  const { organizationId, role } = useOrganization();
  const [isCreating, setCreating] = useState(false);
  const pages = usePages(
    async (cursor) => {
      const query = { kind, ...(cursor !== undefined && { cursor }), ...(search && { search }) };
      const params = { path: { org: organizationId }, query };
      const { workspaces, nextCursor } = await api.get('/organizations/{org}/workspaces', { params });
      return { items: workspaces, nextCursor };
    },
    [organizationId, kind, search],
  );
  const create = (tone: CreateTone) =>
    role === 'admin' && (
      <Button tone={tone} onClick={() => setCreating(true)}>
        <Icon name="plus" /> Create {kindLabels[kind]}
      </Button>
    );
  return (
    <>
      <PageHeader title={title} actions={create('primary')}>
        {about}
      </PageHeader>
      {filters}
      <List
        pages={pages}
        caption={title}
        columns={columnsFor(kind)}
        keyOf={({ id }) => id}
        one={kindLabels[kind]}
        many={`${kindLabels[kind]}s`}
        empty={empty(create('plain'))}
      />
      {isCreating && (
        <CreateWorkspaceDialog
          organizationId={organizationId}
          kind={kind}
          onCreated={() => {
            setCreating(false);
            void pages.reload();
          }}
          onClose={() => setCreating(false)}
        />
      )}
    </>
  );
}

function columnsFor(kind: WorkspaceKind): readonly Column<Workspace>[] {
  const external: Column<Workspace> = {
    head: 'External ID',
    cell: ({ externalId }) => externalId && <code class="long">{externalId}</code>,
  };
  return [
    {
      head: 'Name',
      isWide: true,
      cell: ({ id, name, organizationId }) => <a href={workspacePath(organizationId, id)}>{name}</a>,
    },
    ...(kind === 'customer' ? [external] : []),
    { head: 'ID', cell: ({ id }) => <CopyableId id={id} /> },
    { head: 'Created', cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
  ];
}
