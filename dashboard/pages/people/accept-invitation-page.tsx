import { useEffect, useState } from 'preact/hooks';
import { ApiError } from '../../../client/errors.ts';
import { useAction } from '../../kit/calls.ts';
import { ActionForm, TextField } from '../../kit/forms.tsx';
import { PageHeader } from '../../kit/page.tsx';
import { ErrorBox } from '../../kit/parts.tsx';
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
  const leaving = useAction(signOut);
  const isNotFound = accepting.error instanceof ApiError && accepting.error.code === 'INVITATION_NOT_FOUND';
  return (
    <>
      <PageHeader title="Accept invitation">
        You are signed in as <strong>{person.value?.user.email}</strong>. The email names the organization and the
        person who invited you. Accept the invitation only if the email was sent to this address.
      </PageHeader>
      <ActionForm
        action={{ ...accepting, error: isNotFound ? null : accepting.error }}
        submit="Accept invitation"
        cancel="Sign in with another address"
        onCancel={() => leaving.run()}
      >
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
      <ErrorBox error={leaving.error} />
      {isNotFound && <InvitationNotFound />}
    </>
  );
}

function InvitationNotFound() {
  const email = person.value?.user.email ?? '';
  return (
    <div class="explanation">
      <ErrorBox error={new Error(`No open invitation for ${email} has this link.`)} />
      <p>
        The invitation was sent to another address, or it was accepted, revoked or has expired. If it was sent to
        another address, sign in with that one and open the link in the email again. Otherwise ask for a new invitation.
      </p>
    </div>
  );
}
