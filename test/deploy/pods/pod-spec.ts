import { z } from 'zod';
import type { KubernetesObject } from '../charts/kubernetes-client.ts';

const probe = z.object({
  httpGet: z.object({ path: z.string(), port: z.string() }),
  periodSeconds: z.number(),
  timeoutSeconds: z.number(),
  failureThreshold: z.number(),
});

const container = z.object({
  name: z.string(),
  args: z.array(z.string()),
  securityContext: z.object({
    allowPrivilegeEscalation: z.literal(false),
    readOnlyRootFilesystem: z.boolean(),
    capabilities: z.object({ drop: z.tuple([z.literal('ALL')]) }),
  }),
  envFrom: z.array(z.object({ secretRef: z.object({ name: z.string() }) })).default([]),
  env: z.array(z.object({ name: z.string(), value: z.string() })).default([]),
  ports: z.array(z.object({ name: z.string(), containerPort: z.number() })).default([]),
  startupProbe: probe.optional(),
  livenessProbe: probe.optional(),
  readinessProbe: probe.optional(),
  lifecycle: z.object({ preStop: z.object({ exec: z.object({ command: z.array(z.string()) }) }) }).optional(),
  resources: z.object({ limits: z.object({ memory: z.string() }) }),
});

const podSpec = z.object({
  securityContext: z.object({ runAsUser: z.number(), runAsGroup: z.number(), fsGroup: z.number() }),
  terminationGracePeriodSeconds: z.number().default(30),
  volumes: z.array(z.object({ name: z.literal('tmp'), emptyDir: z.object({ sizeLimit: z.string() }) })),
  initContainers: z.array(container).default([]),
  containers: z.array(container),
});

export type Probe = z.output<typeof probe>;
export type ContainerSpec = z.output<typeof container>;
export type PodSpec = z.output<typeof podSpec>;

export interface PlannedPod {
  readonly name: string;
  readonly kind: string;
  readonly component: string;
  readonly spec: PodSpec;
}

const workload = z.object({
  replicas: z.number().default(1),
  template: z.object({ spec: z.unknown() }),
});

/** The pods that Kubernetes would run for these objects. Fields that this stage does not know are errors where they matter. */
export function plannedPods(objects: readonly KubernetesObject[]): readonly PlannedPod[] {
  return objects.flatMap(({ kind, metadata: { name = '', labels = {} }, spec }): PlannedPod[] => {
    const component = labels['app.kubernetes.io/component'] ?? '';
    if (kind === 'Pod') return [{ name, kind, component, spec: podSpec.parse(spec) }];
    if (kind !== 'Deployment' && kind !== 'Job') return [];
    const { replicas, template } = workload.parse(spec);
    return Array.from({ length: replicas }, (_, index) => ({
      name: `${name}-${index}`,
      kind,
      component,
      spec: podSpec.parse(template.spec),
    }));
  });
}
