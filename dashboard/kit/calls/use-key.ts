import { useId, useRef } from 'preact/hooks';

let lastMount = 0;

/**
 * Returns the key of an answer. A shared name with the inputs finds the answer of an earlier page; without a name, the
 * answer belongs to the component, and changes of the inputs, compared by identity, begin a new one.
 */
export function useKey(name: string | undefined, inputs: readonly unknown[]): readonly unknown[] {
  const id = useId();
  const own = useRef<{ readonly mount: number; version: number; inputs: readonly unknown[] } | null>(null);
  own.current ??= { mount: ++lastMount, version: 0, inputs };
  const { current } = own;
  if (name !== undefined) return [name, ...inputs];
  if (inputs.some((input, index) => !Object.is(input, current.inputs[index]))) {
    current.inputs = inputs;
    current.version++;
  }
  return [id, current.mount, current.version];
}
