import { CliError, exitCodes, usageError } from './failures.ts';

/** Applies a jq program to a document. Returns one line per result: strings as they are, other values as JSON. */
export type JsonFilter = (body: unknown) => string;

const SYNTAX_ERROR = 3;
const HINT = 'See https://jqlang.org/manual/ for the language.';

/**
 * Loads jq, which takes longer to start than a command without it. Compiles the program before the command does
 * anything, so that a typing error has no effect.
 */
export async function loadJsonFilter(program: string): Promise<JsonFilter> {
  const { loadJq } = await import('jq-wasm/inline');
  const jq = await loadJq();
  // The options end before a program that begins with a dash.
  const apply = (text: string) => jq.raw(text, program, ['--raw-output', '--compact-output', '--']);
  const compiled = apply('');
  if (compiled.exitCode === SYNTAX_ERROR)
    throw usageError(`Invalid --jq expression: ${reasonIn(compiled.stderr)}`, HINT);
  return (body) => {
    const { stdout, stderr, exitCode } = apply(JSON.stringify(body ?? null));
    if (exitCode === 0) return stdout;
    const message = `The --jq expression failed: ${reasonIn(stderr)}`;
    throw new CliError(message, {
      exitCode: exitCodes.validation,
      hint: 'See the document it is applied to with --json.',
    });
  };
}

function reasonIn(stderr: string): string {
  const [line = ''] = stderr.split('\n');
  return line.replace(/^jq: error(?: \(at [^)]*\))?: /, '').replace(/:$/, '');
}
