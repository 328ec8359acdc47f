package gateway

import (
	"context"
	"net/http"

	"google.golang.org/protobuf/types/known/timestamppb"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	"serein.app/proto/gen/serein/content/v1/contentv1connect"
	"serein.app/services/platform/auth"
	"serein.app/services/platform/rpc"
)

// placeFake is where members stopped listening, as a test says it.
type placeFake struct{ *services }

func placePolicy(policy auth.Policy) auth.Policy {
	for _, procedure := range []string{
		contentv1connect.PlaceServiceStartListeningProcedure, contentv1connect.PlaceServiceSavePlaceProcedure, contentv1connect.PlaceServiceGetPlaceProcedure,
		contentv1connect.PlaceServiceListPlacesProcedure, contentv1connect.PlaceServiceExportPlacesProcedure,
	} {
		policy[procedure] = auth.Rule{Services: []string{"gateway"}, Member: true}
	}
	return policy
}

func (f placeFake) mount(mux *http.ServeMux, r *rpc.Server) {
	mux.Handle(contentv1connect.NewPlaceServiceHandler(f, r.Options()...))
}

// StartListening is held back by another device once, until it is taken over.
func (f placeFake) StartListening(ctx context.Context, req *contentv1.StartListeningRequest) (*contentv1.StartListeningResponse, error) {
	if req.GetItem().GetId() == theirs {
		return nil, errNoItem
	}
	if !req.GetTakeOver() {
		return &contentv1.StartListeningResponse{OtherDevice: true, OtherTitle: "The lake after rain"}, f.heard(ctx, req)
	}
	return &contentv1.StartListeningResponse{Turn: 7, PositionMs: 61_000, LastTurn: 6}, f.heard(ctx, req)
}

func (f placeFake) SavePlace(ctx context.Context, req *contentv1.SavePlaceRequest) (*contentv1.SavePlaceResponse, error) {
	res := &contentv1.SavePlaceResponse{Moved: req.GetTurn() < 7}
	if req.GetPositionMs() == req.GetDurationMs() {
		res.DiaryEntryId = mine
	}
	return res, f.heard(ctx, req)
}

func (f placeFake) GetPlace(ctx context.Context, req *contentv1.GetPlaceRequest) (*contentv1.GetPlaceResponse, error) {
	return &contentv1.GetPlaceResponse{PositionMs: 61_000, Turn: 6}, f.heard(ctx, req)
}

func itemOf(kind contentv1.ItemKind, id string) *contentv1.ItemRef {
	return &contentv1.ItemRef{Kind: kind, Id: id}
}

// ListPlaces are a recording, the member's own, somebody else's, and an article.
func (f placeFake) ListPlaces(ctx context.Context, req *contentv1.ListPlacesRequest) (*contentv1.ListPlacesResponse, error) {
	heard := timestamppb.New(createdAt)
	return &contentv1.ListPlacesResponse{Places: []*contentv1.Place{
		{
			Item: itemOf(contentv1.ItemKind_ITEM_KIND_MEDITATION, lake), PositionMs: 61_000, DurationMs: 492_000, HeardAt: heard,
			Card: &contentv1.Place_Meditation{Meditation: aRecording()},
		},
		{Item: itemOf(contentv1.ItemKind_ITEM_KIND_BESPOKE, mine), PositionMs: 1000, DurationMs: 60_000, HeardAt: heard},
		{Item: itemOf(contentv1.ItemKind_ITEM_KIND_BESPOKE, theirs), PositionMs: 1000, DurationMs: 60_000, HeardAt: heard},
		{
			Item: itemOf(contentv1.ItemKind_ITEM_KIND_ARTICLE, "id-"+openSlug), PositionMs: 1000, DurationMs: 60_000, HeardAt: heard,
			Card: &contentv1.Place_Article{Article: &contentv1.ArticleCard{Id: "id-" + openSlug, Slug: openSlug}},
		},
	}}, f.heard(ctx, req)
}

func (f placeFake) ExportPlaces(ctx context.Context, req *contentv1.ExportPlacesRequest) (*contentv1.ExportPlacesResponse, error) {
	return &contentv1.ExportPlacesResponse{Places: []*contentv1.ExportedPlace{{
		Item: itemOf(contentv1.ItemKind_ITEM_KIND_MEDITATION, lake), Title: "The lake after rain", PositionMs: 61_000, DurationMs: 492_000,
		HeardAt: timestamppb.New(createdAt),
	}}}, f.heard(ctx, req)
}
