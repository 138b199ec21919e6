import { shellQuote } from '../../../contract/deliveries/curl-command.ts';

/** Formats variables so that both a shell and dotenv readers accept them. */
export function formatEnv(values: Readonly<Record<string, string>>): string {
  return Object.entries(values)
    .map(([name, value]) => `${name}=${value === '' ? '' : shellQuote(value)}`)
    .join('\n');
}

export function formatMaskedEnv(values: Readonly<Record<string, string>>): string {
  const isSecret = (name: string): boolean => /TOKEN|SECRET/.test(name);
  const masked = Object.entries(values).map(([name, value]) => [
    name,
    isSecret(name) && value !== '' ? '••••••••' : value,
  ]);
  return masked.map(([name, value]) => `${name}=${value}`).join('\n');
}
