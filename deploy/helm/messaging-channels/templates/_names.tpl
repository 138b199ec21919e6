{{- define "channels.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 40 | trimSuffix "-" -}}
{{- end -}}

{{- define "channels.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 40 | trimSuffix "-" -}}
{{- else -}}
{{- $name := include "channels.name" . -}}
{{- ternary .Release.Name (printf "%s-%s" .Release.Name $name) (contains $name .Release.Name) | trunc 40 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{/* The Deployments. With `pump.enabled`, the two roles of a worker have one each. */}}
{{- define "channels.components" -}}
api worker gateway{{ if .Values.pump.enabled }} pump{{ end }}{{ if .Values.worker.previous.image }} previous{{ end }}
{{- end -}}

{{/* The process that a Deployment runs. */}}
{{- define "channels.process" -}}
{{- ternary "worker" . (has . (list "pump" "previous")) -}}
{{- end -}}

{{/* The values of a Deployment, as YAML. Workers of the previous release are those of `worker`, in a fixed number. */}}
{{- define "channels.values" -}}
{{- if eq .component "previous" -}}
{{- $fixed := dict "replicas" .root.Values.worker.previous.replicas "autoscaling" (dict "enabled" false "minReplicas" 1 "maxReplicas" 1) -}}
{{- toYaml (merge $fixed (omit .root.Values.worker "autoscaling" "replicas")) -}}
{{- else -}}
{{- toYaml (index .root.Values .component) -}}
{{- end -}}
{{- end -}}

{{/* The roles of a worker, or nothing for the default or the setting. */}}
{{- define "channels.workerRoles" -}}
{{- if eq .component "previous" -}}
main
{{- else if and .root.Values.pump.enabled (has .component (list "worker" "pump")) -}}
{{- if .root.Values.settings.WORKER_ROLES -}}
{{- fail "settings.WORKER_ROLES contradicts pump.enabled, which runs each role in a Deployment of its own. Remove one of them." -}}
{{- end -}}
{{- ternary "pump" "main" (eq .component "pump") -}}
{{- end -}}
{{- end -}}

{{/* "true" for workers that send deliveries: they take the offers of the APIs. */}}
{{- define "channels.takesOffers" -}}
{{- $roles := coalesce (include "channels.workerRoles" .) .root.Values.settings.WORKER_ROLES "pump,main" -}}
{{- if and (eq (include "channels.process" .component) "worker") (contains "pump" $roles) -}}
true
{{- end -}}
{{- end -}}

{{- define "channels.selector" -}}
app.kubernetes.io/name: {{ include "channels.name" .root }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end -}}

{{- define "channels.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version | replace "+" "_" }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
app.kubernetes.io/part-of: {{ include "channels.name" .root }}
{{ include "channels.selector" . }}
{{- end -}}

{{/* A digest names one image for good; a tag can be pushed again. */}}
{{- define "channels.image" -}}
{{- $image := .Values.image -}}
{{- if $image.digest -}}
{{ $image.repository }}{{ with $image.tag }}:{{ . }}{{ end }}@{{ $image.digest }}
{{- else -}}
{{ $image.repository }}:{{ $image.tag | default .Chart.AppVersion }}
{{- end -}}
{{- end -}}

{{- define "channels.serviceAccount" -}}
{{- if .Values.serviceAccount.create -}}
{{ default (include "channels.fullname" .) .Values.serviceAccount.name }}
{{- else -}}
{{ default "default" .Values.serviceAccount.name }}
{{- end -}}
{{- end -}}

{{/* The migration's hook runs before Helm creates the release's ServiceAccount, so it has one of its own. */}}
{{- define "channels.migrationServiceAccount" -}}
{{- if .Values.serviceAccount.create -}}
{{ include "channels.fullname" . }}-migration
{{- else -}}
{{ include "channels.serviceAccount" . }}
{{- end -}}
{{- end -}}

{{/* The chart fixes the ports; clients use a Service. */}}
{{- define "channels.port" -}}
{{- get (dict "api" 3000 "gateway" 3001) . -}}
{{- end -}}

{{- define "channels.metricsPort" -}}
{{- get (dict "api" 9464 "worker" 9465 "gateway" 9466) . -}}
{{- end -}}

{{- define "channels.offersPort" -}}
9470
{{- end -}}

{{- define "channels.dnsEgress" -}}
- ports: [{ port: 53, protocol: UDP }, { port: 53, protocol: TCP }]
{{- end -}}

{{/* Allowed outbound traffic: DNS, PostgreSQL, Temporal, mail and the trace collector by port, the public internet, and the private ranges of
EGRESS_ALLOW_CIDRS. An API also reaches the workers that take its offers. The excluded ranges approximate those of `egress/`. The migration
calls PostgreSQL and Temporal only. */}}
{{- define "channels.defaultEgress" -}}
{{- $policy := .root.Values.networkPolicy -}}
{{ include "channels.dnsEgress" . }}
- ports:
    {{- range $policy.databasePorts }}
    - { port: {{ . }}, protocol: TCP }
    {{- end }}
  {{- with $policy.databaseTo }}
  to: {{- toYaml . | nindent 4 }}
  {{- end }}
{{- if ne .component "gateway" }}
- ports: [{ port: {{ last (splitList ":" .root.Values.temporal.address) }}, protocol: TCP }]
  {{- with $policy.temporalTo }}
  to: {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end }}
{{- if eq .component "api" }}
{{- $root := .root }}
{{- range $component := splitList " " (include "channels.components" $root) }}
{{- $worker := dict "root" $root "component" $component }}
{{- if include "channels.takesOffers" $worker }}
- ports: [{ port: {{ include "channels.offersPort" $root }}, protocol: TCP }]
  to:
    - podSelector:
        matchLabels: {{- include "channels.selector" $worker | nindent 10 }}
{{- end }}
{{- end }}
{{- end }}
{{- if has .component (list "worker" "previous") }}
- ports:
    {{- range $policy.mailPorts }}
    - { port: {{ . }}, protocol: TCP }
    {{- end }}
{{- end }}
{{- if ne .component "migration" }}
{{- with .root.Values.settings.OTEL_EXPORTER_OTLP_ENDPOINT }}
{{- $url := urlParse . }}
- ports:
    - { port: {{ regexFind ":[0-9]+$" $url.host | trimPrefix ":" | default (ternary "443" "80" (eq $url.scheme "https")) }}, protocol: TCP }
  {{- with $policy.collectorTo }}
  to: {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end }}
- to:
    - ipBlock:
        cidr: 0.0.0.0/0
        except: {{- toYaml $policy.privateRanges | nindent 10 }}
    - ipBlock:
        cidr: ::/0
        except: {{- toYaml $policy.privateRangesV6 | nindent 10 }}
{{- with splitList "," (default "" .root.Values.settings.EGRESS_ALLOW_CIDRS | nospace) | compact }}
- to:
    {{- range . }}
    - ipBlock: { cidr: {{ ternary . (printf "%s/%s" . (ternary "128" "32" (contains ":" .))) (contains "/" .) | quote }} }
    {{- end }}
{{- end }}
{{- end }}
{{- with $policy.egressTo }}
{{ toYaml . }}
{{- end }}
{{- end -}}
