/** The request of an attempt as a shell command, with exactly the bytes that were signed. */

export interface CurlRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly payload: string;
}

/** Replaces the secret value of a header in the records of attempts. */
export const REDACTED = '[redacted]';

/**
 * `printf` is built into the shell, so that a payload of any size fits. A redacted header takes its value from a
 * variable: `x-api-key` from `$HEADER_X_API_KEY`. The shell refuses the command while it is not set.
 */
export function curlCommand({ url, headers, payload }: CurlRequest): string {
  const variables = variablesOf(headers);
  return [
    `printf %s ${shellQuote(payload)} | curl -i -g -X POST ${shellQuote(url)}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${headerArgument(name, value, variables.get(name))}`),
    '--data-binary @-',
  ].join(' \\\n  ');
}

function headerArgument(name: string, value: string, variable: string | undefined): string {
  if (variable === undefined) return shellQuote(`${name}: ${value}`);
  // Quotes the name apart: names may contain backticks and dollar signs.
  return `${shellQuote(`${name}: `)}"\${${variable}:?}"`;
}

/**
 * The variable of each redacted header. Its prefix keeps a header from being read from `$PATH`. Names that differ only
 * in their punctuation are numbered, so that no header gets the value of another.
 */
function variablesOf(headers: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  const variables = new Map<string, string>();
  const taken = new Set<string>();
  for (const [name, value] of Object.entries(headers)) {
    if (value !== REDACTED) continue;
    const plain = `HEADER_${name.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')}`;
    let variable = plain;
    for (let count = 2; taken.has(variable); count++) variable = `${plain}_${count}`;
    taken.add(variable);
    variables.set(name, variable);
  }
  return variables;
}

export function redactedVariables(headers: Readonly<Record<string, string>>): readonly string[] {
  return [...variablesOf(headers).values()];
}

export function shellQuote(text: string): string {
  if (/^[A-Za-z0-9_./:@%+=,-]+$/.test(text)) return text;
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
