import { shellQuote } from '../../kit/texts/shell-quote.ts';

/** Values as a `.env` file has them: a shell sources it, and dotenv readers understand it. */
export function envText(values: Readonly<Record<string, string>>): string {
  return Object.entries(values)
    .map(([name, value]) => `${name}=${value === '' ? '' : shellQuote(value)}`)
    .join('\n');
}

/** The same with secrets as dots, for showing. */
export function maskedEnvText(values: Readonly<Record<string, string>>): string {
  const isSecret = (name: string): boolean => /TOKEN|SECRET/.test(name);
  const masked = Object.entries(values).map(([name, value]) => [
    name,
    isSecret(name) && value !== '' ? '••••••••' : value,
  ]);
  return masked.map(([name, value]) => `${name}=${value}`).join('\n');
}
