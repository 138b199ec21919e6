import type { ComponentChildren } from 'preact';
import type { Tone } from './tone.ts';

/** A state in a word. The word says it; the colour only helps to find it. */
export function Badge({ tone = 'neutral', children }: { readonly tone?: Tone; readonly children: ComponentChildren }) {
  return <span class={`badge ${tone}`}>{children}</span>;
}
