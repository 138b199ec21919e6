import { useEffect, useState } from 'preact/hooks';
import { isId } from '../../contract/ids.ts';
import { usePages } from '../kit/calls.ts';
import { Dialog } from '../kit/dialogs.tsx';
import { TextField } from '../kit/forms.tsx';
import { Pager } from '../kit/lists.tsx';
import { Badge, ErrorBox, Loading } from '../kit/parts.tsx';
import { organizationPath, workspacePath } from '../routes/paths.ts';
import { navigate } from '../routes/router.ts';
import { api } from '../session/api.ts';
import { currentWorkspace } from '../session/current-workspace.ts';

interface WorkspacePickerProps {
  readonly organizationId: string;
  readonly onClose: () => void;
}

export function WorkspacePicker({ organizationId: org, onClose }: WorkspacePickerProps) {
  const [text, setText] = useState('');
  const pages = usePages(['workspaces', 'picker', org], (page) =>
    api.get('/organizations/{org}/workspaces', { params: { path: { org }, query: { limit: 100, ...page } } }),
  );
  useEffect(() => {
    if (text !== '' && pages.hasMore && !pages.isLoading) void pages.loadMore(); // the search covers all pages
  }, [text, pages.hasMore, pages.isLoading]);
  const found = pages.items?.filter((workspace) => matches(workspace, text));
  const first = found?.[0]?.id ?? (isId('workspace', text.trim()) ? text.trim() : undefined);
  const go = (id: string) => {
    onClose();
    navigate(workspacePath(org, id));
  };
  return (
    <Dialog title="Switch workspace" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (first !== undefined) go(first);
        }}
      >
        <TextField
          label="Name, external ID or ID"
          type="search"
          isFirst
          autoComplete="off"
          value={text}
          onValue={setText}
        />
      </form>
      <ErrorBox error={pages.error} onRetry={pages.reload} />
      {!found && !pages.error && <Loading />}
      <ul class="choices" onClick={onClose}>
        {found?.map(({ id, name, kind, externalId }) => (
          <li key={id}>
            <a
              href={workspacePath(org, id)}
              aria-current={currentWorkspace.value?.workspaceId === id ? 'true' : undefined}
            >
              <span class="name">{name}</span>
              {externalId !== null && <code>{externalId}</code>}
              {kind === 'customer' && <Badge>customer</Badge>}
            </a>
          </li>
        ))}
      </ul>
      {text === '' && <Pager pages={pages} one="workspace" />}
      {found?.length === 0 && text !== '' && !pages.isLoading && <p role="status">No matching workspaces.</p>}
      <p class="hint" onClick={onClose}>
        Create new ones under <a href={organizationPath(org, 'workspaces')}>Workspaces</a> and{' '}
        <a href={organizationPath(org, 'customers')}>Customers</a>.
      </p>
    </Dialog>
  );
}

interface Named {
  readonly id: string;
  readonly name: string;
  readonly externalId: string | null;
}

function matches({ id, name, externalId }: Named, text: string): boolean {
  const wanted = text.trim().toLocaleLowerCase();
  return [name, externalId ?? ''].some((one) => one.toLocaleLowerCase().includes(wanted)) || id === text.trim();
}
