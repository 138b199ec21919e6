import type { ExecutionContext } from 'ava';

/** Collects the warnings of Node about emitters with too many listeners. */
export function listenerWarnings(t: ExecutionContext<unknown>): readonly string[] {
  const messages: string[] = [];
  const keep = ({ name, message }: Error): void => {
    if (name === 'MaxListenersExceededWarning') messages.push(message);
  };
  process.on('warning', keep);
  t.teardown(() => process.off('warning', keep));
  return messages;
}
