import test from 'ava';
import fc from 'fast-check';
import { scanJson } from '../../contract/envelope/json-tape.ts';
import { watchFieldNames } from '../../platform/forwarding/multipart-fields.ts';
import { fieldsProblem } from '../../platform/ownership/fields.ts';
import { classifyParameter } from '../../platform/ownership/parameters.ts';
import { readFormParameters, readJsonParameters } from '../../platform/ownership/references.ts';
import { replaceWordInForm } from '../../platform/forwarding/product-naming.ts';
import { rewriteAnswer } from '../../platform/forwarding/rewrite-answer.ts';
import { leastCpuMs } from './cpu-time.ts';

const LIMIT_MS = 50;

/** Tokens that parameter parsers search for. Repetitions of them can cause backtracking. */
const marks = [
  ...['a', 'id', 'name', 'fields', 'from', 'token', 'access_token', 'limit', 'as', 'message', 'children', 'template'],
  ...[' ', '\t', '\u00a0', '\r', '\n', '\r\n', '\0', '.', ',', ';', ':', '=', '&', '%', '%5B', '%00', '+', '-', '_'],
  ...['[', ']', '{', '}', '(', ')', '"', "'", '\\', '\\"', '\\u005f', '<', '>', 'é', '\ud83d\ude00', '[0]', '{"', '":'],
  ...[
    '.limit(',
    '.as (',
    'comments{',
    'name="',
    '; name="',
    '\r\n--XX',
    '--XX\r\n',
    '\r\n\r\n',
    '1',
    '9',
    '"a":',
    '[[',
  ],
] as const;

const phrase = (maxLength: number) => fc.array(fc.constantFrom(...marks), { maxLength }).map((parts) => parts.join(''));

/** A repeated phrase between two others: the shape in which backtracking multiplies. */
const shape = fc.record({
  before: phrase(3),
  pump: phrase(4).filter((pump) => pump !== ''),
  after: phrase(3),
  length: fc.constantFrom(10_000, 100_000),
});

function multipartRead(chunks: readonly string[]): void {
  const stream = watchFieldNames({
    boundary: 'XX',
    chatappWord: 'other',
    keepsLength: true,
    refusalOf: (problem) => new Error(problem.text),
  });
  stream.on('error', () => undefined);
  for (const chunk of chunks) {
    stream.write(chunk);
    // A full stream would leave the rest of the work for later.
    stream.read();
  }
  stream.end();
}

function jsonRead(json: string): void {
  const scanned = scanJson(Buffer.from(json));
  if (!('faultAtByte' in scanned)) readJsonParameters(scanned);
}

function answerRead(answer: string): void {
  rewriteAnswer(Buffer.from(answer), {
    secrets: ['a'.repeat(40)],
    hosts: new Set(['x.example']),
    gatewayUrl: 'https://g.example',
    version: 'v1.0',
    addressFields: ['url'],
    sealAddress: (url: string) => url,
  });
}

const disposition = 'Content-Disposition: form-data; name="';
const readers: Readonly<Record<string, (text: string) => void>> = {
  'a name': (name) => void classifyParameter(name),
  'a list of fields': (fields) => void fieldsProblem(fields),
  'a form': (form) => {
    readFormParameters(form);
    replaceWordInForm(Buffer.from(form), 'other');
  },
  'a name in a form': (name) => void readFormParameters(`${encodeURIComponent(name.toWellFormed())}=1`),
  'a value of a form': (value) => void readFormParameters(`children=${encodeURIComponent(value.toWellFormed())}`),
  'fields in a form': (value) => void readFormParameters(`fields=${encodeURIComponent(value.toWellFormed())}`),
  'a JSON body': jsonRead,
  'a name in JSON': (name) => jsonRead(JSON.stringify({ [name]: '1' })),
  'a value in JSON': (value) => jsonRead(JSON.stringify({ template: value, message: `{${value}`, children: [value] })),
  'JSON within JSON': (value) => jsonRead(JSON.stringify({ template: JSON.stringify({ components: value }) })),
  'a multipart body': (body) => multipartRead([`--XX\r\n${disposition}a"\r\n\r\n${body}\r\n--XX--\r\n`]),
  'headers of a part': (headers) => multipartRead([`--XX\r\n${headers}\r\n\r\nx\r\n--XX--\r\n`]),
  'the name of a part': (name) => multipartRead([`--XX\r\n${disposition}${name}"\r\n\r\nx\r\n--XX--\r\n`]),
  'a multipart body in pieces': (body) => multipartRead(['--XX\r\n', ...(body.match(/[^]{1,9}/g) ?? [])]),
  'an answer': answerRead,
  'an address in an answer': (path) => answerRead(JSON.stringify({ next: `https://x.example/?${path}` })),
};

for (const [what, read] of Object.entries(readers)) {
  test(`${what} of up to 100 KB costs less than 50 ms`, (t) => {
    fc.assert(
      fc.property(shape, ({ before, pump, after, length }) => {
        const text = before + pump.repeat(Math.ceil(length / pump.length)) + after;
        const cpuMs = leastCpuMs(() => read(text), { enoughMs: LIMIT_MS });
        if (cpuMs >= LIMIT_MS) throw new Error(`${Math.round(cpuMs)} ms`);
      }),
      { numRuns: 60 },
    );
    t.pass();
  });
}

const many = <Each>(count: number, each: (index: number) => Each) => Array.from({ length: count }, (_, at) => each(at));

const crowds: Readonly<Record<string, () => void>> = {
  'blanks before a brace': () => void fieldsProblem(`id${' '.repeat(100_000)}{`),
  'one word without an end': () => void fieldsProblem('a'.repeat(100_000)),
  'open brackets before a closed one': () => void classifyParameter(`${'['.repeat(100_000)}]`),
  'parameters of a form': () => void readFormParameters(many(20_000, (at) => `a${at}=1`).join('&')),
  'members of a JSON object': () => jsonRead(`{${many(12_000, (at) => `"a${at}":1`).join(',')}}`),
  'ids in a list': () => jsonRead(JSON.stringify({ children: many(15_000, String) })),
  'ids in a text': () => jsonRead(JSON.stringify({ children: many(15_000, String).join(',') })),
  'lists within lists': () => jsonRead(`{"children":${'['.repeat(50_000)}${']'.repeat(50_000)}}`),
  'components of a template': () =>
    jsonRead(
      JSON.stringify({ template: { components: many(1_500, () => ({ parameters: [{ image: { id: '1' } }] })) } }),
    ),
  'parts of a multipart body': () =>
    multipartRead(many(1_500, (at) => `--XX\r\n${disposition}a${at}"\r\n\r\nx\r\n`).concat('--XX--\r\n')),
  'headers that come byte by byte': () => multipartRead([...`--XX\r\n${disposition}${'a'.repeat(20_000)}`]),
  'addresses of an answer': () => answerRead(`{${many(6_000, () => '"url":"https://"').join(',')}}`),
  'credentials in an address': () =>
    answerRead(
      JSON.stringify({ next: `https://x.example/?${many(4_000, (at) => `access_token[${at}]=1`).join('&')}` }),
    ),
};

for (const [what, read] of Object.entries(crowds)) {
  test(`${what}: 100 KB cost less than 50 ms`, (t) => {
    const cpuMs = leastCpuMs(read, { enoughMs: LIMIT_MS });
    t.true(cpuMs < LIMIT_MS, `${Math.round(cpuMs)} ms`);
  });
}

test('many ids in one text are collected without filling the stack', (t) => {
  const scanned = scanJson(Buffer.from(JSON.stringify({ children: ','.repeat(500_000) })));
  t.true(!('faultAtByte' in scanned) && readJsonParameters(scanned).ok);
});
