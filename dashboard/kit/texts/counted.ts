const numbers = new Intl.NumberFormat('en');

export function numberText(count: number): string {
  return numbers.format(count);
}

/** "1 delivery", "1,200 deliveries". */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${numberText(count)} ${count === 1 ? one : many}`;
}
