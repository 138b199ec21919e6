const numbers = new Intl.NumberFormat('en');

export function formatNumber(count: number): string {
  return numbers.format(count);
}

export function pluralize(count: number, one: string, many = `${one}s`): string {
  return `${formatNumber(count)} ${count === 1 ? one : many}`;
}
