import { useEffect, useRef, useState } from 'preact/hooks';
import type { Schema } from '../../client/create-client.ts';
import { Brand } from '../kit/brand.tsx';
import { Form } from '../kit/forms/form.tsx';
import { TextField } from '../kit/forms/field.tsx';
import { exactTimeText } from '../kit/texts/relative-time-text.ts';
import { useAction } from '../kit/calls/use-action.ts';
import { api } from '../session/api.ts';
import { loadConfig } from '../session/config.ts';
import { Footer } from './footer.tsx';
import { remember, remembered } from '../session/remembered.ts';
import { began } from '../session/session.ts';

interface SignInProps {
  /** The session ended while its person was at work. */
  readonly hasEnded: boolean;
  readonly notice: string | null;
}

type Sent = Schema<'SignIn'> & { readonly email: string };

/** Sign-in by a code that comes by e-mail. The address in the browser stays, so that one is back there afterwards. */
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
        {hasEnded && <p role="status">Your session has ended. Sign in again, and you are back where you were.</p>}
        {notice && <p>{notice}</p>}
        {sent ? <CodeForm sent={sent} onBack={() => setSent(null)} /> : <AddressForm onSent={setSent} />}
      </main>
      <Footer />
    </div>
  );
}

function AddressForm({ onSent }: { readonly onSent: (sent: Sent) => void }) {
  const [email, setEmail] = useState(remembered('email') ?? '');
  const action = useAction(async () => {
    const answer = await api.post('/auth/sign-in', { body: { email } });
    remember('email', email);
    onSent({ ...answer, email });
  });
  return (
    <Form action={action} submit="Send me a code">
      <TextField
        label="E-mail address"
        type="email"
        name="email"
        autoComplete="email"
        required
        isFirst
        hint="A code of six digits comes by e-mail. An address that is new here gets an organization of its own."
        value={email}
        onValue={setEmail}
      />
    </Form>
  );
}

function CodeForm({ sent, onBack }: { readonly sent: Sent; readonly onBack: () => void }) {
  const [code, setCode] = useState('');
  const action = useAction(async () => {
    const { registrationId } = sent;
    const started = await api.post('/auth/sign-in/complete', { body: { registrationId, otp: code.trim() } });
    await loadConfig();
    began(started);
  });
  return (
    <Form action={action} submit="Sign in" onCancel={onBack}>
      <p role="status">
        A code is on its way to <strong>{sent.email}</strong>. It is good until{' '}
        {exactTimeText(new Date(sent.expiresAt))}.
      </p>
      <TextField
        label="Code"
        name="code"
        class="code"
        inputMode="numeric"
        autoComplete="one-time-code"
        pattern="\s*[0-9]{6}\s*"
        title="Six digits"
        required
        isFirst
        value={code}
        onValue={setCode}
      />
    </Form>
  );
}
