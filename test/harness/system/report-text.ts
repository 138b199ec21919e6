export function wordsOf(counts: Readonly<Record<string, number>>): string {
  const words = Object.entries(counts).map(([name, count]) => `${name}: ${count}`);
  return words.length === 0 ? 'none' : words.join(', ');
}

export function problemLines(problems: readonly string[]): string[] {
  return problems.length === 0 ? ['No problem.'] : problems.map((problem) => `PROBLEM: ${problem}`);
}

/** Lines of the rows with columns of the same width. */
export function tableText(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((cells) => cells[column]!.length)));
  const line = (cells: readonly string[]): string =>
    cells.map((cell, column) => cell.padEnd(widths[column]!)).join('  ');
  return rows.map((cells) => line(cells).trimEnd()).join('\n');
}

/** The problems whose claims do not hold. */
export function brokenClaims(claims: readonly (readonly [holds: boolean, problem: string])[]): string[] {
  return claims.filter(([holds]) => !holds).map(([, problem]) => problem);
}
