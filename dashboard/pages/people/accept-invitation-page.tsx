import { useEffect, useState } from 'preact/hooks';
import { ApiError } from '../../../client/errors.ts';
import { useAction } from '../../kit/calls.ts';
import { ActionForm, TextField } from '../../kit/forms.tsx';
import { PageHeader } from '../../kit/page.tsx';
import { Button, ErrorBox } from '../../kit/parts.tsx';
import { toast } from '../../kit/toast.tsx';
import { placePath } from '../../routes/paths.ts';
import { fragment, navigate, path } from '../../routes/router.ts';
import { api } from '../../session/api.ts';
import { person } from '../../session/session-state.ts';
import { loadSession, signOut } from '../../session/session.ts';

/** Accepts an invitation on click, not on load, because mail scanners open every link. */
export function Page() {
  const [tokenInUrl] = useState(fragment.peek());
  const [token, setToken] = useState(tokenInUrl);
  useEffect(() => navigate(path.peek(), { replace: true }), []); // keeps the token out of the browser history
  const accepting = useAction(async () => {
    const { organizationId, workspaceId } = await api.post('/invitations/accept', { body: { token: token.trim() } });
    await loadSession();
    toast('Invitation accepted.');
    navigate(placePath(organizationId, workspaceId));
  });
  const isNotFound = accepting.error instanceof ApiError && accepting.error.code === 'INVITATION_NOT_FOUND';
  return (
    <>
      <PageHeader title="Accept invitation">
        You are signed in as {person.value?.user.email}. An invitation is valid only for the address that it was sent
        to.
      </PageHeader>
      <ActionForm action={{ ...accepting, error: isNotFound ? null : accepting.error }} submit="Accept invitation">
        {tokenInUrl === '' && (
          // For mail clients that break the link.
          <TextField
            label="Invitation token"
            hint="You find it at the end of the link in the email."
            required
            maxLength={200}
            autoComplete="off"
            spellcheck={false}
            value={token}
            onValue={setToken}
          />
        )}
      </ActionForm>
      {isNotFound && <InvitationNotFound error={accepting.error} />}
    </>
  );
}

function InvitationNotFound({ error }: { readonly error: Error | null }) {
  const leaving = useAction(signOut);
  return (
    <div class="explanation">
      <ErrorBox error={error} />
      <p>
        The invitation may have been accepted, revoked or expired. If it was sent to an address other than{' '}
        {person.value?.user.email}, sign in with that address and open the link in the email again.
      </p>
      <ErrorBox error={leaving.error} />
      <Button busy={leaving.isBusy} onClick={() => leaving.run()}>
        Sign in with another address
      </Button>
    </div>
  );
}
