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

{{/* The program that a component runs, a key of files/readers.yaml, unless a container names another. */}}
{{- define "channels.program" -}}
{{- if eq . "migration" }}admin{{ else }}{{ include "channels.process" . }}{{ end -}}
{{- end -}}

{{/* Settings that the chart fixes. */}}
{{- define "channels.fixedSettings" -}}
TEMPORAL_ADDRESS: {{ .Values.temporal.address | quote }}
TEMPORAL_NAMESPACE: {{ .Values.temporal.namespace | quote }}
SHUTDOWN_GRACE_SECONDS: {{ .Values.shutdownGraceSeconds | quote }}
METRICS_HOST: 0.0.0.0
API_HOST: 0.0.0.0
API_PORT: {{ include "channels.port" "api" | quote }}
API_METRICS_PORT: {{ include "channels.metricsPort" "api" | quote }}
WORKER_METRICS_PORT: {{ include "channels.metricsPort" "worker" | quote }}
WORKER_OFFERS_HOST: $(POD_IP)
WORKER_OFFERS_PORT: {{ include "channels.offersPort" . | quote }}
GATEWAY_HOST: 0.0.0.0
GATEWAY_PORT: {{ include "channels.port" "gateway" | quote }}
GATEWAY_METRICS_PORT: {{ include "channels.metricsPort" "gateway" | quote }}
{{- end -}}

{{/* The key of the Secret for a secret setting. With roles of its own, a process gets its own URL of the database. */}}
{{- define "channels.secretKey" -}}
{{- $hasRole := and .root.Values.databaseRoles.enabled (ne .program "admin") -}}
{{ ternary (printf "DATABASE_%s_URL" (upper .program)) .name (and $hasRole (eq .name "DATABASE_URL")) }}
{{- end -}}

{{/*
Common to every container: the settings and keys of the Secret that its program reads, a writable folder, and no
privileges. `npm run format` writes files/readers.yaml from process/settings.ts.
*/}}
{{- define "channels.container" -}}
{{- $scope := . -}}
{{- $roles := include "channels.workerRoles" . -}}
{{- $program := default (include "channels.program" .component) .program -}}
{{- $readers := .root.Files.Get "files/readers.yaml" | fromYaml -}}
{{- $reads := get $readers $program -}}
{{- $own := list "TRUST_PROXY" -}}
{{- if $roles -}}{{- $own = append $own "WORKER_ROLES" -}}{{- end -}}
{{- with .root -}}
image: {{ ternary .Values.worker.previous.image (include "channels.image" .) (eq $scope.component "previous") | quote }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext: {{- toYaml .Values.securityContext | nindent 2 }}
env:
  {{- range $name, $value := .Values.settings }}
  {{- if not (has $name $readers.all) }}
  {{- fail (printf "settings.%s is no setting of the service (docs/settings.md). Put other variables into extraEnv." $name) }}
  {{- end }}
  {{- if and (ne (toString $value) "") (has $name $reads.settings) (not (has $name $own)) }}
  - { name: {{ $name }}, value: {{ $value | toString | quote }} }
  {{- end }}
  {{- end }}
  {{- range $name := $reads.secrets }}
  {{- $isRoleUrl := has $name (list "DATABASE_API_URL" "DATABASE_WORKER_URL" "DATABASE_GATEWAY_URL") }}
  {{- if or $.root.Values.databaseRoles.enabled (not $isRoleUrl) }}
  - name: {{ $name }}
    valueFrom:
      secretKeyRef:
        name: {{ $.root.Values.existingSecret | quote }}
        key: {{ include "channels.secretKey" (dict "root" $.root "program" $program "name" $name) }}
        optional: {{ not (or $isRoleUrl (eq $name "DATABASE_URL")) }}
  {{- end }}
  {{- end }}
  {{- if has "TRUST_PROXY" $reads.settings }}
  - name: TRUST_PROXY
    value: {{ include "channels.trustProxy" $scope | quote }}
  {{- end }}
  {{- with $roles }}
  - { name: WORKER_ROLES, value: {{ . | quote }} }
  {{- end }}
  {{- if has "WORKER_OFFERS_HOST" $reads.settings }}
  # A proxy of the database in the pod would make its loopback address the default.
  - { name: POD_IP, valueFrom: { fieldRef: { fieldPath: status.podIP } } }
  {{- end }}
  {{- range $name, $value := include "channels.fixedSettings" . | fromYaml }}
  {{- if has $name $reads.settings }}
  - { name: {{ $name }}, value: {{ $value | quote }} }
  {{- end }}
  {{- end }}
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
