"""What Prometheus and probes are told: every figure is read when somebody asks, none is counted here but
commits."""
