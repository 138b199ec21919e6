import { useEffect, useState } from 'preact/hooks';
import { ApiError } from '../../../client/errors.ts';
import { Button } from '../../kit/button.tsx';
import { ErrorBox } from '../../kit/error-box.tsx';
import { TextField } from '../../kit/forms/field.tsx';
import { Form } from '../../kit/forms/form.tsx';
import { PageHeader } from '../../kit/page-header.tsx';
import { toast } from '../../kit/toast.tsx';
import { useAction } from '../../kit/calls/use-action.ts';
import { api } from '../../session/api.ts';
import { organizationPath, workspacePath } from '../../routes/paths.ts';
import { navigate, query, setQuery } from '../../routes/router.ts';
import { loadSession, signOut } from '../../session/session.ts';
import { person } from '../../session/session-state.ts';

/** Where the link of an invitation leads. It is taken by a click, never by opening: mail scanners open every link. */
export function Page() {
  const [given] = useState(query.peek().get('token') ?? '');
  const [token, setToken] = useState(given);
  useEffect(() => setQuery({ token: undefined }), []); // kept here, and not in the browser's history
  const accepting = useAction(async () => {
    const { organizationId, workspaceId } = await api.post('/invitations/accept', { body: { token: token.trim() } });
    await loadSession();
    toast('Welcome: you are a member now.');
    navigate(workspaceId === null ? organizationPath(organizationId) : workspacePath(organizationId, workspaceId));
  });
  const isNotForUs = accepting.error instanceof ApiError && accepting.error.code === 'INVITATION_NOT_FOUND';
  return (
    <>
      <PageHeader title="Accept an invitation">
        You are signed in as {person.value?.user.email}. An invitation is for the address that it was sent to.
      </PageHeader>
      <Form action={{ ...accepting, error: isNotForUs ? null : accepting.error }} submit="Accept invitation">
        {given === '' && <TokenField token={token} onToken={setToken} />}
      </Form>
      {isNotForUs && <NotForUs error={accepting.error} />}
    </>
  );
}

function NotForUs({ error }: { readonly error: Error | null }) {
  const leaving = useAction(signOut);
  return (
    <div class="explanation">
      <ErrorBox error={error} />
      <p>
        It may have been accepted already, taken back, or be older than seven days. Or it was sent to another address
        than {person.value?.user.email}: sign in with that one, and open the link of the mail again.
      </p>
      <ErrorBox error={leaving.error} />
      <Button busy={leaving.isBusy} onClick={() => void leaving.run()}>
        Sign in with another address
      </Button>
    </div>
  );
}

interface TokenFieldProps {
  readonly token: string;
  readonly onToken: (token: string) => void;
}

/** For those whose mail program has broken the link. */
function TokenField({ token, onToken }: TokenFieldProps) {
  return (
    <TextField
      label="Token of the invitation"
      hint="It stands at the end of the link in the mail."
      required
      maxLength={200}
      autoComplete="off"
      spellcheck={false}
      value={token}
      onValue={onToken}
    />
  );
}
