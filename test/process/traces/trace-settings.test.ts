import test from 'ava';
import { readConfig } from '../../../process/config.ts';

const problemsOf = (env: Record<string, string>): readonly string[] => {
  const reading = readConfig(env);
  return reading.ok ? [] : reading.problems;
};

test('tracing is off and samples 1 percent by default', (t) => {
  const reading = readConfig({});
  t.true(reading.ok);
  if (!reading.ok) return;
  const { otlpEndpoint, tracesSampler, tracesSamplerRatio, traceUrlTemplate } = reading.config;
  t.deepEqual([otlpEndpoint, traceUrlTemplate], [undefined, undefined]);
  t.deepEqual([tracesSampler, tracesSamplerRatio], ['parentbased_traceidratio', 0.01]);
});

test('invalid trace settings are refused with their reason', (t) => {
  const wrong: [name: string, value: string, problem: RegExp][] = [
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318', /^OTEL_EXPORTER_OTLP_ENDPOINT must be an http/],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'grpc://collector:4317', /^OTEL_EXPORTER_OTLP_ENDPOINT must be an http/],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'https://me:secret@collector', /must have no credentials/],
    ['OTEL_TRACES_SAMPLER', 'sometimes', /^OTEL_TRACES_SAMPLER must be one of always_on, /],
    ['OTEL_TRACES_SAMPLER_ARG', '1.5', /^OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1/],
    ['OTEL_TRACES_SAMPLER_ARG', '1%', /^OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1/],
    ['OTEL_RESOURCE_ATTRIBUTES', 'production', /^OTEL_RESOURCE_ATTRIBUTES must be key=value/],
    ['OTEL_RESOURCE_ATTRIBUTES', 'team=%zz', /^OTEL_RESOURCE_ATTRIBUTES has a value that is not percent-encoded/],
    ['TRACE_URL_TEMPLATE', 'https://traces.example.com/', /^TRACE_URL_TEMPLATE must contain \{traceId\}/],
    ['TRACE_URL_TEMPLATE', 'javascript:alert("{traceId}")', /^TRACE_URL_TEMPLATE must be an http/],
    ['TRACE_URL_TEMPLATE', 'https://{traceId}.example.com/', /^TRACE_URL_TEMPLATE must be an http/],
  ];
  for (const [name, value, problem] of wrong)
    t.regex(problemsOf({ [name]: value }).join(), problem, `${name}=${value}`);
});

test('valid trace settings are read as they are', (t) => {
  const reading = readConfig({
    OTEL_EXPORTER_OTLP_ENDPOINT: 'https://collector.example.com:4318/',
    OTEL_TRACES_SAMPLER_ARG: '.25',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=production, team=a%2Cb',
    TRACE_URL_TEMPLATE: 'https://traces.example.com/trace/{traceId}?x=1',
  });
  t.true(reading.ok, JSON.stringify(reading));
  if (!reading.ok) return;
  const { otlpEndpoint, tracesSamplerRatio, otelResourceAttributes } = reading.config;
  t.deepEqual([otlpEndpoint, tracesSamplerRatio], ['https://collector.example.com:4318', 0.25]);
  t.deepEqual(otelResourceAttributes, { 'deployment.environment.name': 'production', team: 'a,b' });
});
