"""No audit passes because it was not answered, and none because something was passed over."""

from __future__ import annotations

import json
from subprocess import CompletedProcess

import pytest
from tests.audit.verdicts import of_npm, of_pip_audit


def said(report, status=0, stderr=""):
    text = report if isinstance(report, str) else json.dumps(report)
    return CompletedProcess([], status, text, stderr)


def packages(*more):
    return {"dependencies": [{"name": "flask", "version": "3.1.3", "vulns": []}, *more]}


def test_an_audit_without_findings_passes():
    assert of_pip_audit(said(packages()), 1) == ("PASS", "1 packages")


@pytest.mark.parametrize(
    "answer",
    [
        said("", 1, "ERROR: Dependency not found on PyPI and could not be audited: alembic (1.20.1)"),
        said(packages({"name": "alembic", "skip_reason": "not found"})),
        said(packages()),
        said({"dependencies": []}),
    ],
    ids=["nothing said", "one skipped", "one missing", "all missing"],
)
def test_a_package_without_an_answer_is_not_a_pass(answer):
    assert of_pip_audit(answer, 2)[0] == "NO ANSWER"


def test_a_known_vulnerability_fails_by_its_name():
    weak = {"name": "python-engineio", "version": "4.13.1", "vulns": [{"id": "GHSA-cgwc-pv48-fhj5"}]}
    assert of_pip_audit(said(packages(weak), 1), 2) == (
        "FAIL",
        "python-engineio 4.13.1: GHSA-cgwc-pv48-fhj5",
    )


def test_a_silent_registry_is_not_a_pass():
    refused = {"message": "405 Method Not Allowed", "statusCode": 405}
    assert of_npm(said(refused, 1)) == ("NO ANSWER", "405 Method Not Allowed")
    assert of_npm(said({"metadata": {"dependencies": {"total": 0}}}))[0] == "NO ANSWER"


def test_a_registrys_answer_decides():
    report = {"metadata": {"dependencies": {"total": 83}}}
    assert of_npm(said(report)) == ("PASS", "83 packages")
    assert of_npm(said({**report, "vulnerabilities": {"ws": {"severity": "high"}}}, 1))[0] == "FAIL"
