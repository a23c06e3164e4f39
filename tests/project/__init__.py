"""The project as it is delivered: commands, demo, image, chart, alerts, README, load tests."""
