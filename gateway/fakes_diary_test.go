package gateway

import (
	"context"
	"net/http"

	"google.golang.org/protobuf/types/known/timestamppb"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	"serein.app/proto/gen/serein/content/v1/contentv1connect"
	errorsv1 "serein.app/proto/gen/serein/errors/v1"
	"serein.app/services/platform/auth"
	"serein.app/services/platform/errs"
	"serein.app/services/platform/rpc"
)

// sat is the entry that the member wrote by hand.
const sat = "0192f0c1-0000-7000-8000-0000000000d1"

// diaryFake is a listening diary, as a test says it.
type diaryFake struct{ *services }

var errNoEntry = errs.New(errs.NotFound, errorsv1.Reason_REASON_DIARY_ENTRY_NOT_FOUND, "That entry isn’t in your diary.")

func diaryPolicy(policy auth.Policy) auth.Policy {
	for _, procedure := range []string{
		contentv1connect.DiaryServiceSetKeepingProcedure, contentv1connect.DiaryServiceListEntriesProcedure, contentv1connect.DiaryServiceAddEntryProcedure,
		contentv1connect.DiaryServiceChangeEntryProcedure, contentv1connect.DiaryServiceRemoveEntryProcedure,
		contentv1connect.DiaryServiceRestoreEntryProcedure, contentv1connect.DiaryServiceEmptyDiaryProcedure,
	} {
		policy[procedure] = auth.Rule{Services: []string{"gateway"}, Member: true}
	}
	return policy
}

func (f diaryFake) mount(mux *http.ServeMux, r *rpc.Server) {
	mux.Handle(contentv1connect.NewDiaryServiceHandler(f, r.Options()...))
}

func (f diaryFake) SetKeeping(ctx context.Context, req *contentv1.SetKeepingRequest) (*contentv1.SetKeepingResponse, error) {
	return &contentv1.SetKeepingResponse{}, f.heard(ctx, req)
}

// anEntry is a sitting with the library's lake.
func anEntry(id, line string) *contentv1.DiaryEntry {
	return &contentv1.DiaryEntry{
		Id: id, Day: "2026-11-03", At: timestamppb.New(createdAt), Item: itemOf(contentv1.ItemKind_ITEM_KIND_MEDITATION, lake), Title: "The lake after rain",
		HeardMs: 492_000, Finished: true, Line: line, Available: true, Immersive: true,
	}
}

// ListEntries are two pages of one entry each.
func (f diaryFake) ListEntries(ctx context.Context, req *contentv1.ListEntriesRequest) (*contentv1.ListEntriesResponse, error) {
	res := &contentv1.ListEntriesResponse{Entries: []*contentv1.DiaryEntry{anEntry(mine, "Slept.")}, NextPageToken: "older", Keeping: true}
	if req.GetPageToken() == "older" {
		res.NextPageToken = ""
		res.Entries = []*contentv1.DiaryEntry{{Id: sat, Day: "2026-11-02", At: timestamppb.New(createdAt), Line: "Sat by myself.", ByHand: true}}
	}
	return res, f.heard(ctx, req)
}

func (f diaryFake) AddEntry(ctx context.Context, req *contentv1.AddEntryRequest) (*contentv1.AddEntryResponse, error) {
	added := &contentv1.DiaryEntry{Id: req.GetId(), Day: req.GetDay(), At: timestamppb.New(createdAt), Line: req.GetLine(), ByHand: true}
	return &contentv1.AddEntryResponse{Entry: added}, f.heard(ctx, req)
}

func (f diaryFake) ChangeEntry(ctx context.Context, req *contentv1.ChangeEntryRequest) (*contentv1.ChangeEntryResponse, error) {
	if req.GetId() == theirs {
		return nil, errNoEntry
	}
	return &contentv1.ChangeEntryResponse{Entry: anEntry(req.GetId(), req.GetLine())}, f.heard(ctx, req)
}

func (f diaryFake) RemoveEntry(ctx context.Context, req *contentv1.RemoveEntryRequest) (*contentv1.RemoveEntryResponse, error) {
	return &contentv1.RemoveEntryResponse{}, f.heard(ctx, req)
}

func (f diaryFake) RestoreEntry(ctx context.Context, req *contentv1.RestoreEntryRequest) (*contentv1.RestoreEntryResponse, error) {
	if req.GetId() == theirs {
		return nil, errNoEntry
	}
	return &contentv1.RestoreEntryResponse{Entry: anEntry(req.GetId(), "Slept.")}, f.heard(ctx, req)
}

func (f diaryFake) EmptyDiary(ctx context.Context, req *contentv1.EmptyDiaryRequest) (*contentv1.EmptyDiaryResponse, error) {
	return &contentv1.EmptyDiaryResponse{}, f.heard(ctx, req)
}
