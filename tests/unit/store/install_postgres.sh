#!/bin/sh
# Installs Debian's PostgreSQL, if there is none and this is root on Debian. Elsewhere its tests say that they
# were skipped, and with CI set they fail.
set -eu
for initdb in "$(command -v initdb || true)" /usr/lib/postgresql/*/bin/initdb; do
    [ -x "$initdb" ] && exit 0
done
if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null; then
    echo "PostgreSQL is not installed: the store's tests will skip it." >&2
    exit 0
fi
# No cluster of Debian's own: the tests make theirs.
mkdir -p /etc/postgresql-common
[ -e /etc/postgresql-common/createcluster.conf ] || echo 'create_main_cluster = false' > /etc/postgresql-common/createcluster.conf
export DEBIAN_FRONTEND=noninteractive
apt-get update -qq || true
apt-get install -y -qq --no-install-recommends postgresql >/dev/null || echo "PostgreSQL could not be installed." >&2
