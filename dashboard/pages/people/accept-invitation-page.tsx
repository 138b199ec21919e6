import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { ApiError } from '../../../client/errors.ts';
import { useAction, useLoad } from '../../kit/calls.ts';
import { ActionForm, TextField } from '../../kit/forms.tsx';
import { PageHeader } from '../../kit/page.tsx';
import { Button, ErrorBox, Loading } from '../../kit/parts.tsx';
import { toast } from '../../kit/toast.tsx';
import { placePath } from '../../routes/paths.ts';
import { fragment, navigate, path } from '../../routes/router.ts';
import { api } from '../../session/api.ts';
import { person } from '../../session/session-state.ts';
import { loadSession, signOut } from '../../session/session.ts';

/** Accepts an invitation on click, not on load, because mail scanners open every link. */
export function Page() {
  const [tokenInUrl] = useState(fragment.peek());
  useEffect(() => navigate(path.peek(), { replace: true }), []); // keeps the token out of the browser history
  const email = <strong>{person.value?.user.email}</strong>;
  if (tokenInUrl !== '') return <InvitationOfLink token={tokenInUrl} email={email} />;
  return (
    <>
      <PageHeader title="Accept invitation">
        You are signed in as {email}. An invitation is valid only for the address that it was sent to.
      </PageHeader>
      <AcceptForm tokenInUrl="" />
    </>
  );
}

interface InvitationOfLinkProps {
  readonly token: string;
  readonly email: ComponentChildren;
}

function InvitationOfLink({ token, email }: InvitationOfLinkProps) {
  const preview = useLoad(['invitation', token], () => api.post('/invitations/preview', { body: { token } }), {
    isOnce: true,
  });
  const { value, error, reload } = preview;
  return (
    <>
      <PageHeader title="Accept invitation">
        {value && (
          <>
            <strong>{value.inviterEmail}</strong> invites {value.isForCaller ? 'you' : 'someone'} to the organization{' '}
            <strong>{value.organizationName}</strong>.{' '}
          </>
        )}
        You are signed in as {email}.
      </PageHeader>
      {isNotFound(error) ? <InvitationNotFound /> : <ErrorBox error={error} onRetry={reload} />}
      {!value && !error && <Loading />}
      {value?.isForCaller && <AcceptForm tokenInUrl={token} />}
      {value?.isForCaller === false && (
        <div class="explanation">
          <p>The invitation was sent to another address. Sign in with that one and open the link in the email again.</p>
          <SignInAgain tone="primary" />
        </div>
      )}
    </>
  );
}

function AcceptForm({ tokenInUrl }: { readonly tokenInUrl: string }) {
  const [token, setToken] = useState(tokenInUrl);
  const accepting = useAction(async () => {
    const { organizationId, workspaceId } = await api.post('/invitations/accept', { body: { token: token.trim() } });
    await loadSession();
    toast('Invitation accepted.');
    navigate(placePath(organizationId, workspaceId));
  });
  const isGone = isNotFound(accepting.error);
  return (
    <>
      <ActionForm action={{ ...accepting, error: isGone ? null : accepting.error }} submit="Accept invitation">
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
      {isGone && <InvitationNotFound />}
    </>
  );
}

function isNotFound(error: Error | null): boolean {
  return error instanceof ApiError && error.code === 'INVITATION_NOT_FOUND';
}

function InvitationNotFound() {
  return (
    <div class="explanation">
      <ErrorBox error={new Error(`No open invitation for ${person.value?.user.email ?? ''} has this link.`)} />
      <p>
        The invitation was accepted, revoked or has expired, or it was sent to another address. If so, sign in with that
        address and open the link in the email again. Otherwise ask for a new invitation.
      </p>
      <SignInAgain tone="plain" />
    </div>
  );
}

function SignInAgain({ tone }: { readonly tone: 'primary' | 'plain' }) {
  const leaving = useAction(signOut);
  return (
    <>
      <ErrorBox error={leaving.error} />
      <Button tone={tone} busy={leaving.isBusy} onClick={() => leaving.run()}>
        Sign in with another address
      </Button>
    </>
  );
}
