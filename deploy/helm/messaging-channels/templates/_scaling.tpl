{{/* A joining or leaving worker moves shards, so neither scaler follows every dip. */}}
{{- define "channels.scalingBehavior" -}}
scaleDown: { stabilizationWindowSeconds: 600 }
{{- end -}}

{{/*
Scales a worker on the age of the oldest delivery that waits for an available destination, and on its CPU. The age shows
what the CPU does not: requests that wait for slow receivers. The CPU keeps the replicas that hold the age down, because
the age alone falls to 0 as soon as there are enough. KEDA turns both into one HorizontalPodAutoscaler.
*/}}
{{- define "channels.waitingAgeScaling" -}}
{{- $scaling := (index .root.Values .component).autoscaling -}}
{{- $age := $scaling.waitingAge -}}
{{- $path := printf "%s.autoscaling" .component -}}
{{- if $scaling.enabled -}}
{{- fail (printf "%s.enabled and %s.waitingAge.enabled would create two autoscalers for one Deployment. Enable one of them; waitingAge scales on the CPU, too." $path $path) -}}
{{- end -}}
{{- if and (eq .component "worker") .root.Values.pump.enabled -}}
{{- fail "worker.autoscaling.waitingAge has no effect with pump.enabled: only the pods of pump send deliveries. Use pump.autoscaling.waitingAge." -}}
{{- end -}}
{{- $fallback := default $scaling.maxReplicas $age.fallbackReplicas -}}
{{- if or (lt (int $fallback) (int $scaling.minReplicas)) (gt (int $fallback) (int $scaling.maxReplicas)) -}}
{{- fail (printf "%s.waitingAge.fallbackReplicas is %v. Use a number from minReplicas (%v) to maxReplicas (%v)." $path $fallback $scaling.minReplicas $scaling.maxReplicas) -}}
{{- end -}}
{{- $metric := printf `max(channels_oldest_waiting_seconds{status="pending",circuit="closed",namespace="%s"})` .root.Release.Namespace }}
---
apiVersion: keda.sh/v1alpha1
kind: ScaledObject
metadata:
  name: {{ .name }}
  namespace: {{ .root.Release.Namespace }}
  labels: {{- include "channels.labels" . | nindent 4 }}
spec:
  scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: {{ .name }} }
  minReplicaCount: {{ $scaling.minReplicas }}
  maxReplicaCount: {{ $scaling.maxReplicas }}
  pollingInterval: {{ $age.pollingIntervalSeconds }}
  # While Prometheus does not answer: never fewer replicas than now.
  fallback: { failureThreshold: 3, replicas: {{ $fallback }}, behavior: currentReplicasIfHigher }
  advanced:
    horizontalPodAutoscalerConfig:
      behavior: {{- include "channels.scalingBehavior" .root | nindent 8 }}
  triggers:
    - type: prometheus
      name: oldest-waiting
      # Value, not AverageValue: one old delivery is as late with ten replicas as with one.
      metricType: Value
      metadata:
        serverAddress: {{ required (printf "%s.waitingAge.prometheusAddress must be given" $path) $age.prometheusAddress | quote }}
        query: {{ default $metric $age.query | quote }}
        threshold: {{ $age.targetSeconds | quote }}
        # The workers report 0 if nothing waits. No value means that they are not scraped.
        ignoreNullValues: 'false'
      {{- with $age.authenticationRef }}
      authenticationRef: {{- toYaml . | nindent 8 }}
      {{- end }}
    - type: cpu
      metricType: Utilization
      metadata: { value: {{ $scaling.targetCPUUtilizationPercentage | quote }} }
{{- end -}}
