{{- define "jackpot.environment" -}}
- name: POD_NAME
  valueFrom:
    fieldRef:
      fieldPath: metadata.name
- name: JACKPOT_HOST
  value: {{ .Values.listen | quote }}
- name: JACKPOT_PORT
  value: "8000"
{{- if .Values.metrics.enabled }}
- name: JACKPOT_METRICS_PORT
  value: {{ .Values.metrics.port | quote }}
{{- end }}
- name: JACKPOT_FLOOR
  value: /etc/jackpot/floor/floor.toml
{{ include "jackpot.store" (dict "root" . "secret" .Values.database.secret "key" .Values.database.key) }}
{{- if .Values.redis.secret }}
- name: JACKPOT_REDIS_URL
  valueFrom:
    secretKeyRef:
      name: {{ .Values.redis.secret }}
      key: {{ .Values.redis.key }}
{{- end }}
{{- if .Values.anchors.enabled }}
- name: JACKPOT_ANCHORS
  value: /var/lib/jackpot/anchors/$(POD_NAME).jsonl
- name: JACKPOT_ANCHOR_KEY
  value: /etc/jackpot/anchor/anchor.pem
{{- end }}
{{- if .Values.tlsSecret }}
- name: JACKPOT_TLS_CERT
  value: /etc/jackpot/tls/tls.crt
- name: JACKPOT_TLS_KEY
  value: /etc/jackpot/tls/tls.key
{{- end }}
{{- if .Values.webhooks.keySecret }}
- name: JACKPOT_WEBHOOKS_KEY
  value: /etc/jackpot/webhooks/webhooks.key
{{- end }}
{{- range $name, $value := .Values.settings }}
- name: JACKPOT_{{ $name | snakecase | upper }}
  value: {{ $value | toString | quote }}
{{- end }}
{{- end -}}

{{- define "jackpot.service.mounts" -}}
{{ include "jackpot.mounts" . }}
- name: floor
  mountPath: /etc/jackpot/floor
  readOnly: true
{{- if .Values.tlsSecret }}
- name: tls
  mountPath: /etc/jackpot/tls
  readOnly: true
{{- end }}
{{- if .Values.webhooks.keySecret }}
- name: webhooks-key
  mountPath: /etc/jackpot/webhooks
  readOnly: true
{{- end }}
{{- if .Values.anchors.enabled }}
- name: anchors
  mountPath: /var/lib/jackpot/anchors
- name: anchor-key
  mountPath: /etc/jackpot/anchor
  readOnly: true
{{- end }}
{{- end -}}

{{- define "jackpot.service.volumes" -}}
{{ include "jackpot.volumes" . }}
- name: floor
  {{- if .Values.floor.content }}
  configMap:
    name: {{ include "jackpot.name" . }}-floor
    items:
  {{- else }}
  secret:
    secretName: {{ .Values.floor.secret }}
    defaultMode: 0440
    items:
  {{- end }}
      - key: {{ ternary "floor.toml" .Values.floor.key (not (empty .Values.floor.content)) }}
        path: floor.toml
{{- with .Values.tlsSecret }}
- name: tls
  secret:
    secretName: {{ . }}
    defaultMode: 0440
    items:
      - key: tls.crt
        path: tls.crt
      - key: tls.key
        path: tls.key
{{- end }}
{{- with .Values.webhooks }}
{{- if .keySecret }}
- name: webhooks-key
  secret:
    secretName: {{ .keySecret }}
    defaultMode: 0440
    items:
      - key: {{ .key }}
        path: webhooks.key
{{- end }}
{{- end }}
{{- with .Values.anchors }}
{{- if .enabled }}
- name: anchors
  persistentVolumeClaim:
    claimName: {{ .claim | default (printf "%s-anchors" (include "jackpot.name" $)) }}
- name: anchor-key
  secret:
    secretName: {{ .keySecret }}
    defaultMode: 0440
    items:
      - key: {{ .key }}
        path: anchor.pem
{{- end }}
{{- end }}
{{- end -}}

{{- define "jackpot.probes" -}}
startupProbe:
  httpGet:
    path: /readyz
    port: http
    scheme: {{ include "jackpot.scheme" . | upper }}
  {{- toYaml .Values.probes.startup | nindent 2 }}
livenessProbe:
  httpGet:
    path: /healthz
    port: http
    scheme: {{ include "jackpot.scheme" . | upper }}
  {{- toYaml .Values.probes.liveness | nindent 2 }}
readinessProbe:
  httpGet:
    path: /readyz
    port: http
    scheme: {{ include "jackpot.scheme" . | upper }}
  {{- toYaml .Values.probes.readiness | nindent 2 }}
{{- end -}}
