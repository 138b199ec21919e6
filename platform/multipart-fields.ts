import { Transform } from 'node:stream';
import { chatappWordField, neutralChatappWord } from './chatapp-word.ts';
import { shortenedHeaders } from './multipart-headers.ts';
import { judgeParameter, plainName } from './ownership-parameters.ts';
import { referenceNames } from './reference-paths.ts';

/** Why a form is not passed on; the error that its sender gets is made of it. */
export interface FormProblem {
  readonly because: 'credential' | 'field' | 'malformed';
  readonly text: string;
}

export interface FieldWatching {
  readonly boundary: string;
  readonly refusalOf: (problem: FormProblem) => Error;
  /** The platform's word for the product, which takes the place of the neutral one. */
  readonly chatappWord?: string | undefined;
  /** Whether the body's length has been told to the platform, so that it must come out as long as it went in. */
  readonly keepsLength?: boolean;
}

/**
 * Passes a multipart body on as it comes and reads the names of its fields on the way. A field that may not be sent
 * breaks the body off before it is complete, so that the platform does nothing with the rest: what a file upload says
 * besides its file is a text or two, and needs no object of another sort. The one text that is written anew is the
 * neutral word for the product. It may come after a file that nobody can hold back, when the length has long been told:
 * what the platform's word is longer by, the headers of that same part give up in blanks that mean nothing.
 */
const CRLF = '\r\n';
const HEADERS_END = Buffer.from('\r\n\r\n');
const MAX_HEADER_BYTES = 16 * 1024;
const MAX_PARTS = 100;
/** Behind the last boundary: two hyphens, and line breaks. A part there would be one to a lenient reader. */
const END = /^--[\r\n]{0,8}$/;
const NAMES = /(?<![\w-])name(\*?)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]*))/gi;

export function watchFieldNames(watching: FieldWatching): Transform {
  const { boundary, refusalOf, chatappWord } = watching;
  const delimiter = Buffer.from(`--${boundary}`);
  const neutralText = Buffer.from(`${neutralChatappWord}${CRLF}--${boundary}`);
  // The first boundary may stand without a line break before it.
  let pending = Buffer.from(CRLF);
  let unsent = CRLF.length;
  let isInHeaders = false;
  let partCount = 0;

  /** Reads as far as it can; what may be the beginning of something waits for more. */
  function scan(): FormProblem | undefined {
    for (;;) {
      const problem = isInHeaders ? readHeaders() : findBoundary();
      if (problem !== 'read') return problem;
    }
  }

  /** Passes what has been read on, without the line break that was put in front. */
  function pass(length: number): void {
    const own = Math.min(unsent, length);
    unsent -= own;
    if (length > own) stream.push(pending.subarray(own, length));
    pending = pending.subarray(length);
  }

  function findBoundary(): FormProblem | 'read' | undefined {
    const at = pending.indexOf(delimiter);
    if (at < 0) {
      pass(Math.max(0, pending.length - delimiter.length - CRLF.length));
      return undefined;
    }
    // A lenient reader might see a part here that this one takes for content.
    if (!pending.subarray(0, at).toString('latin1').endsWith(CRLF) || ++partCount > MAX_PARTS) return malformed();
    pass(at + delimiter.length);
    isInHeaders = true;
    return 'read';
  }

  function readHeaders(): FormProblem | 'read' | undefined {
    if (isClosing()) return END.test(pending.toString('latin1')) ? undefined : malformed();
    const end = pending.indexOf(HEADERS_END);
    if (end < 0) return pending.length > MAX_HEADER_BYTES ? malformed() : undefined;
    const headers = pending.toString('utf8', 0, end);
    const problem = problemOf(headers);
    if (problem) return problem;
    if (chatappWord !== undefined && nameOf(headers) === chatappWordField) return readWord(end, chatappWord);
    endHeaders(end);
    return 'read';
  }

  /** Decides as soon as the text can be told from the neutral word; of any other, not a byte is touched. */
  function readWord(end: number, word: string): FormProblem | 'read' | undefined {
    const text = pending.subarray(end + HEADERS_END.length);
    const seen = text.subarray(0, neutralText.length);
    if (seen.equals(neutralText)) return writeWord(end, word);
    if (neutralText.indexOf(seen) === 0 && seen.length < neutralText.length) return undefined;
    endHeaders(end);
    return 'read';
  }

  function writeWord(end: number, word: string): FormProblem | 'read' {
    const surplus = watching.keepsLength === true ? word.length - neutralChatappWord.length : 0;
    const headers = shortenedHeaders(pending.toString('latin1', 0, end), surplus);
    if (headers === undefined) return { because: 'field', text: `The field ${chatappWordField} must say ${word}.` };
    stream.push(Buffer.concat([Buffer.from(headers, 'latin1'), HEADERS_END, Buffer.from(word)]));
    pending = pending.subarray(end + HEADERS_END.length + neutralChatappWord.length);
    isInHeaders = false;
    return 'read';
  }

  function endHeaders(end: number): void {
    // The last line break stays: the next boundary may follow at once.
    pass(end + CRLF.length);
    isInHeaders = false;
  }

  function isClosing(): boolean {
    return pending.toString('latin1', 0, 2) === '--';
  }

  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      pending = Buffer.concat([pending, chunk]);
      const problem = scan();
      done(problem ? refusalOf(problem) : null);
    },
    flush(done) {
      if (!isInHeaders || !END.test(pending.toString('latin1'))) return done(refusalOf(malformed()));
      pass(pending.length);
      done(null);
    },
  });
  return stream;
}

/** The name as it is written; undefined where readers might differ in it. */
function nameOf(headers: string): string | undefined {
  const names = [...headers.matchAll(NAMES)];
  const [first] = names;
  const name = first?.[2] ?? first?.[3];
  return names.length !== 1 || first?.[1] === '*' ? undefined : name;
}

function problemOf(headers: string): FormProblem | undefined {
  const name = nameOf(headers);
  if (name === undefined) return malformed();
  const verdict = judgeParameter(name);
  if (verdict === 'credential') {
    return {
      because: 'credential',
      text: 'A token is taken from the Authorization header only, never from a field.',
    };
  }
  const plain = plainName(name);
  if (verdict === 'refused' || plain === 'fields' || referenceNames.has(plain)) {
    return { because: 'field', text: `The field ${plain} is not taken with a file.` };
  }
  return undefined;
}

function malformed(): FormProblem {
  return {
    because: 'malformed',
    text: 'The multipart body is not well-formed: each part has one name, in few headers.',
  };
}
