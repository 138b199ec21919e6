export interface Choice {
  readonly value: string;
  readonly label: string;
  readonly hint?: string | undefined;
}

/** Every word of the text must occur in the label, the value or the hint. */
export function matchesChoice({ label, value, hint = '' }: Choice, text: string): boolean {
  const haystack = `${label} ${value} ${hint}`.toLocaleLowerCase();
  return text
    .toLocaleLowerCase()
    .split(/\s+/)
    .every((word) => haystack.includes(word));
}

/** Returns the options that match: one whose label or value is the text first, then those that begin with it. */
export function findChoices<Item extends Choice>(options: readonly Item[], text: string): readonly Item[] {
  const start = text.trim().toLocaleLowerCase();
  const rank = (option: Item): number => {
    if (isChoice(option, text)) return 0;
    return [option.label, option.value].some((name) => name.toLocaleLowerCase().startsWith(start)) ? 1 : 2;
  };
  return options
    .filter((option) => matchesChoice(option, text.trim()))
    .toSorted((one, other) => rank(one) - rank(other));
}

export function isChoice({ label, value }: Choice, text: string): boolean {
  const typed = text.trim().toLocaleLowerCase();
  return typed !== '' && (label.toLocaleLowerCase() === typed || value.toLocaleLowerCase() === typed);
}
