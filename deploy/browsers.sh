#!/usr/bin/env bash
# browsers.sh: installs Debian's Firefox ESR and WebKitGTK, with what drives them, beside Chromium, for make e2e-full: Chromium's driver,
# WebKit's small browser and driver, a screen, a keyboard and a loudspeaker that are not there, and the decoder of MP3. Firefox is driven by its own protocol and needs
# no driver. They take some 600 MB. Their versions are those that Debian's release has at the moment: it keeps no older ones.
set -euo pipefail
programs=(firefox-esr chromedriver WebKitWebDriver Xvfb xdotool pulseaudio)
packages=(
  firefox-esr chromium-driver webkit2gtk-driver xvfb xdotool
  pulseaudio gstreamer1.0-pulseaudio gstreamer1.0-plugins-base gstreamer1.0-plugins-good gstreamer1.0-libav
)

missing() {
  local program
  for program in "${programs[@]}"; do
    command -v "$program" >/dev/null || return 0
  done
  return 1
}

missing || exit 0
"${0%/*}/debian.sh" "Firefox ESR and WebKitGTK" "install ${packages[*]}" "${packages[@]}" >&2
! missing
