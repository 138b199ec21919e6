const OWN = new Set(['localhost', '127.0.0.1', '[::1]']);
const PORT = /:\d{1,5}$/;

export function isDevelopmentHost(header: string | undefined, others: readonly string[] = []): boolean {
  const name = (header ?? '').toLowerCase().replace(PORT, '');
  return OWN.has(name) || name.endsWith('.localhost') || others.some((other) => other.toLowerCase() === name);
}
