import { z } from 'zod';
import { TRACE_ID_PLACE } from '../contract/traces/trace-parent.ts';
import { list, type Setting, text, url } from './setting-values.ts';

const samplers = [
  ...(['always_on', 'always_off', 'traceidratio'] as const),
  ...(['parentbased_always_on', 'parentbased_always_off', 'parentbased_traceidratio'] as const),
] as const;
export type TraceSampler = (typeof samplers)[number];

const pairList = list
  .pipe(z.array(z.string().regex(/^[\w.-]+=[^=]*$/, 'must be key=value, comma-separated')))
  .refine((pairs) => pairs.every((pair) => isPercentEncoded(pair)), 'has a value that is not percent-encoded');

/** The standard variables of OpenTelemetry. The SDK reads the others itself. */
export const traceSettings = {
  otlpEndpoint: {
    name: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    readers: ['api', 'worker', 'gateway'],
    description:
      "Base URL of an OpenTelemetry collector, which receives traces as OTLP over HTTP with JSON at `/v1/traces`. Without it, tracing is off. The SDK's other `OTEL_EXPORTER_OTLP_*` variables (certificates, time-out) apply as well.",
    parse: url.refine(hasNoCredentials, 'must have no credentials; put them into OTEL_EXPORTER_OTLP_HEADERS'),
  },
  otlpHeaders: {
    name: 'OTEL_EXPORTER_OTLP_HEADERS',
    readers: ['api', 'worker', 'gateway'],
    description:
      'Headers for the collector, comma-separated, such as `authorization=Bearer%20…` with percent-encoded values.',
    // Read by the SDK.
    parse: pairList,
    secret: true,
  },
  tracesSampler: {
    name: 'OTEL_TRACES_SAMPLER',
    readers: ['api', 'worker', 'gateway'],
    default: 'parentbased_traceidratio',
    description: `How requests are selected for tracing: ${samplers.join(', ')}.`,
    parse: z.enum(samplers, `must be one of ${samplers.join(', ')}`),
  },
  tracesSamplerRatio: {
    name: 'OTEL_TRACES_SAMPLER_ARG',
    readers: ['api', 'worker', 'gateway'],
    default: '0.01',
    description: 'Fraction of requests that a ratio sampler selects, from 0 to 1.',
    parse: text
      .regex(/^(?:0|1|0?\.\d{1,9}|1\.0{1,9})$/, 'must be a number from 0 to 1, such as 0.01')
      .transform(Number),
  },
  otelServiceName: {
    name: 'OTEL_SERVICE_NAME',
    readers: ['api', 'worker', 'gateway'],
    description:
      'Name of the service in traces. Without it, each process has its own: messaging-channels-api, -worker or -gateway.',
    parse: text.max(200, 'must have at most 200 characters'),
  },
  otelResourceAttributes: {
    name: 'OTEL_RESOURCE_ATTRIBUTES',
    readers: ['api', 'worker', 'gateway'],
    default: '',
    description: 'Attributes of all spans, comma-separated, such as `deployment.environment.name=production`.',
    parse: pairList.transform((pairs) => Object.fromEntries(pairs.map(attributeFrom))),
  },
  traceUrlTemplate: {
    name: 'TRACE_URL_TEMPLATE',
    readers: ['api'],
    description: `Address of a trace in your trace UI, such as \`https://traces.example.com/trace/${TRACE_ID_PLACE}\`. The dashboard links to it. Without it, the dashboard shows trace ids only.`,
    parse: text
      .refine((value) => value.includes(TRACE_ID_PLACE), `must contain ${TRACE_ID_PLACE}`)
      .refine(
        (value) => isTemplate(value),
        `must be an http:// or https:// URL with ${TRACE_ID_PLACE} behind the host`,
      ),
  },
} as const satisfies Record<string, Setting>;

/** The effective configuration is logged. */
function hasNoCredentials(address: string): boolean {
  const { username, password } = new URL(address);
  return username === '' && password === '';
}

/** The id must not choose the host. */
function isTemplate(template: string): boolean {
  const parsed = URL.parse(template);
  return (
    parsed !== null &&
    /^https?:$/.test(parsed.protocol) &&
    !/traceId/i.test(parsed.host + parsed.username + parsed.password)
  );
}

function isPercentEncoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

function attributeFrom(pair: string): [string, string] {
  const separator = pair.indexOf('=');
  return [pair.slice(0, separator), decodeURIComponent(pair.slice(separator + 1))];
}
