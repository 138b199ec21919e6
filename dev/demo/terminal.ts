import { styleText } from 'node:util';
import { linePrefixer, readableLine } from '../processes/log-lines.ts';

/** In the order of their start, which gives them their colours. */
const processNames = ['start', 'postgres', 'temporal', 'migrate', 'simulator', 'worker', 'api', 'seed'];
const prefixed = linePrefixer(processNames);

/** Says something to the person at the terminal. */
export function say(text: string): void {
  process.stdout.write(prefixed('start', text));
}

export function sayProblem(text: string): void {
  process.stderr.write(prefixed('start', styleText('red', text, { stream: process.stderr })));
}

/** Shows a line that a process wrote. */
export function showLine(name: string, line: string): void {
  process.stdout.write(prefixed(name, readableLine(line)));
}

/** A heading of the tour. */
export function heading(text: string): void {
  say(`\n${styleText('bold', text)}`);
}
