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
api worker gateway{{ if .Values.pump.enabled }} pump{{ end }}
{{- end -}}

{{/* The process that a Deployment runs. */}}
{{- define "channels.process" -}}
{{- ternary "worker" . (eq . "pump") -}}
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

{{- define "channels.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end -}}

{{/* The chart fixes the ports; clients use a Service. */}}
{{- define "channels.port" -}}
{{- get (dict "api" 3000 "gateway" 3001) . -}}
{{- end -}}

{{- define "channels.metricsPort" -}}
{{- get (dict "api" 9464 "worker" 9465 "gateway" 9466) . -}}
{{- end -}}

{{/* Allowed outbound traffic: DNS, PostgreSQL, Temporal and mail by port, the public internet, and the private ranges of
EGRESS_ALLOW_CIDRS. The excluded ranges approximate those of `egress/`. */}}
{{- define "channels.defaultEgress" -}}
{{- $policy := .root.Values.networkPolicy -}}
- ports: [{ port: 53, protocol: UDP }, { port: 53, protocol: TCP }]
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
{{- if eq .component "worker" }}
- ports:
    {{- range $policy.mailPorts }}
    - { port: {{ . }}, protocol: TCP }
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
{{- with $policy.egressTo }}
{{ toYaml . }}
{{- end }}
{{- end -}}
