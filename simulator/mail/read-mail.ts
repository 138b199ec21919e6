interface ReadMail {
  readonly subject: string;
  readonly text: string;
  /** Null for an email without HTML. */
  readonly html: string | null;
}

export function readMail(raw: Buffer): ReadMail {
  const mail = split(raw.toString('latin1'));
  const html = partOf(mail, 'text/html');
  const text = partOf(mail, 'text/plain') ?? (html ? undefined : mail);
  return {
    subject: decodeWords(mail.headers.get('subject') ?? ''),
    text: text ? decoded(text) : '',
    html: html ? decoded(html) : null,
  };
}

interface Part {
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

function split(part: string): Part {
  const end = /\r?\n\r?\n/.exec(part);
  const head = end ? part.slice(0, end.index) : part;
  const body = end ? part.slice(end.index + end[0].length) : '';
  const headers = new Map<string, string>();
  for (const line of head.replace(/\r?\n[ \t]+/g, ' ').split(/\r?\n/)) {
    const colon = line.indexOf(':');
    if (colon > 0) headers.set(line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim());
  }
  return { headers, body };
}

const MAX_DEPTH = 4;

/** Finds the first part of a type, also in nested alternatives. */
function partOf(mail: Part, type: string, depth = 0): Part | undefined {
  const own = (mail.headers.get('content-type') ?? 'text/plain').toLowerCase();
  if (own.startsWith(type)) return mail;
  const boundary = /\bboundary="?([^";]+)"?/i.exec(mail.headers.get('content-type') ?? '')?.[1];
  if (boundary === undefined || !own.startsWith('multipart/') || depth === MAX_DEPTH) return undefined;
  for (const part of mail.body.split(`--${boundary}`).slice(1, -1)) {
    const found = partOf(split(part.replace(/^\r?\n/, '')), type, depth + 1);
    if (found) return found;
  }
  return undefined;
}

function decoded({ headers, body }: Part): string {
  return decodeBody(body, headers.get('content-transfer-encoding') ?? '')
    .replaceAll('\r\n', '\n')
    .trimEnd();
}

function decodeBody(body: string, encoding: string): string {
  switch (encoding.toLowerCase()) {
    case 'base64':
      return Buffer.from(body, 'base64').toString('utf8');
    case 'quoted-printable':
      return decodeQuoted(body.replace(/=[ \t]*\r?\n/g, ''));
  }
  return Buffer.from(body, 'latin1').toString('utf8');
}

/** Decodes RFC 2047 words. The space between two words is dropped. */
function decodeWords(header: string): string {
  return header
    .replace(/(\?=)\s+(=\?)/g, '$1$2')
    .replace(/=\?utf-8\?([QB])\?([^?]*)\?=/gi, (_, kind: string, word: string) =>
      kind.toUpperCase() === 'B'
        ? Buffer.from(word, 'base64').toString('utf8')
        : decodeQuoted(word.replaceAll('_', ' ')),
    );
}

function decodeQuoted(text: string): string {
  const bytes = text.replace(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
