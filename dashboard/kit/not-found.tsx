import { PageHeader } from './page-header.tsx';

/** What is missing, deleted or somebody else's looks the same. */
export function NotFound() {
  return (
    <>
      <PageHeader title="Nothing here">
        There is no such page, or it belongs to an organization or a workspace that you are not in.
      </PageHeader>
      <p>
        <a href="/app">Go to your workspace</a>
      </p>
    </>
  );
}
