"""Turn an audit's output into PASS, FAIL, or NO ANSWER; silence is never a PASS."""

from __future__ import annotations

import json


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
