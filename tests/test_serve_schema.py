"""The server's own OpenAPI document: whatever it allows or forbids, no answer says that the server broke."""

from collections.abc import Iterator

import httpx2
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import content_type_conformance, response_schema_conformance

from serving import Live, scripted, serving

CHECKS = [not_a_server_error, content_type_conformance, response_schema_conformance]
FEW = settings(
    max_examples=25,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
    phases=[Phase.explicit, Phase.generate],
)


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    with serving(scripted(tmp_path_factory.mktemp("serve"), "a = 1\n")) as started:
        yield started


def test_the_document_tells_of_every_route(live: Live) -> None:
    paths = live.client.get("/openapi.json").json()["paths"]
    assert {"/v1/chat/completions", "/v1/completions", "/v1/apply", "/v1/edit", "/v1/warm", "/v1/models"} <= set(paths)
    assert {"/healthz", "/metrics"} <= set(paths)


@pytest.mark.slow
@pytest.mark.parametrize("mode", list(GenerationMode))
def test_no_request_breaks_the_server(live: Live, mode: GenerationMode) -> None:
    schema = schemathesis.openapi.from_url(f"{live.url}/openapi.json")
    operations = [found.ok() for found in schema.get_all_operations()]
    assert len(operations) >= 9
    for operation in operations:
        if mode is GenerationMode.NEGATIVE and operation.method == "get":
            continue

        @FEW
        @given(case=operation.as_strategy(generation_mode=mode))
        def check(case: schemathesis.Case) -> None:
            case.call_and_validate(checks=CHECKS, timeout=60)

        check()
    assert httpx2.get(f"{live.url}/healthz").json()["status"] == "ok"
