import { Transform } from 'node:stream';
import { chatappWordField, neutralChatappWord } from '../client/chatapp-word.ts';
import { classifyParameter, plainName } from '../ownership/parameters.ts';
import { referenceNames } from '../ownership/reference-paths.ts';
import { isUtf8 } from 'node:buffer';

export interface FormProblem {
  readonly because: 'credential' | 'field' | 'malformed';
  readonly text: string;
}

export interface FieldWatching {
  readonly boundary: string;
  readonly refusalOf: (problem: FormProblem) => Error;
  readonly chatappWord?: string | undefined;
  /** Optional. True if the platform already knows the body's length, which then must not change. */
  readonly keepsLength?: boolean;
}

const CRLF = '\r\n';
const HEADERS_END = Buffer.from('\r\n\r\n');
/** Fits a field name, a file name of 1,024 characters and a type. */
const MAX_HEADER_BYTES = 6 * 1024;
const MAX_PARTS = 100;
/** Two hyphens and line breaks. A lenient parser could read more as a part. */
const END = /^--[\r\n]*$/;
const MAX_END_BYTES = 10;

/**
 * Streams a multipart body and checks its field names. A forbidden field ends the stream before the body is complete,
 * so that the platform ignores the request. Only the neutral product word is replaced. If the length must not change,
 * optional blanks in the part's headers compensate.
 */
export function watchFieldNames(watching: FieldWatching): Transform {
  const { boundary, refusalOf, chatappWord } = watching;
  const delimiter = Buffer.from(`--${boundary}`);
  const neutralText = Buffer.from(`${neutralChatappWord}${CRLF}--${boundary}`);
  // The first boundary may lack the preceding line break.
  let pending = Buffer.from(CRLF);
  let unsent = CRLF.length;
  let isInHeaders = false;
  let searchedBytes = 0;
  let partCount = 0;

  function scan(): FormProblem | undefined {
    for (;;) {
      const problem = isInHeaders ? readHeaders() : findBoundary();
      if (problem !== 'read') return problem;
    }
  }

  /** Omits the line break inserted at the start. */
  function pass(length: number): void {
    const own = Math.min(unsent, length);
    unsent -= own;
    if (length > own) stream.push(pending.subarray(own, length));
    pending = pending.subarray(length);
  }

  function findBoundary(): FormProblem | 'read' | undefined {
    const at = pending.indexOf(delimiter);
    // Some parsers look for parts here, where clients send at most a line break.
    if (partCount === 0 && (at < 0 ? pending.length - delimiter.length : at) > 2 * CRLF.length) return malformed();
    if (at < 0) {
      pass(Math.max(0, pending.length - delimiter.length - CRLF.length));
      return undefined;
    }
    // A lenient parser could see a part here.
    const isAtLineStart = at >= CRLF.length && pending.toString('latin1', at - CRLF.length, at) === CRLF;
    if (!isAtLineStart || ++partCount > MAX_PARTS) return malformed();
    pass(at + delimiter.length);
    isInHeaders = true;
    searchedBytes = 0;
    return 'read';
  }

  function readHeaders(): FormProblem | 'read' | undefined {
    if (isClosing()) return isEnd() ? undefined : malformed();
    const end = pending.indexOf(HEADERS_END, Math.max(0, searchedBytes - HEADERS_END.length));
    searchedBytes = pending.length;
    if (end > MAX_HEADER_BYTES || (end < 0 && pending.length > MAX_HEADER_BYTES)) return malformed();
    if (end < 0) return undefined;
    const headers = readPartHeaders(pending.subarray(0, end));
    if (!headers) return malformed();
    const problem = problemOf(headers.name);
    if (problem) return problem;
    if (chatappWord !== undefined && headers.name === chatappWordField) return readWord(end, headers.text);
    endHeaders(end, headers.text);
    return 'read';
  }

  function readWord(end: number, headers: string): FormProblem | 'read' | undefined {
    const text = pending.subarray(end + HEADERS_END.length);
    const seen = text.subarray(0, neutralText.length);
    if (seen.equals(neutralText)) return writeWord(end, headers);
    if (neutralText.indexOf(seen) === 0 && seen.length < neutralText.length) {
      // The next chunk must search for the end of the headers again.
      searchedBytes = 0;
      return undefined;
    }
    endHeaders(end, headers);
    return 'read';
  }

  function writeWord(end: number, headers: string): FormProblem | 'read' {
    const word = chatappWord ?? neutralChatappWord;
    const surplus = watching.keepsLength === true ? word.length - neutralChatappWord.length : 0;
    const shorter = shortenedHeaders(headers, surplus);
    if (shorter === undefined) return { because: 'field', text: `The field ${chatappWordField} must say ${word}.` };
    stream.push(Buffer.concat([Buffer.from(shorter, 'latin1'), HEADERS_END, Buffer.from(word)]));
    pending = pending.subarray(end + HEADERS_END.length + neutralChatappWord.length);
    isInHeaders = false;
    return 'read';
  }

  function endHeaders(end: number, headers: string): void {
    stream.push(Buffer.from(headers, 'latin1'));
    pending = pending.subarray(end);
    // A boundary may follow immediately, so the last line break stays pending.
    pass(CRLF.length);
    isInHeaders = false;
  }

  function isClosing(): boolean {
    return pending.toString('latin1', 0, 2) === '--';
  }

  function isEnd(): boolean {
    return pending.length <= MAX_END_BYTES && END.test(pending.toString('latin1'));
  }

  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      pending = Buffer.concat([pending, chunk]);
      const problem = scan();
      done(problem ? refusalOf(problem) : null);
    },
    flush(done) {
      if (!isInHeaders || !isEnd()) return done(refusalOf(malformed()));
      pass(pending.length);
      done(null);
    },
  });
  return stream;
}

function problemOf(name: string): FormProblem | undefined {
  const verdict = classifyParameter(name);
  if (verdict === 'credential') {
    return {
      because: 'credential',
      text: 'Tokens are not accepted in form fields. Send the token in the Authorization header.',
    };
  }
  const plain = plainName(name);
  if (verdict === 'refused' || plain === 'fields' || referenceNames.has(plain)) {
    return { because: 'field', text: `The field ${plain} is not allowed in a file upload. Remove it.` };
  }
  return undefined;
}

function malformed(): FormProblem {
  return {
    because: 'malformed',
    text:
      'The multipart body is not well-formed. A part begins with Content-Disposition: form-data; name="…", and a file ' +
      'with filename="…" behind it: quoted, without backslashes, and in lines that end with CRLF.',
  };
}

/**
 * Parsers differ in quotes, escapes, folded lines, repeated headers and encoded parameters. A part that any of them
 * could read under another name is refused. Browsers, undici, curl, Go and Python's requests write the accepted form.
 */
interface PartHeaders {
  readonly name: string;
  readonly text: string;
}

/** No percent signs: some parsers decode them in names. */
const NAME = String.raw`[\w.[\]-]{1,256}`;
/** No semicolons: some parsers split there even within quotes. */
const FILENAME = String.raw`[^"\\;\p{Cc}]{0,1024}`;
const DISPOSITION = new RegExp(`^form-data; ?name="(${NAME})"(?:; ?filename="${FILENAME}")?$`, 'u');
const MEDIA_TYPE =
  /^[\w.+-]{1,127}\/[\w.+-]{1,127}(?:; ?(?:charset|codecs)=(?:[\w.+-]{1,127}|"[\w., +-]{1,127}")){0,2}$/i;

const acceptedHeaders: ReadonlyMap<string, RegExp> = new Map([
  ['content-disposition', DISPOSITION],
  ['content-type', MEDIA_TYPE],
  ['content-transfer-encoding', /^(?:binary|[78]bit)$/i],
  ['content-length', /^\d{1,15}$/],
]);
const HEADER = /^([a-z-]{1,64}): ?(\S.*)$/i;
const LENGTH_LINE = /\r\ncontent-length: ?\d+/i;

/** Returns undefined unless the headers have the strict form. */
function readPartHeaders(block: Buffer): PartHeaders | undefined {
  if (!isUtf8(block)) return undefined;
  const [padding, ...lines] = block.toString().split('\r\n');
  const values = new Map<string, string>();
  for (const line of lines) {
    const [, header = '', value = ''] = HEADER.exec(line) ?? [];
    const key = header.toLowerCase();
    if (values.has(key) || !acceptedHeaders.get(key)?.test(value)) return undefined;
    values.set(key, value);
  }
  const name = DISPOSITION.exec(values.get('content-disposition') ?? '')?.[1];
  if (name === undefined || padding !== '') return undefined;
  return { name, text: withoutLength(block.toString('latin1')) };
}

/** A parser that trusts the length of a part could see other parts. Blanks preserve the total size. */
function withoutLength(text: string): string {
  const shorter = text.replace(LENGTH_LINE, '');
  return shortenedHeaders(shorter, shorter.length - text.length) ?? text;
}

const OPTIONAL_BLANK = /(?<=[:;]) /;

/** Removes this number of optional blanks, or adds blanks if it is negative. Returns undefined with too few blanks. */
function shortenedHeaders(headers: string, bytes: number): string | undefined {
  if (bytes <= 0) return headers.replace(':', `:${' '.repeat(-bytes)}`);
  const shorter = headers.replace(OPTIONAL_BLANK, '');
  return shorter.length === headers.length ? undefined : shortenedHeaders(shorter, bytes - 1);
}
