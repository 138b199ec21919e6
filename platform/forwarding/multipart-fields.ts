import { Transform } from 'node:stream';
import { chatappWordField, neutralChatappWord } from '../client/chatapp-word.ts';
import { readPartHeaders, shortenedHeaders } from './multipart-headers.ts';
import { judgeParameter, plainName } from '../ownership/parameters.ts';
import { referenceNames } from '../ownership/reference-paths.ts';

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
/** A field's name, a file's name of 1,024 characters and a type. */
const MAX_HEADER_BYTES = 6 * 1024;
const MAX_PARTS = 100;
/** Behind the last boundary: two hyphens, and line breaks. A part there would be one to a lenient reader. */
const END = /^--[\r\n]*$/;
const MAX_END_BYTES = 10;

export function watchFieldNames(watching: FieldWatching): Transform {
  const { boundary, refusalOf, chatappWord } = watching;
  const delimiter = Buffer.from(`--${boundary}`);
  const neutralText = Buffer.from(`${neutralChatappWord}${CRLF}--${boundary}`);
  // The first boundary may stand without a line break before it.
  let pending = Buffer.from(CRLF);
  let unsent = CRLF.length;
  let isInHeaders = false;
  /** Bytes of the headers that hold no end of them: what comes byte by byte is not searched again each time. */
  let searchedBytes = 0;
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
    // Some readers look for parts in what precedes the first boundary. No client writes more there than a line break.
    if (partCount === 0 && (at < 0 ? pending.length - delimiter.length : at) > 2 * CRLF.length) return malformed();
    if (at < 0) {
      pass(Math.max(0, pending.length - delimiter.length - CRLF.length));
      return undefined;
    }
    // A lenient reader might see a part here that this one takes for content.
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

  /** Decides as soon as the text can be told from the neutral word; of any other, not a byte is touched. */
  function readWord(end: number, headers: string): FormProblem | 'read' | undefined {
    const text = pending.subarray(end + HEADERS_END.length);
    const seen = text.subarray(0, neutralText.length);
    if (seen.equals(neutralText)) return writeWord(end, headers);
    if (neutralText.indexOf(seen) === 0 && seen.length < neutralText.length) {
      // The end of the headers must be found again.
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
    // The last line break stays: the next boundary may follow at once.
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
    text:
      'The multipart body is not well-formed. A part begins with Content-Disposition: form-data; name="…", and a file ' +
      'with filename="…" behind it: quoted, without backslashes, and in lines that end with CRLF.',
  };
}
