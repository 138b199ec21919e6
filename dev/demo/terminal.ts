import { styleText } from 'node:util';
import { linePrefixer, readableLine } from '../processes/log-lines.ts';

const processNames = ['start', 'postgres', 'temporal', 'migrate', 'simulator', 'worker', 'api', 'seed'];
const prefixed = linePrefixer(processNames);

export function say(text: string): void {
  process.stdout.write(prefixed('start', text));
}

export function sayProblem(text: string): void {
  process.stderr.write(prefixed('start', styleText('red', text, { stream: process.stderr })));
}

export function showLine(name: string, line: string): void {
  process.stdout.write(prefixed(name, readableLine(line)));
}

export function heading(text: string): void {
  say(`\n${styleText('bold', text)}`);
}
