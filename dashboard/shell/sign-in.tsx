import { useEffect, useRef, useState } from 'preact/hooks';
import type { Schema } from '../../client/create-client.ts';
import { formatExactTime } from '../kit/format/format-relative-time.ts';
import { Form, TextField } from '../kit/forms.tsx';
import { api } from '../session/api.ts';
import { loadConfig } from '../session/config.ts';
import { readPreference, savePreference } from '../session/preferences.ts';
import { startSession } from '../session/session.ts';
import { Brand, Footer } from './brand.tsx';

interface SignInProps {
  readonly hasEnded: boolean;
  readonly notice: string | null;
}

type Sent = Schema<'SignIn'> & { readonly email: string };

/** Keeps the address, so that the user returns to the same page. */
export function SignIn({ hasEnded, notice }: SignInProps) {
  const [sent, setSent] = useState<Sent | null>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = 'Sign in · Messaging channels';
    if (hasEnded) heading.current?.focus();
  }, []);
  return (
    <div class="alone">
      <main id="main" class="card">
        <Brand />
        <h1 ref={heading} tabIndex={-1}>
          Sign in
        </h1>
        {hasEnded && <p role="status">Your session has ended. Sign in to continue where you left off.</p>}
        {notice && <p>{notice}</p>}
        {sent ? <CodeForm sent={sent} onBack={() => setSent(null)} /> : <AddressForm onSent={setSent} />}
      </main>
      <Footer />
    </div>
  );
}

function AddressForm({ onSent }: { readonly onSent: (sent: Sent) => void }) {
  const [email, setEmail] = useState(readPreference('email') ?? '');
  const send = async () => {
    const answer = await api.post('/auth/sign-in', { body: { email } });
    savePreference('email', email);
    onSent({ ...answer, email });
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
        hint="We'll email you a six-digit code. If you are new, we'll also create an organization for you."
        value={email}
        onValue={setEmail}
      />
    </Form>
  );
}

function CodeForm({ sent, onBack }: { readonly sent: Sent; readonly onBack: () => void }) {
  const [code, setCode] = useState('');
  const signIn = async () => {
    const { registrationId } = sent;
    const started = await api.post('/auth/sign-in/complete', { body: { registrationId, otp: code.trim() } });
    await loadConfig();
    startSession(started);
  };
  return (
    <Form act={signIn} submit="Sign in" onCancel={onBack}>
      <p role="status">
        We sent a code to <strong>{sent.email}</strong>. It expires on {formatExactTime(new Date(sent.expiresAt))}.
      </p>
      <TextField
        label="Code"
        name="code"
        class="code"
        inputMode="numeric"
        autoComplete="one-time-code"
        pattern="\s*[0-9]{6}\s*"
        title="Enter six digits"
        required
        isFirst
        value={code}
        onValue={setCode}
      />
    </Form>
  );
}
