// Package rpc answers the services of content and says who may ask. Handlers convert, and read what is shown together.
package rpc

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"net/http"

	"connectrpc.com/connect"
	"google.golang.org/protobuf/proto"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	"serein.app/proto/gen/serein/content/v1/contentv1connect"
	"serein.app/services/content/internal/catalogue"
	"serein.app/services/content/internal/etag"
	"serein.app/services/content/internal/reading"
	"serein.app/services/content/internal/tracks"
	"serein.app/services/platform/auth"
)

// TrackRule lets the gateway read the ambient sounds. It serves them to every visitor.
func TrackRule() auth.Rule { return auth.Rule{Services: []string{"gateway"}} }

// AssetRule lets the gateway read the files of published assets. It serves them to every visitor.
func AssetRule() auth.Rule { return auth.Rule{Services: []string{"gateway"}} }

// Policy says who may call.
func Policy() auth.Policy {
	policy := auth.Policy{
		contentv1connect.CatalogueServiceGetCatalogueProcedure: {Services: []string{"gateway", "generation"}},
		contentv1connect.SearchServiceSearchProcedure:          {Services: []string{"gateway"}, Member: true},
	}
	maps.Copy(policy, managementPolicy())
	maps.Copy(policy, readingPolicy())
	maps.Copy(policy, studioPolicy())
	maps.Copy(policy, shopPolicy())
	return policy
}

// caching lets public caches keep an answer, for times in seconds.
const caching = "public, max-age=60, stale-while-revalidate=600"

// Sounds say where the tracks' sounds are.
type Sounds interface {
	Entry(id string) tracks.Entry
}

// TrackStore has what editors say of ambient tracks.
type TrackStore interface {
	Pages(ctx context.Context, contentType string) ([]reading.Page, error)
	Sounds(ctx context.Context, ids []string) (map[string]string, error)
}

// Catalogue answers CatalogueService.
type Catalogue struct {
	offer  catalogue.Catalogue
	sounds Sounds
	tracks TrackStore
}

var _ contentv1connect.CatalogueServiceHandler = (*Catalogue)(nil)

// NewCatalogue makes the handler.
func NewCatalogue(offer catalogue.Catalogue, sounds Sounds, tracks TrackStore) *Catalogue {
	return &Catalogue{offer, sounds, tracks}
}

// GetCatalogue answers the offer with headers for caches. A Connect GET whose If-None-Match still
// holds is answered 304.
func (c *Catalogue) GetCatalogue(ctx context.Context, _ *contentv1.GetCatalogueRequest) (*contentv1.GetCatalogueResponse, error) {
	res := toProto(c.offer)
	var err error
	if res.Tracks, err = c.offered(ctx); err != nil {
		return nil, err
	}
	return res, mayCache(ctx, res, caching)
}

// mayCache says in the headers for how long an answer may be used; a Connect GET whose If-None-Match still holds ends with
// the error that is 304.
func mayCache(ctx context.Context, res proto.Message, caching string) error {
	tag, err := tagOf(res)
	if err != nil {
		return err
	}
	call, ok := connect.CallInfoForHandlerContext(ctx)
	if !ok {
		return nil
	}
	if call.HTTPMethod() == http.MethodGet && etag.Named(call.RequestHeader().Get("If-None-Match"), tag) {
		return connect.NewNotModifiedError(http.Header{"Etag": {tag}, "Cache-Control": {caching}})
	}
	call.ResponseHeader().Set("ETag", tag)
	call.ResponseHeader().Set("Cache-Control", caching)
	return nil
}

// tagOf is weak: the same answer may be JSON or protobuf, packed or not.
func tagOf(res proto.Message) (string, error) {
	data, err := proto.MarshalOptions{Deterministic: true}.Marshal(res)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(data)
	return `W/"` + hex.EncodeToString(sum[:8]) + `"`, nil
}
