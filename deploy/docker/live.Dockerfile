# syntax=docker/dockerfile:1
# The image of a program while it is worked on. Tilt builds it from a folder that live.sh has filled: the program is compiled on the
# developer's machine, where Go's caches are, and not in a container that gets the whole repository.
#
# It stands on Alpine and not on an empty root, because Tilt runs `tar` and `rm` in the container to bring changed files, and `kill` after
# them. What is released is built by the Dockerfile beside it.
FROM docker.io/library/alpine:3.22.2 AS live
COPY zoneinfo.zip /zoneinfo.zip
COPY live /bin/live
COPY wasm /wasm
# The program, and for the gateway the app: what Tilt may bring again.
COPY image /image
ENV ZONEINFO=/zoneinfo.zip
USER 65532:65532
ENTRYPOINT ["/bin/live", "/image", "/live", "program"]
