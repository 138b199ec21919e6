import { styleText } from 'node:util';

type Style = Parameters<typeof styleText>[0];

const levels: Record<number, { readonly label: string; readonly style: Style }> = {
  10: { label: 'trace', style: 'gray' },
  20: { label: 'debug', style: 'gray' },
  30: { label: 'info ', style: 'green' },
  40: { label: 'warn ', style: 'yellow' },
  50: { label: 'error', style: 'red' },
  60: { label: 'fatal', style: ['red', 'bold'] },
};
const hiddenFields = new Set(['level', 'time', 'msg', 'pid', 'hostname', 'name', 'process', 'v']);
const prefixColours: readonly Style[] = ['cyan', 'magenta', 'yellow', 'blue', 'green', 'red'];

export function linePrefixer(names: readonly string[]): (name: string, line: string) => string {
  const width = Math.max(0, ...names.map(({ length }) => length));
  return (name, line) => {
    const colour = prefixColours[Math.max(0, names.indexOf(name)) % prefixColours.length] ?? 'cyan';
    const prefix = styleText(colour, `${name.padEnd(width)} |`);
    return line
      .split('\n')
      .map((part) => `${prefix} ${part}\n`)
      .join('');
  };
}

export function readableLine(line: string): string {
  const entry = logEntry(line);
  if (!entry) return line;
  const { label, style } = levels[entry.level] ?? { label: String(entry.level), style: 'white' };
  const failure = errorText(entry.fields['error'] ?? entry.fields['err']);
  const shown = ([name]: [string, unknown]) =>
    !hiddenFields.has(name) && !(failure && (name === 'error' || name === 'err'));
  const fields = Object.entries(entry.fields).filter(shown);
  const words = [styleText('gray', clockTime(entry.fields['time'])), styleText(style, label), entry.event];
  words.push(...fields.map(([name, value]) => `${styleText('gray', `${name}=`)}${fieldText(value)}`));
  return words.join(' ') + failure;
}

export function eventOfLine(line: string): string | undefined {
  return logEntry(line)?.event;
}

export function levelOfLine(line: string): number | undefined {
  return logEntry(line)?.level;
}

function logEntry(line: string): { level: number; event: string; fields: Record<string, unknown> } | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    const fields: Record<string, unknown> = JSON.parse(line);
    const { level, msg } = fields;
    if (typeof level !== 'number') return undefined;
    return { level, event: typeof msg === 'string' ? msg : '', fields };
  } catch {
    return undefined;
  }
}

function clockTime(time: unknown): string {
  const at = typeof time === 'number' || typeof time === 'string' ? new Date(time) : new Date(Number.NaN);
  if (Number.isNaN(at.getTime())) return '--:--:--.---';
  const twoDigits = (value: number) => String(value).padStart(2, '0');
  const clock = [at.getHours(), at.getMinutes(), at.getSeconds()].map(twoDigits).join(':');
  return `${clock}.${String(at.getMilliseconds()).padStart(3, '0')}`;
}

function fieldText(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value) ?? 'undefined';
  return /^[^\s"=]+$/.test(value) ? value : JSON.stringify(value);
}

function errorText(error: unknown): string {
  if (typeof error !== 'object' || error === null) return '';
  const { stack, message } = Object(error);
  const text: unknown = stack ?? message;
  return typeof text === 'string' ? `\n  ${text.replaceAll('\n', '\n  ')}` : '';
}
