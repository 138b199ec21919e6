import { isUtf8 } from 'node:buffer';

/**
 * The headers of a multipart part. Parsers differ in quotes, escapes, folded lines, repeated headers and encoded
 * parameters, so a part that any parser could read under another name is refused. The accepted form is what browsers,
 * undici, curl, Go and Python's requests write.
 */
export interface PartHeaders {
  readonly name: string;
  /** In Latin-1: one character per byte. */
  readonly text: string;
}

/** Without percent signs, which some parsers decode in names. */
const NAME = String.raw`[\w.[\]-]{1,256}`;
/** Without semicolons: some parsers split there even within quotes. */
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

/** Parses the block between a boundary and the blank line. Returns undefined unless it has the strict form. */
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

/** Removes the length, because a parser that trusts it could see other parts. Blanks keep the total size. */
function withoutLength(text: string): string {
  const shorter = text.replace(LENGTH_LINE, '');
  return shortenedHeaders(shorter, shorter.length - text.length) ?? text;
}

/** An optional blank after the colon of a header or the semicolon of its parameters. */
const OPTIONAL_BLANK = /(?<=[:;]) /;

/**
 * Shortens the headers by a number of bytes by removing optional blanks, or lengthens them if the number is negative.
 * Returns undefined if there are too few blanks.
 */
export function shortenedHeaders(headers: string, bytes: number): string | undefined {
  if (bytes <= 0) return headers.replace(':', `:${' '.repeat(-bytes)}`);
  const shorter = headers.replace(OPTIONAL_BLANK, '');
  return shorter.length === headers.length ? undefined : shortenedHeaders(shorter, bytes - 1);
}
