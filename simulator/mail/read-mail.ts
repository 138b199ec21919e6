export function readMail(raw: Buffer): { subject: string; text: string } {
  const { headers, body } = split(raw.toString('latin1'));
  return { subject: decodeWords(headers.get('subject') ?? ''), text: textOf({ headers, body }) };
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

function textOf({ headers, body }: Part): string {
  const type = headers.get('content-type') ?? 'text/plain';
  const boundary = /^multipart\/.*\bboundary="?([^";]+)"?/i.exec(type)?.[1];
  if (boundary !== undefined) {
    const parts = body
      .split(`--${boundary}`)
      .slice(1, -1)
      .map((part) => split(part.replace(/^\r?\n/, '')));
    const plain = parts.find((part) => /^text\/plain|^multipart\//i.test(part.headers.get('content-type') ?? ''));
    return plain ? textOf(plain) : body;
  }
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
