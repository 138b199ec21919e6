import { styleText } from 'node:util';
import type { JsonFilter } from './json-filter.ts';
import { safeBlock, safeJson, safeLine } from '../../contract/text/safe-text.ts';
import { timeDistance } from '../../contract/text/time-distance.ts';
import { type Cell, tableLines } from './table.ts';
import type { World, Writer } from './world.ts';

export type Tone = 'good' | 'bad' | 'busy' | 'quiet' | 'strong';
const formats = { good: 'green', bad: 'red', busy: 'yellow', quiet: 'gray', strong: 'bold' } as const;

export interface TonedText {
  readonly text: string;
  readonly tone: Tone;
}
/** A link, which terminals that support it make clickable. */
interface LinkText {
  readonly text: string;
  readonly url: string;
}
/** Relative to now on terminals, absolute elsewhere. */
interface TimeValue {
  readonly instant: string;
}

export type CellValue = string | number | boolean | null | undefined | TonedText | LinkText | TimeValue;
export type Field = readonly [label: string, value: CellValue];
/** What is shown of a record: by label, the name of a field or a function. */
export type View<Item> = Readonly<Record<string, NameOf<Item> | ((item: Item) => CellValue)>>;
type NameOf<Item> = keyof Item & string;

export interface Output {
  readonly isJson: boolean;
  readonly width: number;
  /** Leaves out empty fields. */
  record(body: unknown, fields: readonly Field[]): void;
  done(body: unknown, sentence: string): void;
  table<Item>(items: readonly Item[], columns: View<Item>): void;
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

interface OutputOptions {
  readonly isJson: boolean;
  /** Optional. Applies to JSON. */
  readonly filter?: JsonFilter | undefined;
}

type OutputWorld = Pick<World, 'env' | 'stdout' | 'stderr' | 'now' | 'hasHyperlinks'>;

export function createOutput(world: OutputWorld, { isJson, filter }: OutputOptions): Output {
  const { stdout, stderr } = world;
  const isColoured = hasColours(world);
  const paint = (tone: Tone, text: string): string =>
    isColoured ? styleText(formats[tone], text, { validateStream: false }) : text;
  const put = (text: string): void => void stdout.write(`${text}\n`);
  const cell = cellMaker(world, paint);
  const putFiltered = (body: unknown): void => {
    const text = filter?.(body) ?? '';
    if (text !== '') output.exact(`${text}\n`);
  };
  const labelOf = (label: string): string => (stdout.isTTY ? label.replace(/ \(UTC\)$/, '') : label);
  const width = widthOf(stdout);
  const output: Output = {
    isJson,
    width,
    paint,
    json: (body) => (filter ? putFiltered(body) : put(safeJson(body, 2))),
    jsonLine: (body) => (filter ? putFiltered(body) : put(safeJson(body))),
    line: (text = '') => put(text),
    block: (text) => put(safeBlock(text)),
    exact: (text) => void stdout.write(stdout.isTTY ? safeBlock(text) : text),
    raw: (bytes) => void stdout.write(bytes),
    note: (text) => void (isJson || stderr.write(`${paint('quiet', safeBlock(text))}\n`)),
    warn: (text) => void stderr.write(`${safeBlock(text)}\n`),
    done: (body, sentence) => (isJson ? output.json(body) : output.block(sentence)),
    record(body, fields) {
      if (isJson) return output.json(body);
      const shown = fields.filter(([, value]) => value !== undefined && value !== null && value !== '');
      const labelled = shown.map(([label, value]) => [
        { text: labelOf(label), paint: (one: string) => paint('quiet', one) },
        cell(value, { isExact: true }),
      ]);
      for (const line of tableLines(labelled, Number.POSITIVE_INFINITY)) put(line);
    },
    table(items, columns) {
      const titles = Object.keys(columns).map((title) => ({
        text: labelOf(title),
        paint: (one: string) => paint('strong', one),
      }));
      const rows = items.map((item) => Object.values(columns).map((shown) => cell(valueOf(item, shown))));
      for (const line of tableLines([titles, ...rows], width)) put(line);
    },
  };
  return output;
}

export function fieldsOf<Item>(view: View<Item>, item: Item): Field[] {
  return Object.entries(view).map(([label, shown]) => [label, valueOf(item, shown)]);
}

/** `at` and fields that end in `At` are times. */
function valueOf<Item>(item: Item, shown: View<Item>[string]): CellValue {
  if (typeof shown === 'function') return shown(item);
  const value: unknown = item[shown];
  if (Array.isArray(value)) return value.join(', ');
  return /(?:^a|A)t$/.test(shown) ? timeCell(value) : (value as CellValue);
}

/** Paints the value of a field. */
export function toned<Name extends string, Value extends string>(name: Name, tones: Readonly<Record<Value, Tone>>) {
  return (item: Readonly<Record<Name, Value>>): TonedText => ({ text: item[name], tone: tones[item[name]] });
}

/** The words of a list; null means all. */
export function listText(list: readonly string[] | null): string {
  return list?.join(', ') ?? 'all';
}

const LINK = '\u001b]8;;';
const LINK_END = '\u001b\\';
/** What RFC 3986 allows. Anything else could end the escape sequence. */
const SAFE_URL = /^https?:\/\/[\w.~:/?#[\]@!$&'()*+,;=%-]+$/;

/** Makes text clickable in terminals that support OSC 8. */
function hyperlink(text: string, url: string): string {
  return SAFE_URL.test(url) ? `${LINK}${url}${LINK_END}${text}${LINK}${LINK_END}` : text;
}

type Paint = (tone: Tone, text: string) => string;
type MakeCell = (value: CellValue, options?: { readonly isExact?: boolean }) => Cell;

function cellMaker({ stdout, now, hasHyperlinks = false }: OutputWorld, paint: Paint): MakeCell {
  /** A record has room for both forms. */
  const timeText = (instant: string, isExact: boolean): string => {
    const exact = formatTime(instant) ?? '-';
    if (!stdout.isTTY) return exact;
    const relative = relativeTime(instant, now());
    return isExact ? `${relative} (${exact} UTC)` : relative;
  };
  return (value, { isExact = false } = {}) => {
    if (typeof value !== 'object' || value === null) return { text: safeLine(plain(value)) };
    if ('instant' in value) return { text: safeLine(timeText(value.instant, isExact)) };
    const text = safeLine(value.text);
    if ('tone' in value) return { text, paint: (one) => paint(value.tone, one) };
    return hasHyperlinks ? { text, paint: (one) => hyperlink(one, value.url) } : { text };
  };
}

const shortUnits = { day: 'days', hour: 'h', minute: 'min', second: 's' } as const;

/** Returns `3 min ago`, `in 2 h`, or the date of a distant time. */
function relativeTime(instant: string, nowMs: number): string {
  const distance = timeDistance(Date.parse(instant), nowMs);
  if (distance === 'now') return 'just now';
  if (distance === 'far') return instant.slice(0, 'yyyy-mm-dd'.length);
  const count = Math.abs(distance.count);
  const text = `${count} ${distance.unit === 'day' && count === 1 ? 'day' : shortUnits[distance.unit]}`;
  return distance.count < 0 ? `${text} ago` : `in ${text}`;
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

/** A cell with a time: see `TimeValue`. Null without one. */
export function timeCell(instant: unknown): TimeValue | null {
  return typeof instant === 'string' && instant ? { instant } : null;
}

export function linkCell(url: string): LinkText {
  return { text: url, url };
}
