import { useState } from 'preact/hooks';
import { explainSignature } from '../../../contract/deliveries/explain-signature.ts';
import type {
  HmacKey,
  SentSignature,
  SignatureFinding,
  TextHmac,
} from '../../../contract/deliveries/signature-case.ts';
import { parseHeaderLines } from '../../../contract/deliveries/signature.ts';
import { useLoad } from '../../kit/calls.ts';
import { Dialog } from '../../kit/dialogs.tsx';
import { Form, TextArea, TextField, useFields } from '../../kit/forms.tsx';
import { Badge, WhenLoaded } from '../../kit/parts.tsx';
import { hexOf } from './sent-request.ts';

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
  const load = async () => ({ body: await loadBody() });
  const loaded = useLoad(['sent-body', headers], load, { isOnce: true });
  return (
    <Dialog title="Why does the signature not match?" onClose={onClose}>
      <WhenLoaded of={loaded}>{({ body }) => <SignatureForm sent={{ body, headers }} onClose={onClose} />}</WhenLoaded>
    </Dialog>
  );
}

interface KnownRequest {
  readonly body: string | null;
  readonly headers: Headers;
}

function SignatureForm({ sent, onClose }: { readonly sent: KnownRequest; readonly onClose: () => void }) {
  const isBodyKnown = sent.body !== null;
  const { fields: given, bind } = useFields({ secret: '', body: '', headers: '', computed: '' });
  const [findings, setFindings] = useState<readonly SignatureFinding[]>([]);
  const check = async () => setFindings(await explainSignature(caseOf(given, sent), browserHmac));
  return (
    <Form isLocal act={check} submit="Check" onCancel={onClose} cancel="Close">
      <p class="prose">Your browser does the check. What you enter is not sent and not stored.</p>
      <TextField
        label="Secret that your receiver uses"
        type="password"
        required
        isFirst
        autoComplete="off"
        {...bind('secret')}
      />
      <TextArea {...bodyField[isBodyKnown ? 'known' : 'unknown']} required={!isBodyKnown} {...bind('body')} />
      <TextArea
        label="Headers that your receiver got (optional)"
        hint="One per line, such as webhook-id: wd_…"
        {...bind('headers')}
      />
      <TextField
        label="Signature that your receiver computes (optional)"
        autoComplete="off"
        spellcheck={false}
        {...bind('computed')}
      />
      <Findings findings={findings} />
    </Form>
  );
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
    secret,
    computed,
    ...(sent.body !== null && { sent: { body: sent.body, headers: sent.headers } }),
    body: body === '' ? (sent.body ?? '') : body,
    headers: isRecord ? sent.headers : parseHeaderLines(headers.split('\n')),
    nowMs: Date.now(),
    toleranceSeconds: isRecord ? undefined : TOLERANCE_SECONDS,
  };
}

/** HMAC-SHA256 in the browser. Nothing leaves the page. */
const browserHmac: TextHmac = async (key, text) => {
  if (!isSecureContext) throw new Error('The browser computes signatures only on pages with https.');
  const bytes = bytesOf(key);
  if (bytes === null || bytes.length === 0) return null;
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const imported = await crypto.subtle.importKey('raw', bytes, algorithm, false, ['sign']);
  const digest = new Uint8Array(await crypto.subtle.sign('HMAC', imported, new TextEncoder().encode(text)));
  return {
    hex: hexOf(digest),
    base64: btoa(String.fromCharCode(...digest)),
  };
};

function bytesOf(key: HmacKey): Uint8Array<ArrayBuffer> | null {
  if ('text' in key) return new TextEncoder().encode(key.text);
  try {
    return Uint8Array.from(atob(key.base64), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}
