"""Turn an audit's output into PASS, FAIL, or NO ANSWER; silence is never a PASS."""

from __future__ import annotations

import json

from tests.audit.justified import JUSTIFIED


def of_bandit(done):
    report = read(done.stdout)
    if not report or report["errors"] or not report["metrics"]["_totals"]["loc"]:
        return "NO ANSWER", last_line(done)
    found, used = [], set()
    for finding in report["results"]:
        why = next((one for one in JUSTIFIED if one.covers(finding)), None)
        used.add(why)
        if why is None:
            found.append(f"{finding['filename']}:{finding['line_number']} {finding['issue_text']}")
    idle = [f"nothing needs the justification {one.test} of {one.path}" for one in set(JUSTIFIED) - used]
    lines = report["metrics"]["_totals"]["loc"]
    accepted = len(report["results"]) - len(found)
    return verdict(found + idle, f"{lines} lines, {accepted} findings justified in tests/audit/justified.py")


def of_pip_audit(done, pins):
    report = read(done.stdout)
    if not report:
        return "NO ANSWER", last_line(done)
    asked = report["dependencies"]
    skipped = [one["name"] for one in asked if "skip_reason" in one]
    if skipped or len(asked) < pins:
        return "NO ANSWER", f"{pins - len(asked) + len(skipped)} of {pins} packages were not looked up"
    found = [f"{one['name']} {one['version']}: {weak['id']}" for one in asked for weak in one["vulns"]]
    return verdict(found, f"{len(asked)} packages")


def of_npm(done):
    report = read(done.stdout)
    if not report or "metadata" not in report or not report["metadata"]["dependencies"]["total"]:
        return "NO ANSWER", (report or {}).get("message") or last_line(done)
    found = [f"{name}: {one['severity']}" for name, one in report.get("vulnerabilities", {}).items()]
    return verdict(found, f"{report['metadata']['dependencies']['total']} packages")


def verdict(found, summary):
    return ("FAIL", "; ".join(found)) if found else ("PASS", summary)


def read(text):
    try:
        return json.loads(text)
    except ValueError:
        return None


def last_line(done):
    said = (done.stderr or done.stdout).strip().splitlines()
    return said[-1] if said else f"it said nothing, status {done.returncode}"
