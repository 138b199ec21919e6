import { useEffect, useState } from 'preact/hooks';
import { asError } from '../kit/as-error.ts';
import { NotFound } from '../kit/page.tsx';
import { ErrorBox } from '../kit/parts.tsx';
import { Toasts } from '../kit/toast.tsx';
import { routes } from '../pages/routes.ts';
import { findRoute } from '../routes/route.ts';
import { path } from '../routes/router.ts';
import { enterWorkspace } from '../session/current-workspace.ts';
import { loadPage, PageOutlet } from '../session/page-outlet.tsx';
import { defaultOrganization } from '../session/preferences.ts';
import { session } from '../session/session-state.ts';
import { Home } from './home.tsx';
import { Layout } from './layout.tsx';
import { SignIn } from './sign-in.tsx';

interface AppProps {
  /** Settles when the session of the page is known. */
  readonly firstSession: Promise<void>;
}

/** Loads the script and the workspace of the page at the current address. */
export function preloadPage(): void {
  const found = findRoute(routes, path.peek());
  if (!found) return;
  // The page loads again what failed, and says so.
  loadPage(found.route).catch(() => undefined);
  if (found.params['ws'] !== undefined) void enterWorkspace(found.params['ws']);
}

export function App({ firstSession }: AppProps) {
  return (
    <>
      <a class="skip-link" href="#main">
        Skip to content
      </a>
      <Content firstSession={firstSession} />
      <Toasts />
    </>
  );
}

function Content({ firstSession }: AppProps) {
  const error = useFailure(firstSession);
  const found = findRoute(routes, path.value);
  const { value } = session;
  if (error) {
    return (
      <main id="main" class="alone">
        <h1>Can't reach the service</h1>
        <ErrorBox error={error} onRetry={() => location.reload()} />
      </main>
    );
  }
  if (value.state === 'unknown') return <main id="main" aria-busy="true" />;
  if (value.state === 'out') return <SignIn hasEnded={value.hasEnded} notice={found?.route.signInNotice ?? null} />;
  if (['/', '/app', '/app/'].includes(path.value)) return <Home person={value.person} />;

  const organization = value.person.organizations.find(({ organizationId }) => organizationId === found?.params['org']);
  const shown = found?.params['org'] === undefined ? defaultOrganization(value.person) : organization;
  const isReachable = found && (found.params['org'] === undefined || organization);
  return (
    <Layout person={value.person} organization={shown} workspaceId={found?.params['ws']}>
      {isReachable ? (
        <PageOutlet key={path.value} route={found.route} params={found.params} organization={organization} />
      ) : (
        <NotFound />
      )}
    </Layout>
  );
}

function useFailure(promise: Promise<void>): Error | null {
  const [error, setError] = useState<Error | null>(null);
  useEffect(() => {
    promise.catch((failure: unknown) => setError(asError(failure)));
  }, []);
  return error;
}
