package rpc

import (
	"context"
	"maps"
	"slices"

	"serein.app/services/platform/auth"
)

// Scopes of service accounts, those of the gateway's REST calls.
const (
	// ArticlesScope reads articles to their end.
	ArticlesScope = "serein.article.read"
	// LibraryScope reads the library as its subscribers do.
	LibraryScope = "serein.library.read"
	// MakeArticlesScope makes articles.
	MakeArticlesScope = "serein.article.write"
	// MakeLibraryScope makes meditations of the library, and judges them.
	MakeLibraryScope = "serein.library.write"
)

// entitlements are what a scope of a service account opens, in the words of a plan.
var entitlements = map[string]string{ArticlesScope: "articles", LibraryScope: "library"}

// readerOf is who is read for. A service account has no plan; it reads what its scopes are for.
func readerOf(ctx context.Context) auth.Subject {
	caller, _ := auth.CallerFrom(ctx)
	if !caller.IsAccount() {
		return auth.SubjectFrom(ctx)
	}
	reader := auth.Subject{}
	for _, scope := range slices.Sorted(maps.Keys(entitlements)) {
		if slices.Contains(caller.Scopes, scope) {
			reader.Entitlements = append(reader.Entitlements, entitlements[scope])
		}
	}
	return reader
}
