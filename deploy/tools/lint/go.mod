// The linter, pinned, apart from the generators: it takes minutes to build and only
// `make lint` and CI need it.
module serein.app/deploy/tools/lint

go 1.26.0
