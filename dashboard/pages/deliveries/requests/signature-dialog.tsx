import { useState } from 'preact/hooks';
import { explainSignature } from '../../../../contract/deliveries/explain-signature.ts';
import { parseHeaderLines } from '../../../../contract/deliveries/signature.ts';
import type { SentSignature, SignatureFinding } from '../../../../contract/deliveries/signature-case.ts';
import { Badge } from '../../../kit/badge.tsx';
import { useAction } from '../../../kit/calls/use-action.ts';
import { Dialog } from '../../../kit/dialogs/dialog.tsx';
import { TextField } from '../../../kit/forms/field.tsx';
import { Form } from '../../../kit/forms/form.tsx';
import { TextArea } from '../../../kit/forms/text-area.tsx';
import { browserHmac } from './browser-hmac.ts';

/** The tolerance of the Standard Webhooks libraries. */
const TOLERANCE_SECONDS = 300;

interface SignatureDialogProps {
  readonly sent: SentSignature;
  readonly onClose: () => void;
}

/** Explains why a receiver's own check fails. Everything stays in the browser. */
export function SignatureDialog({ sent, onClose }: SignatureDialogProps) {
  const [given, setGiven] = useState({ secret: '', body: '', headers: '', computed: '' });
  const [findings, setFindings] = useState<readonly SignatureFinding[]>([]);
  const check = useAction(async () => {
    setFindings(await explainSignature(caseOf(given, sent), browserHmac));
  });
  return (
    <Dialog title="Why does the signature not match?" onClose={onClose}>
      <Form action={check} submit="Check" onCancel={onClose} cancel="Close">
        <p class="prose">Your browser does the check. What you enter is not sent and not stored.</p>
        <SignatureFields given={given} onGiven={(change) => setGiven((before) => ({ ...before, ...change }))} />
        <Findings findings={findings} />
      </Form>
    </Dialog>
  );
}

interface SignatureFieldsProps {
  readonly given: GivenTexts;
  readonly onGiven: (change: Partial<GivenTexts>) => void;
}

function SignatureFields({ given, onGiven }: SignatureFieldsProps) {
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
        label="Body that your receiver verifies (optional)"
        hint="As your code passes it to the check. Leave it empty if it is the payload as it was sent."
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
function caseOf({ secret, body, headers, computed }: GivenTexts, sent: SentSignature) {
  const isRecord = headers.trim() === '';
  return {
    ...{ secret, computed, sent },
    body: body === '' ? sent.body : body,
    headers: isRecord ? sent.headers : parseHeaderLines(headers.split('\n')),
    nowMs: Date.now(),
    toleranceSeconds: isRecord ? undefined : TOLERANCE_SECONDS,
  };
}
