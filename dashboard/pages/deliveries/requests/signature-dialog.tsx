import { useState } from 'preact/hooks';
import { explainSignature } from '../../../../contract/deliveries/explain-signature.ts';
import { parseHeaderLines } from '../../../../contract/deliveries/signature.ts';
import type { SentSignature, SignatureFinding } from '../../../../contract/deliveries/signature-case.ts';
import { Badge } from '../../../kit/badge.tsx';
import { useAction } from '../../../kit/calls/use-action.ts';
import { useLoad } from '../../../kit/calls/use-load.ts';
import { Dialog } from '../../../kit/dialogs/dialog.tsx';
import { ErrorBox } from '../../../kit/error-box.tsx';
import { TextField } from '../../../kit/forms/field.tsx';
import { Form } from '../../../kit/forms/form.tsx';
import { TextArea } from '../../../kit/forms/text-area.tsx';
import { Loading } from '../../../kit/lists/list.tsx';
import { browserHmac } from './browser-hmac.ts';

/** The tolerance of the Standard Webhooks libraries. */
const TOLERANCE_SECONDS = 300;

type Headers = SentSignature['headers'];

interface SignatureDialogProps {
  /** Of the record. */
  readonly headers: Headers;
  /** Returns null if the body that was sent is no longer stored. */
  readonly loadBody: () => Promise<string | null>;
  readonly onClose: () => void;
}

/** Explains why a receiver's own check fails. What a person enters stays in the browser. */
export function SignatureDialog({ headers, loadBody, onClose }: SignatureDialogProps) {
  const { value, error, reload } = useLoad(async () => ({ body: await loadBody() }), []);
  return (
    <Dialog title="Why does the signature not match?" onClose={onClose}>
      {value ? <SignatureForm sent={{ ...value, headers }} onClose={onClose} /> : !error && <Loading />}
      <ErrorBox error={error} onRetry={() => void reload()} />
    </Dialog>
  );
}

interface KnownRequest {
  readonly body: string | null;
  readonly headers: Headers;
}

function SignatureForm({ sent, onClose }: { readonly sent: KnownRequest; readonly onClose: () => void }) {
  const [given, setGiven] = useState({ secret: '', body: '', headers: '', computed: '' });
  const [findings, setFindings] = useState<readonly SignatureFinding[]>([]);
  const check = useAction(async () => {
    setFindings(await explainSignature(caseOf(given, sent), browserHmac));
  });
  return (
    <Form action={check} submit="Check" onCancel={onClose} cancel="Close">
      <p class="prose">Your browser does the check. What you enter is not sent and not stored.</p>
      <SignatureFields
        given={given}
        isBodyKnown={sent.body !== null}
        onGiven={(change) => setGiven((before) => ({ ...before, ...change }))}
      />
      <Findings findings={findings} />
    </Form>
  );
}

interface SignatureFieldsProps {
  readonly given: GivenTexts;
  readonly isBodyKnown: boolean;
  readonly onGiven: (change: Partial<GivenTexts>) => void;
}

const bodyField = {
  known: {
    label: 'Body that your receiver verifies (optional)',
    hint: 'As your code passes it to the check. Leave it empty if it is the body as it was sent.',
  },
  unknown: {
    label: 'Body that your receiver verifies',
    hint: 'As your code passes it to the check. An event of this request is no longer stored as it was sent.',
  },
};

function SignatureFields({ given, isBodyKnown, onGiven }: SignatureFieldsProps) {
  return (
    <>
      <TextField
        label="Secret that your receiver uses"
        type="password"
        required
        isFirst
        autoComplete="off"
        value={given.secret}
        onValue={(secret) => onGiven({ secret })}
      />
      <TextArea
        {...bodyField[isBodyKnown ? 'known' : 'unknown']}
        required={!isBodyKnown}
        value={given.body}
        onValue={(body) => onGiven({ body })}
      />
      <TextArea
        label="Headers that your receiver got (optional)"
        hint="One per line, such as webhook-id: wd_…"
        value={given.headers}
        onValue={(headers) => onGiven({ headers })}
      />
      <TextField
        label="Signature that your receiver computes (optional)"
        autoComplete="off"
        spellcheck={false}
        value={given.computed}
        onValue={(computed) => onGiven({ computed })}
      />
    </>
  );
}

function Findings({ findings }: { readonly findings: readonly SignatureFinding[] }) {
  return (
    <div role="status">
      {findings.map(({ cause, isFine, text }) => (
        <p key={cause}>
          <Badge tone={isFine ? 'good' : 'bad'}>{isFine ? 'right' : 'wrong'}</Badge> {text}
        </p>
      ))}
    </div>
  );
}

interface GivenTexts {
  readonly secret: string;
  readonly body: string;
  readonly headers: string;
  readonly computed: string;
}

/** Without headers, checks those of the record, whose time has passed. */
function caseOf({ secret, body, headers, computed }: GivenTexts, sent: KnownRequest) {
  const isRecord = headers.trim() === '';
  return {
    ...{ secret, computed },
    ...(sent.body !== null && { sent: { body: sent.body, headers: sent.headers } }),
    body: body === '' ? (sent.body ?? '') : body,
    headers: isRecord ? sent.headers : parseHeaderLines(headers.split('\n')),
    nowMs: Date.now(),
    toleranceSeconds: isRecord ? undefined : TOLERANCE_SECONDS,
  };
}
