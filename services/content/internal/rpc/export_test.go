package rpc

import "serein.app/services/content/internal/reading"

// PlaceToken and ParsePlace are the tokens of the lists that readers page through.
var (
	PlaceToken = func(p reading.Place) string { return toPageToken(p) }
	ParsePlace = func(token string) (reading.Place, error) { return fromPageToken(token, reading.First) }
)
