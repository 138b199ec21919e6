import { createServer, type IncomingMessage } from 'node:http';
import type { ExecutionContext } from 'ava';
import { until } from '../until.ts';
import { listening } from '../connections/listening.ts';

export interface CollectedSpan {
  readonly service: string;
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  /** Null for a root. */
  readonly parentSpanId: string | null;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[];
  readonly isError: boolean;
}

export interface Collector {
  readonly url: string;
  readonly spans: readonly CollectedSpan[];
  /** All bodies as they arrived. */
  readonly texts: readonly string[];
  /** Optional. Answers this status from now on. */
  answer(status: number): void;
  untilSpans(isComplete: (spans: readonly CollectedSpan[]) => boolean, what: string): Promise<readonly CollectedSpan[]>;
}

interface OtlpValue {
  readonly stringValue?: string;
  readonly intValue?: number | string;
  readonly doubleValue?: number;
  readonly boolValue?: boolean;
}
interface OtlpAttribute {
  readonly key: string;
  readonly value: OtlpValue;
}
interface OtlpSpan extends Pick<CollectedSpan, 'name' | 'traceId' | 'spanId'> {
  readonly parentSpanId?: string;
  readonly attributes?: readonly OtlpAttribute[];
  readonly links?: readonly { readonly traceId: string; readonly spanId: string }[];
  readonly status?: { readonly code?: number; readonly message?: string };
}
interface OtlpBody {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly OtlpAttribute[] };
    readonly scopeSpans: readonly { readonly spans: readonly OtlpSpan[] }[];
  }[];
}

const ERROR = 2;

/** A collector of OTLP over HTTP with JSON in the test's process. */
export async function startCollector(t: ExecutionContext<unknown>): Promise<Collector> {
  const spans: CollectedSpan[] = [];
  const texts: string[] = [];
  let status = 200;
  const server = createServer((request, response) => {
    void readText(request).then((text) => {
      if (status === 200 && request.url === '/v1/traces') {
        texts.push(text);
        spans.push(...spansOf(JSON.parse(text)));
      }
      response.writeHead(request.url === '/v1/traces' ? status : 404, { 'content-type': 'application/json' }).end('{}');
    });
  });
  const { url } = await listening(t, server);
  return {
    url,
    spans,
    texts,
    answer: (next) => void (status = next),
    untilSpans: (isComplete, what) =>
      until(() => isComplete(spans) && spans, { for: what, detail: () => spans.map(({ name }) => name) }),
  };
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

function spansOf({ resourceSpans }: OtlpBody): CollectedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const service = String(attributesOf(resource.attributes)['service.name']);
    return scopeSpans.flatMap((scope) => scope.spans.map((span) => collected(span, service)));
  });
}

function collected(span: OtlpSpan, service: string): CollectedSpan {
  const { name, traceId, spanId, parentSpanId, attributes = [], links = [], status } = span;
  return {
    service,
    name,
    traceId,
    spanId,
    parentSpanId: parentSpanId || null,
    attributes: attributesOf(attributes),
    links: links.map((link) => ({ traceId: link.traceId, spanId: link.spanId })),
    isError: status?.code === ERROR,
  };
}

function attributesOf(attributes: readonly OtlpAttribute[]): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}
