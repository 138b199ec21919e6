import { PageHeader } from './page-header.tsx';

export function NotFound() {
  return (
    <>
      <PageHeader title="Page not found">
        This page does not exist, or it belongs to an organization or workspace that you can't access.
      </PageHeader>
      <p>
        <a href="/app">Go to your workspace</a>
      </p>
    </>
  );
}
