import { styleText } from 'node:util';
import { levelOfLine, linePrefixer, readableLine } from '../processes/log-lines.ts';
import { createStatusLine } from './status-line.ts';

const processNames = [
  'start',
  'postgres',
  'temporal',
  'build',
  'migrate',
  'simulator',
  'worker',
  'api',
  'gateway',
  'seed',
];
const prefixed = linePrefixer(processNames);
const status = createStatusLine({ output: process.stdout, prefix: prefixed('start', '').trimEnd() });
const WARN = 40;

export function say(text: string): void {
  status.lines(prefixed('start', text));
}

/** Shows what is under way. The next phase replaces it. */
export function phase(text: string): void {
  status.phase(text);
}

export function endPhases(): void {
  status.end();
}

export function sayProblem(text: string): void {
  status.end();
  process.stderr.write(prefixed('start', styleText('red', text, { stream: process.stderr })));
}

export function showLine(name: string, line: string): void {
  status.lines(prefixed(name, readableLine(line)));
}

/** Shows lines that are not log entries, too: they tell why a process died. */
export function showProblem(name: string, line: string): void {
  const level = levelOfLine(line);
  if (level === undefined || level >= WARN) showLine(name, line);
}

export function heading(text: string): void {
  say(`\n${styleText('bold', text)}`);
}
