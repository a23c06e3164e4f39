{{/* What each value alone cannot tell: the schema sees to the rest. */}}
{{- define "jackpot.check" -}}
{{- $most := include "jackpot.most" . | int -}}
{{- with .Values -}}
{{- if and .sqlite.enabled (gt $most 1) -}}
{{- fail "sqlite.enabled: SQLite is for one process. Set replicas to 1 and autoscaling.enabled to false, or use PostgreSQL." -}}
{{- end -}}
{{- if and .autoscaling.enabled (gt (int .autoscaling.minReplicas) (int .autoscaling.maxReplicas)) -}}
{{- fail "autoscaling: minReplicas is more than maxReplicas." -}}
{{- end -}}
{{- if and .anchors.enabled (not .anchors.claim) (ne .anchors.accessMode "ReadWriteMany") (gt $most 1) -}}
{{- fail "anchors.accessMode: several pods write anchors, each to a file of its own. Use ReadWriteMany, or name a claim that is." -}}
{{- end -}}
{{- if and .serviceMonitor.enabled (not .metrics.enabled) -}}
{{- fail "serviceMonitor.enabled: Prometheus scrapes the port of the metrics. Set metrics.enabled." -}}
{{- end -}}
{{- if and .metrics.enabled (eq (int .metrics.port) 8000) -}}
{{- fail "metrics.port: 8000 is the port of the service. Whoever reaches that must not hear all." -}}
{{- end -}}
{{- if and .metrics.enabled .networkPolicy.enabled (not .networkPolicy.monitoring) -}}
{{- fail "networkPolicy.monitoring: say who may scrape (Prometheus), else nobody could." -}}
{{- end -}}
{{- if and .tlsSecret .serviceMonitor.enabled (not .serviceMonitor.serverName) -}}
{{- fail "serviceMonitor.serverName: with tlsSecret Prometheus needs the name that the certificate is for." -}}
{{- end -}}
{{- if and .networkPolicy.enabled (not .networkPolicy.callers) -}}
{{- fail "networkPolicy.callers: say who may call (the doors' controllers), else nobody could." -}}
{{- end -}}
{{- if regexMatch "(?m)^\\s*(token|password)\\s*=" .floor.content -}}
{{- fail "floor.content: a token or password in plain. A floor file has hashes (jackpot token hash, jackpot password)." -}}
{{- end -}}
{{- include "jackpot.check.doors" .doors -}}
{{- end -}}
{{- end -}}

{{- define "jackpot.check.doors" -}}
{{- $hosts := dict -}}
{{- range $name, $door := . -}}
{{- if $door.enabled -}}
{{- if not $door.host -}}
{{- fail (printf "doors.%s.host: a door needs a host." $name) -}}
{{- end -}}
{{- if hasKey $hosts $door.host -}}
{{- fail (printf "doors.%s.host: %s is the host of doors.%s already. Each door has one of its own." $name $door.host (get $hosts $door.host)) -}}
{{- end -}}
{{- $_ := set $hosts $door.host $name -}}
{{- end -}}
{{- end -}}
{{- if and .signs.enabled (not .signs.links) (not .signs.tables) -}}
{{- fail "doors.signs: name the links, and the tables with a display, that signs may read." -}}
{{- end -}}
{{- end -}}
