import { noTraces, type Span, type Traces } from '../../../process/traces/traces.ts';

const span: Span = {
  traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
  traceParent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
  link: () => undefined,
  end: () => undefined,
};

/** Gives every request a span and exports none. */
export const allTraces: Traces = { ...noTraces, root: () => span };
