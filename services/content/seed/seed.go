// Package seed embeds the editors' files: Markdown and YAML. It has no logic: package seeding brings the files into the
// database.
package seed

import "embed"

// FS has all files that become content types, entries and assets. The folder classifier is its own package's.
//
//go:embed *.yaml *.md articles/*.md meditations/*.md assets/*
var FS embed.FS
