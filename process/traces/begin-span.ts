import {
  type Context,
  ROOT_CONTEXT,
  type Span as OtelSpan,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Tracer,
} from '@opentelemetry/api';
import { formatTraceParent, parseTraceParent } from '../../contract/traces/trace-parent.ts';
import type { Span, SpanAttributes, SpanEnding, SpanOptions, TraceParent } from './traces.ts';

const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL };

export type BeginSpan = (name: string, parent: Context, options?: SpanOptions) => Span | undefined;

export function createBegin(tracer: Tracer): BeginSpan {
  return (name, parent, { kind = 'internal', attributes = {}, links = [], startedAtMs } = {}) => {
    const span = tracer.startSpan(
      name,
      {
        kind: kinds[kind],
        attributes: present(attributes),
        links: links.flatMap(linkTo),
        ...(startedAtMs !== undefined && { startTime: startedAtMs }),
      },
      parent,
    );
    return isSampled(span) ? wrap(span) : undefined;
  };
}

function wrap(span: OtelSpan): Span {
  const { traceId, spanId } = span.spanContext();
  return {
    traceId,
    traceParent: formatTraceParent({ traceId, spanId }),
    link: (other) => void span.addLinks(linkTo(other)),
    end({ name, attributes = {}, error, endedAtMs }: SpanEnding = {}) {
      if (name !== undefined) span.updateName(name);
      span.setAttributes(present(attributes));
      if (typeof error === 'string') {
        span.setAttribute('error.type', error);
        span.setStatus({ code: SpanStatusCode.ERROR });
      }
      span.end(endedAtMs);
    },
  };
}

export function isSampled(span: OtelSpan): boolean {
  return (span.spanContext().traceFlags & TraceFlags.SAMPLED) !== 0;
}

export function contextOf(parent: TraceParent | null | undefined): Context | undefined {
  const [link] = parent ? linkTo(parent) : [];
  return link && trace.setSpanContext(ROOT_CONTEXT, link.context);
}

function linkTo({ traceParent }: TraceParent) {
  const address = parseTraceParent(traceParent);
  return address ? [{ context: { ...address, traceFlags: TraceFlags.SAMPLED, isRemote: true } }] : [];
}

function present(attributes: SpanAttributes): Record<string, string | number | boolean> {
  const given: Record<string, string | number | boolean> = {};
  for (const name in attributes) {
    const value = attributes[name];
    if (value !== null && value !== undefined) given[name] = value;
  }
  return given;
}
