#!/bin/sh
# Prints the path of a Chromium for the browser tests; installs Debian's where it can (as root). Status 1 where there is none.
#   chromium.sh          the whole browser
#   chromium.sh light    Chromium's headless shell: the same pages without windows, for a quarter less work; else the whole browser
found() {
  for candidate in "${CHROMIUM:-}" "$@" /usr/bin/chromium /usr/bin/chromium-browser /usr/bin/google-chrome /snap/bin/chromium; do
    if [ -n "$candidate" ] && [ -x "$candidate" ]; then echo "$candidate" && return 0; fi
  done
  return 1
}

can_install() { command -v apt-get >/dev/null && [ "$(id -u)" = 0 ]; }
install() { DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "$1" >&2; }

light=/usr/bin/chromium-headless-shell
if [ "${1:-}" = light ]; then
  if [ -z "${CHROMIUM:-}" ] && [ ! -x $light ] && can_install; then
    found >/dev/null || apt-get update -qq >&2
    apt-cache show chromium-headless-shell >/dev/null 2>&1 && install chromium-headless-shell
  fi
  found $light && exit 0
fi
found && exit 0
if can_install; then apt-get update -qq >&2 && install chromium; fi
found
