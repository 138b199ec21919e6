{{/*
Whether to trust X-Forwarded-For: settings.TRUST_PROXY if set, otherwise whether the chart's Ingress is enabled. Behind a
Service that clients reach directly, trusting it would let clients forge their address.
*/}}
{{- define "channels.trustProxy" -}}
{{- $given := default "" .root.Values.settings.TRUST_PROXY -}}
{{- $served := index .root.Values .component -}}
{{- if and (eq $given "true") (not $served.ingress.enabled) (ne $served.service.type "ClusterIP") -}}
{{- fail (printf "settings.TRUST_PROXY is 'true' while %s.service is a %s without %s.ingress: clients could forge X-Forwarded-For and bypass every limit per address. Remove TRUST_PROXY, or make the Service a ClusterIP behind a proxy." .component $served.service.type .component) -}}
{{- end -}}
{{- default (toString $served.ingress.enabled) $given -}}
{{- end -}}

{{/* Common to every container: the settings, the Secret, a writable folder, and no privileges. */}}
{{- define "channels.container" -}}
{{- $scope := . -}}
{{- $roles := include "channels.workerRoles" . -}}
{{- with .root -}}
image: {{ ternary .Values.worker.previous.image (include "channels.image" .) (eq $scope.component "previous") | quote }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext: {{- toYaml .Values.securityContext | nindent 2 }}
envFrom:
  - secretRef: { name: {{ .Values.existingSecret | quote }} }
env:
  {{- range $name, $value := .Values.settings }}
  {{- if and (ne (toString $value) "") (ne $name "TRUST_PROXY") (not (and $roles (eq $name "WORKER_ROLES"))) }}
  - { name: {{ $name }}, value: {{ $value | toString | quote }} }
  {{- end }}
  {{- end }}
  {{- if has $scope.component (list "api" "gateway") }}
  - name: TRUST_PROXY
    value: {{ include "channels.trustProxy" $scope | quote }}
  {{- end }}
  {{- with $roles }}
  - { name: WORKER_ROLES, value: {{ . | quote }} }
  {{- end }}
  - { name: TEMPORAL_ADDRESS, value: {{ .Values.temporal.address | quote }} }
  - { name: TEMPORAL_NAMESPACE, value: {{ .Values.temporal.namespace | quote }} }
  - { name: SHUTDOWN_GRACE_SECONDS, value: {{ .Values.shutdownGraceSeconds | quote }} }
  - { name: METRICS_HOST, value: 0.0.0.0 }
  - { name: API_HOST, value: 0.0.0.0 }
  - { name: API_PORT, value: {{ include "channels.port" "api" | quote }} }
  - { name: API_METRICS_PORT, value: {{ include "channels.metricsPort" "api" | quote }} }
  - { name: WORKER_METRICS_PORT, value: {{ include "channels.metricsPort" "worker" | quote }} }
  - { name: GATEWAY_HOST, value: 0.0.0.0 }
  - { name: GATEWAY_PORT, value: {{ include "channels.port" "gateway" | quote }} }
  - { name: GATEWAY_METRICS_PORT, value: {{ include "channels.metricsPort" "gateway" | quote }} }
  {{- with .Values.extraEnv }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
volumeMounts:
  - { name: tmp, mountPath: /tmp }
  {{- with .Values.extraVolumeMounts }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end -}}
{{- end -}}

{{- define "channels.podBasics" -}}
# No process calls the Kubernetes API.
automountServiceAccountToken: false
enableServiceLinks: false
{{- with .Values.imagePullSecrets }}
imagePullSecrets: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.priorityClassName }}
priorityClassName: {{ . | quote }}
{{- end }}
securityContext: {{- toYaml .Values.podSecurityContext | nindent 2 }}
{{- with .Values.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.affinity }}
affinity: {{- toYaml . | nindent 2 }}
{{- end }}
volumes:
  - { name: tmp, emptyDir: { sizeLimit: 256Mi } }
  {{- with .Values.extraVolumes }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end -}}

{{- define "channels.spread" -}}
topologySpreadConstraints:
  {{- if .root.Values.topologySpreadConstraints }}
  {{- range .root.Values.topologySpreadConstraints }}
  - {{- toYaml . | nindent 4 }}
    {{- if not .labelSelector }}
    labelSelector:
      matchLabels: {{- include "channels.selector" $ | nindent 8 }}
    {{- end }}
  {{- end }}
  {{- else }}
  - maxSkew: 1
    topologyKey: kubernetes.io/hostname
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels: {{- include "channels.selector" . | nindent 8 }}
  {{- end }}
{{- end -}}

{{/* API and gateway are probed on their own port, the worker on its metrics port. A start may take five minutes, because a
restart on a busy node makes it busier. */}}
{{- define "channels.probes" -}}
{{- if eq . "worker" }}
# Alive while it waits for Temporal; ready once the workflow bundle is built and it accepts work.
startupProbe: { httpGet: { path: /healthz, port: metrics }, periodSeconds: 2, timeoutSeconds: 2, failureThreshold: 150 }
livenessProbe: { httpGet: { path: /healthz, port: metrics }, periodSeconds: 10, timeoutSeconds: 5, failureThreshold: 6 }
readinessProbe: { httpGet: { path: /readyz, port: metrics }, periodSeconds: 5, timeoutSeconds: 5, failureThreshold: 3 }
{{- else }}
startupProbe: { httpGet: { path: /healthz, port: http }, periodSeconds: 2, timeoutSeconds: 2, failureThreshold: 150 }
livenessProbe: { httpGet: { path: /healthz, port: http }, periodSeconds: 10, timeoutSeconds: 5, failureThreshold: 6 }
readinessProbe: { httpGet: { path: /readyz, port: http }, periodSeconds: 5, timeoutSeconds: 5, failureThreshold: 3 }
# Requests still arrive while the Service removes the pod.
lifecycle: { preStop: { exec: { command: [sleep, '5'] } } }
{{- end }}
{{- end -}}
