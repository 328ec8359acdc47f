package gateway

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	"serein.app/proto/gen/serein/content/v1/contentv1connect"
	errorsv1 "serein.app/proto/gen/serein/errors/v1"
	"serein.app/services/platform/auth"
	"serein.app/services/platform/errs"
	"serein.app/services/platform/rpc"
)

// createdAt is when things of content were made.
var createdAt = time.Date(2026, 11, 3, 9, 0, 0, 0, time.UTC)

// lake is saved by everybody, bench by nobody.
const (
	lake  = "the-lake-after-rain"
	bench = "a-bench-in-the-square"
)

var errNoRecording = errs.New(errs.NotFound, errorsv1.Reason_REASON_ITEM_NOT_FOUND, "There is no such meditation.")

// libraryFake is content's library and search.
type libraryFake struct{ *services }

// libraryPolicy is what content lets the gateway ask in a member's name.
func libraryPolicy(policy auth.Policy) auth.Policy {
	member := auth.Rule{Services: []string{"gateway"}, Member: true}
	policy[contentv1connect.LibraryServiceListMeditationsProcedure] = auth.Rule{Services: []string{"gateway"}, Member: true, Scope: "serein.library.read"}
	policy[contentv1connect.LibraryServiceGetMeditationProcedure] = member
	policy[contentv1connect.SearchServiceSearchProcedure] = member
	return policy
}

func (f libraryFake) mount(mux *http.ServeMux, r *rpc.Server) {
	mux.Handle(contentv1connect.NewLibraryServiceHandler(f, r.Options()...))
	mux.Handle(contentv1connect.NewSearchServiceHandler(f, r.Options()...))
}

func aRecording() *contentv1.MeditationCard {
	return &contentv1.MeditationCard{
		Id: lake, Title: "The lake after rain", Category: &contentv1.Category{Id: "better-sleep", Name: "Better Sleep", Confidence: 100}, Immersive: true,
		Verified: true, NarratorName: "Maren", AudioPath: "narrations/3f2a.mp3", AudioSeconds: 492, Standing: &contentv1.Standing{Likes: 4, Saved: true}, CreatedAt: timestamppb.New(createdAt),
	}
}

func (f libraryFake) ListMeditations(ctx context.Context, req *contentv1.ListMeditationsRequest) (*contentv1.ListMeditationsResponse, error) {
	card := aRecording()
	if req.GetPageSize() == 100 && req.GetCategory() != "" { // of which a suggestion is drawn
		card.Id, card.Standing.Saved = bench, false
	}
	return &contentv1.ListMeditationsResponse{
		Meditations: []*contentv1.MeditationCard{card}, Scripts: []*contentv1.MeditationScript{{Paragraphs: []string{"Rest here.", "Breathe."}, CreatedBy: someone}}, Total: 1, All: 29, Voice: 13, Immersive: 16, Narrating: 12, Narrated: 29, NextPageToken: "next",
		Categories: []*contentv1.CategoryCount{{Id: "better-sleep", Name: "Better Sleep", Count: 3}},
	}, f.heard(ctx, req)
}

func (f libraryFake) GetMeditation(ctx context.Context, req *contentv1.GetMeditationRequest) (*contentv1.GetMeditationResponse, error) {
	if req.GetId() != lake {
		return nil, errNoRecording
	}
	return &contentv1.GetMeditationResponse{Card: aRecording(), Paragraphs: []string{"Rest here."}}, f.heard(ctx, req)
}

func (f libraryFake) Search(ctx context.Context, req *contentv1.SearchRequest) (*contentv1.SearchResponse, error) {
	if req.GetKind() == contentv1.ItemKind_ITEM_KIND_BESPOKE {
		return &contentv1.SearchResponse{Groups: []*contentv1.SearchGroup{f.searchBespoke(ctx, req)}}, f.heard(ctx, req)
	}
	return &contentv1.SearchResponse{
		Groups: []*contentv1.SearchGroup{{
			Kind: contentv1.ItemKind_ITEM_KIND_MEDITATION, Total: 4, Matches: []*contentv1.Match{{
				Item:  &contentv1.ItemRef{Kind: contentv1.ItemKind_ITEM_KIND_MEDITATION, Id: lake},
				Title: []*contentv1.Piece{{Text: "The lake after "}, {Text: "rain", Matched: true}}, Immersive: true, AudioSeconds: 492,
			}},
		}},
		Categories: []*contentv1.CategoryCount{{Id: "better-sleep", Name: "Better Sleep", Count: 3}},
	}, f.heard(ctx, req)
}

// searchBespoke finds the member's own by their titles, the last first, and one that is gone.
func (f libraryFake) searchBespoke(ctx context.Context, req *contentv1.SearchRequest) *contentv1.SearchGroup {
	f.mu.Lock()
	defer f.mu.Unlock()
	ids := []string{theirs}
	for _, o := range f.meditations {
		if o.uid == auth.Member(ctx) && strings.Contains(o.m.GetTitle(), req.GetText()) && (o.m.GetDeletesAt() != nil) == req.GetDeleted() {
			ids = append(ids, o.m.GetId())
		}
	}
	slices.Reverse(ids)
	group := &contentv1.SearchGroup{Kind: contentv1.ItemKind_ITEM_KIND_BESPOKE, Total: int32(len(ids)), NextPageToken: "further"}
	for _, id := range ids {
		group.Matches = append(group.Matches, &contentv1.Match{Item: &contentv1.ItemRef{Kind: group.GetKind(), Id: id}})
	}
	return group
}
