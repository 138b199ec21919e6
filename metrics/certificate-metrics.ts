import type { CertificateEnd } from '../process/certificates.ts';
import type { MetricRegistry } from './registry.ts';

/** The values disappear if a certificate cannot be read. */
export function addCertificateMetrics(registry: MetricRegistry, read: () => Promise<readonly CertificateEnd[]>): void {
  const { channels_certificate_end_time_seconds: ends } = registry.gauges({
    channels_certificate_end_time_seconds: 'When a configured certificate ends, in seconds since 1970.',
  });
  registry.beforeExposition(async () => {
    ends.clear();
    for (const { certificate, endsAt } of await read()) ends.set(endsAt.getTime() / 1_000, { certificate });
  });
}
