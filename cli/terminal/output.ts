import { styleText } from 'node:util';
import { safeBlock, safeJson, safeLine } from './safe-text.ts';
import { type Cell, tableLines } from './table.ts';
import type { World, Writer } from './world.ts';

export type Tone = 'good' | 'bad' | 'busy' | 'quiet' | 'strong';
const formats = { good: 'green', bad: 'red', busy: 'yellow', quiet: 'gray', strong: 'bold' } as const;

export type CellValue = string | number | boolean | null | undefined | { readonly text: string; readonly tone: Tone };
export type Field = readonly [label: string, value: CellValue];
export interface Column<Item> {
  readonly title: string;
  readonly of: (item: Item) => CellValue;
}

export interface Output {
  readonly isJson: boolean;
  readonly width: number;
  record(body: unknown, fields: readonly Field[]): void;
  done(body: unknown, sentence: string): void;
  table<Item>(items: readonly Item[], columns: readonly Column<Item>[]): void;
  json(body: unknown): void;
  jsonLine(body: unknown): void;
  line(text?: string): void;
  block(text: string): void;
  /** Prints machine-readable text: unchanged to a pipe, escaped on a terminal. */
  exact(text: string): void;
  raw(bytes: Uint8Array | string): void;
  note(text: string): void;
  warn(text: string): void;
  paint(tone: Tone, text: string): string;
}

export function createOutput(world: Pick<World, 'env' | 'stdout' | 'stderr'>, { isJson }: { isJson: boolean }): Output {
  const { stdout, stderr } = world;
  const isColoured = hasColours(world);
  const paint = (tone: Tone, text: string): string =>
    isColoured ? styleText(formats[tone], text, { validateStream: false }) : text;
  const put = (text: string): void => void stdout.write(`${text}\n`);
  const cell = (value: CellValue): Cell => {
    const isToned = typeof value === 'object' && value !== null;
    const text = safeLine(isToned ? value.text : plain(value));
    return { text, ...(isToned && { paint: (one: string) => paint(value.tone, one) }) };
  };
  const width = widthOf(stdout);
  const output: Output = {
    isJson,
    width,
    paint,
    json: (body) => put(safeJson(body, 2)),
    jsonLine: (body) => put(safeJson(body)),
    line: (text = '') => put(text),
    block: (text) => put(safeBlock(text)),
    exact: (text) => void stdout.write(stdout.isTTY ? safeBlock(text) : text),
    raw: (bytes) => void stdout.write(bytes),
    note: (text) => void (isJson || stderr.write(`${paint('quiet', safeBlock(text))}\n`)),
    warn: (text) => void stderr.write(`${safeBlock(text)}\n`),
    done: (body, sentence) => (isJson ? output.json(body) : output.block(sentence)),
    record(body, fields) {
      if (isJson) return output.json(body);
      const labelled = fields.map(([label, value]) => [
        { text: label, paint: (one: string) => paint('quiet', one) },
        cell(value),
      ]);
      for (const line of tableLines(labelled, Number.POSITIVE_INFINITY)) put(line);
    },
    table(items, columns) {
      const titles = columns.map(({ title }) => ({ text: title, paint: (one: string) => paint('strong', one) }));
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

/** Follows the NO_COLOR convention. */
export function hasColours({ env, stdout }: Pick<World, 'env' | 'stdout'>): boolean {
  return stdout.isTTY === true && !env['NO_COLOR'] && env['TERM'] !== 'dumb';
}

export function formatTime(instant: unknown): string | null {
  return typeof instant === 'string' && instant ? instant.replace('T', ' ').replace(/(?:\.\d+)?Z$/, '') : null;
}
