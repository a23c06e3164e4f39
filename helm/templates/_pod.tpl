{{/* What the pods that serve and those that migrate have in common. */}}
{{- define "jackpot.pod" -}}
automountServiceAccountToken: false
{{- /* A service called "jackpot" would otherwise set JACKPOT_PORT in every pod beside it. */}}
enableServiceLinks: false
{{- with .Values.image.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
securityContext:
  runAsNonRoot: true
  {{- with .Values.user }}
  runAsUser: {{ . }}
  runAsGroup: {{ . }}
  fsGroup: {{ . }}
  fsGroupChangePolicy: OnRootMismatch
  {{- end }}
  seccompProfile:
    type: RuntimeDefault
{{- with .Values.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- with .Values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{- define "jackpot.container" -}}
image: {{ include "jackpot.image" . }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities:
    drop: [ALL]
{{- with .Values.resources }}
resources:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{/* Where the book is. Takes a secret and its key: those who migrate may have another role. */}}
{{- define "jackpot.store" -}}
{{- $values := .root.Values -}}
- name: JACKPOT_DATABASE_URL
  {{- if $values.sqlite.enabled }}
  value: sqlite+aiosqlite:////var/lib/jackpot/book/book.db
  {{- else }}
  valueFrom:
    secretKeyRef:
      name: {{ .secret }}
      key: {{ .key }}
  {{- end }}
{{- with $values.database.sslMode }}
- name: PGSSLMODE
  value: {{ . }}
{{- end }}
{{- if $values.authorities.configMap }}
- name: PGSSLROOTCERT
  value: /etc/jackpot/authorities/ca.crt
- name: SSL_CERT_FILE
  value: /etc/jackpot/authorities/ca.crt
{{- end }}
{{- end -}}

{{- define "jackpot.mounts" -}}
- name: tmp
  mountPath: /tmp
{{- if .Values.authorities.configMap }}
- name: authorities
  mountPath: /etc/jackpot/authorities
  readOnly: true
{{- end }}
{{- if .Values.sqlite.enabled }}
- name: book
  mountPath: /var/lib/jackpot/book
{{- end }}
{{- end -}}

{{- define "jackpot.volumes" -}}
- name: tmp
  emptyDir:
    sizeLimit: 64Mi
{{- with .Values.authorities }}
{{- if .configMap }}
- name: authorities
  configMap:
    name: {{ .configMap }}
    items:
      - key: {{ .key }}
        path: ca.crt
{{- end }}
{{- end }}
{{- if .Values.sqlite.enabled }}
- name: book
  persistentVolumeClaim:
    claimName: {{ .Values.sqlite.claim | default (printf "%s-book" (include "jackpot.name" .)) }}
{{- end }}
{{- end -}}
