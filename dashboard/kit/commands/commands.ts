import { computed, signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { IconName } from '../icon.tsx';

export interface Command {
  /** Unique among the commands shown together. */
  readonly id: string;
  readonly label: string;
  /** The heading it is listed under, such as "This page" or "Go to". */
  readonly group: string;
  readonly icon?: IconName;
  /** Optional. Shown beside the label and searched, too, such as an ID. */
  readonly hint?: string;
  readonly run: () => unknown;
}

/** Returns commands for what the user typed. */
export type CommandSearch = (text: string) => Promise<readonly Command[]>;

const sources = signal<readonly (readonly Command[])[]>([]);
const searchSources = signal<readonly CommandSearch[]>([]);

export const isPaletteOpen = signal(false);
/** Those of the page first. */
export const commands = computed<readonly Command[]>(() => sources.value.toReversed().flat());
export const searches = computed<readonly CommandSearch[]>(() => searchSources.value);

/** Adds commands to the palette while the component is shown. `inputs` are what the commands are made from. */
export function useCommands(own: readonly Command[], inputs: readonly unknown[]): void {
  useEffect(() => {
    sources.value = [...sources.peek(), own];
    return () => {
      sources.value = sources.peek().filter((other) => other !== own);
    };
  }, inputs);
}

/** Adds a search to the palette while the component is shown. */
export function useCommandSearch(search: CommandSearch, inputs: readonly unknown[]): void {
  useEffect(() => {
    searchSources.value = [...searchSources.peek(), search];
    return () => {
      searchSources.value = searchSources.peek().filter((other) => other !== search);
    };
  }, inputs);
}
