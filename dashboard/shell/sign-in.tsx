import { useEffect, useRef, useState } from 'preact/hooks';
import type { Schema } from '../../client/create-client.ts';
import { useAction } from '../kit/calls.ts';
import { formatClockTime } from '../kit/format/format-relative-time.ts';
import { ActionForm, Form, TextField } from '../kit/forms.tsx';
import { Button, ErrorBox } from '../kit/parts.tsx';
import { api } from '../session/api.ts';
import { loadConfig } from '../session/config.ts';
import { readPreference, savePreference } from '../session/preferences.ts';
import { startSession } from '../session/session.ts';
import { Brand, Footer } from './brand.tsx';

interface SignInProps {
  readonly hasEnded: boolean;
  readonly notice: string | null;
}

type Sent = Schema<'SignIn'> & { readonly email: string; readonly isAgain: boolean };
type Started = Schema<'StartedSession'>;

/** Keeps the address, so that the user returns to the same page. */
export function SignIn({ hasEnded, notice }: SignInProps) {
  const [sent, setSent] = useState<Sent | null>(null);
  const [started, setStarted] = useState<Started | null>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = 'Sign in · Messaging channels';
    if (hasEnded) heading.current?.focus();
  }, []);
  const begin = (next: Started) => (next.createdOrganizationId === null ? startSession(next) : setStarted(next));
  if (started) return <Welcome started={started} />;
  return (
    <div class="alone">
      <main id="main" class="card">
        <Brand />
        <h1 ref={heading} tabIndex={-1}>
          Sign in
        </h1>
        {hasEnded && <p role="status">Your session has ended. Sign in to continue where you left off.</p>}
        {notice && <p>{notice}</p>}
        {sent ? (
          <CodeForm
            key={sent.registrationId}
            sent={sent}
            onSent={setSent}
            onStarted={begin}
            onBack={() => setSent(null)}
          />
        ) : (
          <AddressForm createsOrganization={notice === null} onSent={setSent} />
        )}
      </main>
      <Footer />
    </div>
  );
}

interface AddressFormProps {
  /** Whether the page is for people who may be new. */
  readonly createsOrganization: boolean;
  readonly onSent: (sent: Sent) => void;
}

function AddressForm({ createsOrganization, onSent }: AddressFormProps) {
  const [email, setEmail] = useState(readPreference('email') ?? '');
  const send = async () => {
    const sent = await sendCode(email);
    savePreference('email', email);
    onSent({ ...sent, isAgain: false });
  };
  return (
    <Form act={send} submit="Send code">
      <TextField
        label="Email address"
        type="email"
        name="email"
        autoComplete="email"
        required
        isFirst
        hint={`We'll email you a six-digit code.${createsOrganization ? " If you are new, we'll also create an organization for you." : ''}`}
        value={email}
        onValue={setEmail}
      />
    </Form>
  );
}

async function sendCode(email: string): Promise<Omit<Sent, 'isAgain'>> {
  return { ...(await api.post('/auth/sign-in', { body: { email } })), email };
}

const WHOLE_CODE = /^\s*\d{6}\s*$/;

interface CodeFormProps {
  readonly sent: Sent;
  readonly onSent: (sent: Sent) => void;
  readonly onStarted: (started: Started) => void;
  readonly onBack: () => void;
}

/** Signs in as soon as the code has six digits. */
function CodeForm({ sent, onSent, onStarted, onBack }: CodeFormProps) {
  const { registrationId, expiresAt, email, isAgain } = sent;
  const [code, setCode] = useState('');
  const signIn = useAction(async (otp: string) => {
    const started = await api.post('/auth/sign-in/complete', { body: { registrationId, otp: otp.trim() } });
    await loadConfig();
    onStarted(started);
  });
  const again = useAction(async () => onSent({ ...(await sendCode(email)), isAgain: true }));
  const enter = (value: string) => {
    setCode(value);
    if (WHOLE_CODE.test(value)) signIn.run(value);
  };
  return (
    <ActionForm action={{ ...signIn, run: () => signIn.run(code) }} submit="Sign in" onCancel={onBack}>
      <p role="status">
        We sent {isAgain ? 'another code' : 'a code'} to <strong>{email}</strong>. It expires at{' '}
        {formatClockTime(new Date(expiresAt))}.
      </p>
      <TextField
        label="Code"
        name="code"
        class="code"
        inputMode="numeric"
        autoComplete="one-time-code"
        pattern={WHOLE_CODE.source}
        title="Enter six digits"
        required
        isFirst
        value={code}
        onValue={enter}
      />
      <p>
        No email?{' '}
        <Button small busy={again.isBusy} onClick={() => again.run()}>
          Send another code
        </Button>
      </p>
      <ErrorBox error={again.error} />
    </ActionForm>
  );
}

/** Asks a new person for the name of their organization, which has one made from their address. */
function Welcome({ started }: { readonly started: Started }) {
  const { organizations, createdOrganizationId: org } = started;
  const own = organizations.find(({ organizationId }) => organizationId === org);
  const [name, setName] = useState(own?.name ?? '');
  useEffect(() => {
    document.title = 'Name your organization · Messaging channels';
  }, []);
  const save = async () => {
    if (!own) return startSession(started);
    const params = { path: { org: own.organizationId } };
    const renamed = await api.patch('/organizations/{org}', { params, body: { name } });
    startSession({
      ...started,
      organizations: organizations.map((one) => (one === own ? { ...one, name: renamed.name } : one)),
    });
  };
  return (
    <div class="alone">
      <main id="main" class="card">
        <Brand />
        <h1>Name your organization</h1>
        <Form act={save} submit="Continue">
          <TextField
            label="Organization name"
            hint="Shown to customers when they connect a channel, and to people you invite. You can change it later."
            autoComplete="organization"
            maxLength={200}
            required
            isFirst
            value={name}
            onValue={setName}
          />
        </Form>
      </main>
      <Footer />
    </div>
  );
}
