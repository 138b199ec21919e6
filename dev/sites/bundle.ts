/** What a bundler makes of entries. */
export interface Bundle {
  readonly files: readonly { readonly name: string; readonly contents: Uint8Array }[];
  /** File names of the entries, by their names. */
  readonly entries: Readonly<Record<string, string>>;
  /** What the entry `main` imports before it runs, in turn. */
  readonly preload: readonly string[];
}

/** Returns the files that a file imports, directly and in turn. */
export function importedBy(first: string | undefined, importsOf: (name: string) => readonly string[]): string[] {
  const found = new Set<string>();
  const visit = (name: string): void => {
    for (const imported of importsOf(name)) {
      if (found.has(imported)) continue;
      found.add(imported);
      visit(imported);
    }
  };
  if (first !== undefined) visit(first);
  return [...found];
}
