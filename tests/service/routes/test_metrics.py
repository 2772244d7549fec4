"""Metrics for Prometheus."""

from prometheus_client.parser import text_string_to_metric_families


def test_requests_are_counted_by_route_and_not_by_path(client):
    client.get("/v1/documents/tide")
    client.get("/v1/documents/gone")
    answer = client.get("/metrics")
    families = {one.name: one for one in text_string_to_metric_families(answer.text)}
    counted = {
        (one.labels["route"], one.labels["status"]): one.value
        for one in families["dragoman_requests"].samples
        if one.name.endswith("_total")
    }
    assert counted["document", "200"] == 1
    assert counted["document", "404"] == 1
    assert families["dragoman_admitted"].samples[0].value == 0
