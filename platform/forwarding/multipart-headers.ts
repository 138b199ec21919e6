import { isUtf8 } from 'node:buffer';

/**
 * Parsers differ in quotes, escapes, folded lines, repeated headers and encoded parameters. A part that any of them
 * could read under another name is refused. Browsers, undici, curl, Go and Python's requests write the accepted form.
 */
export interface PartHeaders {
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
export function readPartHeaders(block: Buffer): PartHeaders | undefined {
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
export function shortenedHeaders(headers: string, bytes: number): string | undefined {
  if (bytes <= 0) return headers.replace(':', `:${' '.repeat(-bytes)}`);
  const shorter = headers.replace(OPTIONAL_BLANK, '');
  return shorter.length === headers.length ? undefined : shortenedHeaders(shorter, bytes - 1);
}
