import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';

export interface TestCounts {
  readonly passed: number;
  /** Includes hooks, pending tests, errors outside of tests, processes that crashed, and files of which no test ran. */
  readonly failed: number;
  /** Processes that crashed, part of `failed`. */
  readonly crashed: number;
  /** The files of failed tests. Undefined if there are other failures. */
  readonly failedFiles: readonly string[] | undefined;
}

export interface ReportTests {
  /** What AVA prints, and what the tests print. */
  readonly streams: readonly Readable[];
  /** Relative to the project's root. */
  readonly files: readonly string[];
  readonly print: (line: string) => void;
  /** Files of which no test ran are no failure once it is aborted. */
  readonly signal: AbortSignal;
}

const PROGRESS_MS = 60_000;
/** Shown if AVA names no failed test. */
const TAIL_LINES = 200;

const resultLine = /^ +(?:(?<passed>[✔√])|(?<failed>[✘×] \[fail\]:)|- \[skip\]:?) (?<title>.+)$/;
/** What AVA says of a file, for example that its process crashed after its last test, and why (`end-of-file.ts`). */
const fileLine = /^ +([✘×] .+)$|^(Left open after .+)$/;
const crashLine = /^[✘×] (test\/\S+) exited /;
/** What a test logs follows its result. */
const logLine = /^ {4}/;
/** Comes after the results of all tests, before the details of the failures and the counts. */
const ruleLine = /^ +─$/;
const failureCount =
  /^ +(?<count>\d+) (?:(?:tests?|hooks?) failed|tests? remained pending.*|uncaught exceptions?|unhandled rejections?)$/;

/** Prints a line each minute, the name of a failed test at once, and the logs and details of all failures at the end. */
export async function reportTests({ streams, files, print, signal }: ReportTests): Promise<TestCounts> {
  const fileOf = fileFinder(files);
  const missing = new Set(files);
  const failedFiles = new Set<string | undefined>();
  const tail: string[] = [];
  /** The title of each failed test, and what it logged. */
  const logs: string[][] = [];
  let log: string[] | undefined;
  const details: string[] = [];
  let passed = 0;
  let failed = 0;
  let counted = 0;
  let crashes = 0;
  const readDetails = (line: string, plain: string): void => {
    details.push(line);
    counted += Number(failureCount.exec(plain)?.groups?.['count'] ?? 0);
  };
  const readFileLine = (plain: string): void => {
    const [, ofAva, ofProcess] = fileLine.exec(plain) ?? [];
    const text = ofAva ?? ofProcess;
    if (text === undefined) return;
    print(text);
    const crashed = crashLine.exec(text)?.[1];
    if (crashed === undefined) return;
    crashes += 1;
    failedFiles.add(crashed);
  };
  const readResult = (line: string, plain: string): void => {
    tail.push(line);
    if (tail.length > TAIL_LINES) tail.shift();
    const result = resultLine.exec(plain)?.groups;
    if (!result) {
      readFileLine(plain);
      if (!logLine.test(plain)) log = undefined;
      log?.push(line);
      return;
    }
    log = undefined;
    const title = result['title'] ?? '';
    const file = fileOf(title);
    missing.delete(file ?? '');
    if (result['passed']) passed += 1;
    if (!result['failed']) return;
    failed += 1;
    failedFiles.add(file);
    print(`✘ ${title}`);
    log = [`  ${title}`];
    logs.push(log);
  };
  const read = (line: string): void => {
    // FORCE_COLOR colors it although it is no terminal.
    const plain = stripVTControlCharacters(line);
    if (details.length > 0 || ruleLine.test(plain)) readDetails(line, plain);
    else readResult(line, plain);
  };

  const startedAtMs = performance.now();
  const progress = (): void => {
    const minutes = Math.round((performance.now() - startedAtMs) / 60_000);
    const begun = `${files.length - missing.size} of ${files.length} files begun`;
    print(`${minutes} min: ${begun}, ${passed} tests passed, ${failed} failed`);
  };
  const timer = setInterval(progress, PROGRESS_MS);
  await Promise.all(streams.map((input) => once(createInterface({ input }).on('line', read), 'close')));
  clearInterval(timer);

  if (details.length === 0 || counted > failed) for (const line of tail) print(line);
  const logged = logs.filter(({ length }) => length > 1).flat();
  if (counted > 0) for (const line of [...logged, ...details]) print(line);
  if (signal.aborted) missing.clear();
  for (const file of missing) print(`No test of ${file} ran.`);
  const named = [...failedFiles].filter((file) => file !== undefined);
  const isNamed = named.length === failedFiles.size && counted === failed && missing.size === 0;
  return {
    passed,
    // An error outside of tests is counted, and its process crashes.
    failed: Math.max(failed + crashes, counted) + missing.size,
    crashed: crashes,
    failedFiles: isNamed ? named : undefined,
  };
}

/** Titles contain the path of a file in a batch, and begin with the parts of the path of another one. */
function fileFinder(files: readonly string[]): (title: string) => string | undefined {
  const named = new Map(files.map((file) => [file.replace(/^test\/|\.test\.ts$/g, '').replaceAll('/', ' › '), file]));
  return (title) => {
    const inBatch = / › (test\/.+?\.test\.ts) › /.exec(title)?.[1];
    if (inBatch !== undefined) return inBatch;
    for (let end = title.lastIndexOf(' › '); end > 0; end = title.lastIndexOf(' › ', end - 1)) {
      const file = named.get(title.slice(0, end));
      if (file !== undefined) return file;
    }
    return undefined;
  };
}
