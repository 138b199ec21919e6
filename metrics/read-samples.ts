import type { Sample } from './registry.ts';

const LABEL = /[{,](\w+)="((?:[^"\\]|\\.)*)"/g;

/** Reads Prometheus' text format without comments and timestamps. Ignores lines that it cannot read. */
export function readSamples(text: string): readonly Sample[] {
  return text.split('\n').flatMap((line) => {
    if (line.startsWith('#')) return [];
    const space = line.lastIndexOf(' ');
    const value = Number(line.slice(space + 1));
    if (space < 0 || Number.isNaN(value)) return [];
    const series = line.slice(0, space);
    const brace = series.indexOf('{');
    if (brace < 0) return [{ name: series, labels: {}, value }];
    return [{ name: series.slice(0, brace), labels: labelsOf(series.slice(brace)), value }];
  });
}

function labelsOf(text: string): Record<string, string> {
  return Object.fromEntries([...text.matchAll(LABEL)].map(([, name, value]) => [name!, unescaped(value!)]));
}

function unescaped(value: string): string {
  return value.replaceAll(/\\(.)/g, (_, each: string) => (each === 'n' ? '\n' : each));
}
