import { Transform } from 'node:stream';
import { judgeParameter, plainName, referenceNames } from './ownership-parameters.ts';

/** Why a form is not passed on; the error that its sender gets is made of it. */
export interface FormProblem {
  readonly because: 'credential' | 'field' | 'malformed';
  readonly text: string;
}

/**
 * Passes a multipart body on byte by byte and reads the names of its fields on the way. A field that may not be sent
 * breaks the body off before it is complete, so that the platform does nothing with the rest: what a file upload says
 * besides its file is a text or two, and needs no object of another sort.
 */
const CRLF = '\r\n';
const HEADERS_END = Buffer.from('\r\n\r\n');
const MAX_HEADER_BYTES = 16 * 1024;
const MAX_PARTS = 100;
/** Behind the last boundary: two hyphens, and line breaks. A part there would be one to a lenient reader. */
const END = /^--[\r\n]{0,8}$/;
const NAMES = /(?<![\w-])name(\*?)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]*))/gi;

export function watchFieldNames(boundary: string, refusalOf: (problem: FormProblem) => Error): Transform {
  const delimiter = Buffer.from(`--${boundary}`);
  // The first boundary may stand without a line break before it.
  let pending = Buffer.from(CRLF);
  let isInHeaders = false;
  let partCount = 0;

  /** Reads as far as it can; what may be the beginning of something waits for more. */
  function scan(): FormProblem | undefined {
    for (;;) {
      const problem = isInHeaders ? readHeaders() : findBoundary();
      if (problem !== 'read') return problem;
    }
  }

  function findBoundary(): FormProblem | 'read' | undefined {
    const at = pending.indexOf(delimiter);
    if (at < 0) {
      pending = Buffer.from(pending.subarray(Math.max(0, pending.length - delimiter.length - CRLF.length)));
      return undefined;
    }
    // A lenient reader might see a part here that this one takes for content.
    if (!pending.subarray(0, at).toString('latin1').endsWith(CRLF) || ++partCount > MAX_PARTS) return malformed();
    pending = pending.subarray(at + delimiter.length);
    isInHeaders = true;
    return 'read';
  }

  function readHeaders(): FormProblem | 'read' | undefined {
    if (isClosing()) return END.test(pending.toString('latin1')) ? undefined : malformed();
    const end = pending.indexOf(HEADERS_END);
    if (end < 0) return pending.length > MAX_HEADER_BYTES ? malformed() : undefined;
    const problem = problemOf(pending.toString('utf8', 0, end));
    if (problem) return problem;
    // The last line break stays: the next boundary may follow at once.
    pending = pending.subarray(end + CRLF.length);
    isInHeaders = false;
    return 'read';
  }

  function isClosing(): boolean {
    return pending.toString('latin1', 0, 2) === '--';
  }

  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      pending = Buffer.concat([pending, chunk]);
      const problem = scan();
      if (problem) done(refusalOf(problem));
      else done(null, chunk);
    },
    flush(done) {
      done(isInHeaders && END.test(pending.toString('latin1')) ? null : refusalOf(malformed()));
    },
  });
}

function problemOf(headers: string): FormProblem | undefined {
  const names = [...headers.matchAll(NAMES)];
  const [first] = names;
  const name = first?.[2] ?? first?.[3];
  if (names.length !== 1 || name === undefined || first?.[1] === '*') return malformed();
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
