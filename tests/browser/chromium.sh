#!/bin/sh
# Prints the path of a Chromium for the browser tests; installs Debian's where it can (as root). Status 1 where there is none.
found() {
  for candidate in "${CHROMIUM:-}" /usr/bin/chromium /usr/bin/chromium-browser /usr/bin/google-chrome /snap/bin/chromium; do
    if [ -n "$candidate" ] && [ -x "$candidate" ]; then echo "$candidate" && return 0; fi
  done
  return 1
}

found && exit 0
if command -v apt-get >/dev/null && [ "$(id -u)" = 0 ]; then
  { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq chromium; } >&2
fi
found
