import { styleText } from 'node:util';
import { safeBlock, safeJson, safeLine } from './safe-text.ts';
import { type Cell, tableLines } from './table.ts';
import type { World, Writer } from './world.ts';

export type Tone = 'good' | 'bad' | 'busy' | 'quiet' | 'strong';
const formats = { good: 'green', bad: 'red', busy: 'yellow', quiet: 'gray', strong: 'bold' } as const;

/** What stands in a table or beside a label; a tone where it means something good or bad. */
export type Shown = string | number | boolean | null | undefined | { readonly text: string; readonly tone: Tone };
export type Field = readonly [label: string, value: Shown];
export interface Column<Item> {
  readonly title: string;
  readonly of: (item: Item) => Shown;
}

/** What the program says: one JSON document on standard output, or text for people. */
export interface Output {
  readonly isJson: boolean;
  /** Places on a line; without end where no terminal is. */
  readonly width: number;
  /** The result of the command: the body of the API as JSON, or these fields for people. */
  record(body: unknown, fields: readonly Field[]): void;
  /** The result in one sentence, or the body as JSON. */
  done(body: unknown, sentence: string): void;
  table<Item>(items: readonly Item[], columns: readonly Column<Item>[]): void;
  json(body: unknown): void;
  /** One line of many, as `follow` and `listen` write them. */
  jsonLine(body: unknown): void;
  /** A line of text on standard output. */
  line(text?: string): void;
  /** Several lines of it. */
  block(text: string): void;
  /** Text that a program reads: to the byte where it is piped, harmless on a terminal. */
  exact(text: string): void;
  /** As it is: bytes that somebody asked for. */
  raw(bytes: Uint8Array | string): void;
  /** Said beside the result, on standard error; nothing with --json. */
  note(text: string): void;
  /** Standard error, with --json too. */
  warn(text: string): void;
  painted(tone: Tone, text: string): string;
}

export function createOutput(world: Pick<World, 'env' | 'stdout' | 'stderr'>, { isJson }: { isJson: boolean }): Output {
  const { stdout, stderr } = world;
  const isColoured = hasColours(world);
  const painted = (tone: Tone, text: string): string =>
    isColoured ? styleText(formats[tone], text, { validateStream: false }) : text;
  const put = (text: string): void => void stdout.write(`${text}\n`);
  const cell = (shown: Shown): Cell => {
    const isToned = typeof shown === 'object' && shown !== null;
    const text = safeLine(isToned ? shown.text : plain(shown));
    return { text, ...(isToned && { paint: (one: string) => painted(shown.tone, one) }) };
  };
  const width = widthOf(stdout);
  const output: Output = {
    isJson,
    width,
    painted,
    json: (body) => put(safeJson(body, 2)),
    jsonLine: (body) => put(safeJson(body)),
    line: (text = '') => put(text),
    block: (text) => put(safeBlock(text)),
    exact: (text) => void stdout.write(stdout.isTTY ? safeBlock(text) : text),
    raw: (bytes) => void stdout.write(bytes),
    note: (text) => void (isJson || stderr.write(`${painted('quiet', safeBlock(text))}\n`)),
    warn: (text) => void stderr.write(`${safeBlock(text)}\n`),
    done: (body, sentence) => (isJson ? output.json(body) : output.block(sentence)),
    record(body, fields) {
      if (isJson) return output.json(body);
      const labelled = fields.map(([label, value]) => [
        { text: label, paint: (one: string) => painted('quiet', one) },
        cell(value),
      ]);
      for (const line of tableLines(labelled, Number.POSITIVE_INFINITY)) put(line);
    },
    table(items, columns) {
      const titles = columns.map(({ title }) => ({ text: title, paint: (one: string) => painted('strong', one) }));
      const rows = items.map((item) => columns.map((column) => cell(column.of(item))));
      for (const line of tableLines([titles, ...rows], width)) put(line);
    },
  };
  return output;
}

function plain(value: string | number | boolean | null | undefined): string {
  if (value === true) return 'yes';
  if (value === false) return 'no';
  return value === null || value === undefined || value === '' ? '-' : String(value);
}

function widthOf({ isTTY, columns }: Writer): number {
  return isTTY ? (columns ?? 80) : Number.POSITIVE_INFINITY;
}

/** As the convention of NO_COLOR has it; a terminal of its own words shows none either. */
export function hasColours({ env, stdout }: Pick<World, 'env' | 'stdout'>): boolean {
  return stdout.isTTY === true && !env['NO_COLOR'] && env['TERM'] !== 'dumb';
}

/** An instant as people read it, in UTC. */
export function when(instant: unknown): string | null {
  return typeof instant === 'string' && instant ? instant.replace('T', ' ').replace(/(?:\.\d+)?Z$/, '') : null;
}
