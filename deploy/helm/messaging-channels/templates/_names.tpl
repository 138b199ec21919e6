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

{{/* Ports are the chart's: whoever reaches the pods goes through a Service. */}}
{{- define "channels.port" -}}
{{- get (dict "api" 3000 "gateway" 3001) . -}}
{{- end -}}

{{- define "channels.metricsPort" -}}
{{- get (dict "api" 9464 "worker" 9465 "gateway" 9466) . -}}
{{- end -}}
