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
  return [
    `printf %s ${shellQuote(payload)} | curl -i -g -X POST ${shellQuote(url)}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${headerArgument(name, value)}`),
    '--data-binary @-',
  ].join(' \\\n  ');
}

function headerArgument(name: string, value: string): string {
  if (value !== REDACTED) return shellQuote(`${name}: ${value}`);
  // Quotes the name apart: names may contain backticks and dollar signs.
  return `${shellQuote(`${name}: `)}"\${${variableOf(name)}:?}"`;
}

/** The variable of a redacted header. Its prefix keeps a header from being read from `$PATH`. */
const variableOf = (name: string): string => `HEADER_${name.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')}`;

export function redactedVariables(headers: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(headers).flatMap(([name, value]) => (value === REDACTED ? [variableOf(name)] : []));
}

export function shellQuote(text: string): string {
  if (/^[A-Za-z0-9_./:@%+=,-]+$/.test(text)) return text;
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
