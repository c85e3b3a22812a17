"""No audit passes because it was not answered, and none because something was passed over."""

from __future__ import annotations

import json
from subprocess import CompletedProcess

import pytest
from tests.audit.__main__ import code
from tests.audit.verdicts import of_bandit, of_npm, of_pip_audit

FINDING = {
    "test_id": "B105",
    "filename": "server/enfilade/transport/http/api.py",
    "line_number": 7,
    "issue_text": "Possible hardcoded password",
    "code": '6 \n7 KEY = "token"\n',
}


def said(report, status=0, stderr=""):
    text = report if isinstance(report, str) else json.dumps(report)
    return CompletedProcess([], status, text, stderr)


def packages(*more):
    return {"dependencies": [{"name": "flask", "version": "3.1.3", "vulns": []}, *more]}


def test_the_code_has_no_finding_without_a_reason():
    ((_, (word, sentence)),) = code()
    assert (word, sentence) == ("PASS", sentence)


def test_a_finding_without_a_reason_fails():
    report = {"errors": [], "metrics": {"_totals": {"loc": 9}}, "results": [FINDING]}
    assert of_bandit(said(report))[0] == "FAIL"


def test_a_reason_without_a_finding_fails():
    report = {"errors": [], "metrics": {"_totals": {"loc": 9}}, "results": []}
    assert "nothing needs the justification" in of_bandit(said(report))[1]


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
