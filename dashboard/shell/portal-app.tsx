import { useEffect, useState } from 'preact/hooks';
import { ApiError } from '../../client/errors.ts';
import { asError } from '../kit/as-error.ts';
import { NotFound } from '../kit/page.tsx';
import { ErrorBox } from '../kit/parts.tsx';
import { Toasts } from '../kit/toast.tsx';
import { portalRoutes } from '../pages/portal-routes.ts';
import { findRoute } from '../routes/route.ts';
import { path } from '../routes/router.ts';
import { PageOutlet } from '../session/page-outlet.tsx';
import { type Portal, portal } from '../session/portal.ts';
import { session } from '../session/session-state.ts';
import { membershipOf, startPortal, takeSecret } from '../session/start-portal.ts';
import { PortalLayout } from './portal-layout.tsx';

const SECRET = /^#[\w-]{43}$/;

export function PortalApp() {
  return (
    <>
      <a class="skip-link" href="#main">
        Skip to content
      </a>
      <Content />
      <Toasts />
    </>
  );
}

function Content() {
  const error = useStart();
  const shown = portal.value;
  if (session.value.state === 'out' || (error instanceof ApiError && error.statusCode === 401)) return <Ended />;
  if (error) {
    return (
      <main id="main" class="alone">
        <h1>Can't open this page</h1>
        <ErrorBox error={error} />
      </main>
    );
  }
  return shown ? <Pages shown={shown} /> : <main id="main" aria-busy="true" />;
}

/** An address without a secret, after a reload, is answered like an ended link. */
function useStart(): Error | null {
  const [error, setError] = useState<Error | null>(null);
  useEffect(() => {
    const [, , portalLinkId = ''] = path.peek().split('/');
    const secret = takeSecret();
    if (secret === '') session.value = { state: 'out', hasEnded: false };
    else startPortal(portalLinkId, secret).catch((failure: unknown) => setError(asError(failure)));
    // The same link, opened in this tab again, changes only the fragment.
    const reopen = (): void => {
      if (SECRET.test(location.hash)) location.reload();
    };
    addEventListener('hashchange', reopen);
    return () => removeEventListener('hashchange', reopen);
  }, []);
  return error;
}

function Ended() {
  return (
    <div class="alone">
      <main id="main" class="card">
        <h1>This page has ended</h1>
        <p>Open it again from where you came, or ask for a new link.</p>
      </main>
    </div>
  );
}

function Pages({ shown }: { readonly shown: Portal }) {
  const found = findRoute(portalRoutes, path.value);
  const organization = membershipOf(shown);
  const ids = { org: organization.organizationId, ws: shown.workspace.id };
  return (
    <PortalLayout portal={shown}>
      {found ? (
        <PageOutlet
          key={path.value}
          route={found.route}
          params={{ ...found.params, ...ids }}
          organization={organization}
        />
      ) : (
        <NotFound />
      )}
    </PortalLayout>
  );
}
