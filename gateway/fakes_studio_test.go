package gateway

import (
	"context"
	"net/http"

	"connectrpc.com/connect"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"
	"google.golang.org/protobuf/types/known/timestamppb"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	"serein.app/proto/gen/serein/content/v1/contentv1connect"
	errorsv1 "serein.app/proto/gen/serein/errors/v1"
	"serein.app/services/platform/auth"
	"serein.app/services/platform/errs"
	"serein.app/services/platform/rpc"
)

// errVersion is content's answer to a change of a version that is another by now.
var errVersion = errs.New(errs.Conflict, errorsv1.Reason_REASON_VERSION_MISMATCH, "Somebody has changed it since.")

// studioPolicy of content: all but the catalogue is for admins.
func studioPolicy() auth.Policy {
	admin := auth.Rule{Services: []string{"gateway"}, Member: true, Admin: true}
	policy := auth.Policy{}
	for _, m := range methods(filesOf("serein.content.v1")...) {
		policy[m.procedure] = admin
	}
	library := auth.Rule{Services: []string{"gateway"}, Admin: true, Scope: "serein.library.write"}
	readers, members := auth.Rule{Services: []string{"gateway"}}, auth.Rule{Services: []string{"gateway"}, Member: true}
	for procedure, rule := range map[string]auth.Rule{
		contentv1connect.CatalogueServiceGetCatalogueProcedure: readers,
		contentv1connect.ShopServiceGetShopProcedure:           readers,
		contentv1connect.ArticleServiceListArticlesProcedure:   {Services: []string{"gateway"}, Scope: "serein.article.read"},
		contentv1connect.ArticleServiceGetArticleProcedure:     readers,
		contentv1connect.PageServiceGetHomeProcedure:           readers,
		contentv1connect.PageServiceGetTextProcedure:           readers,
		contentv1connect.PageServiceGetSitemapProcedure:        readers,
		contentv1connect.ItemServiceSetLikeProcedure:           members,
		contentv1connect.ItemServiceSetSavedProcedure:          members,
		contentv1connect.ItemServiceToggleLikeProcedure:        members,
		contentv1connect.ItemServiceListSavedProcedure:         members,
		contentv1connect.ItemServiceCountSavedProcedure:        members,
		contentv1connect.ItemServiceReplaceKeptProcedure:       members,
		contentv1connect.ItemServiceListKeptProcedure:          {Services: []string{"gateway"}, Member: true, Delegated: true},
		contentv1connect.ItemServiceBatchGetBespokeProcedure:   {Services: []string{"gateway"}, Member: true, Delegated: true},

		contentv1connect.StudioServiceMakeArticleProcedure:      {Services: []string{"gateway"}, Admin: true, Scope: "serein.article.write"},
		contentv1connect.StudioServiceMakeMeditationProcedure:   library,
		contentv1connect.StudioServiceVerifyMeditationProcedure: library,
		contentv1connect.StudioServiceDeleteMeditationProcedure: library,
	} {
		policy[procedure] = rule
	}
	return policy
}

func (s *services) mountStudio(mux *http.ServeMux, r *rpc.Server) {
	options := append(r.Options(), connect.WithReadMaxBytes(16<<20))
	mux.Handle(contentv1connect.NewStudioServiceHandler(s, options...))
	mux.Handle(contentv1connect.NewManagementServiceHandler(s, options...))
}

// heard keeps the last request of a kind, and fails where the test says so.
func (s *services) heard(ctx context.Context, req proto.Message) error {
	err := s.fault(ctx)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests[string(req.ProtoReflect().Descriptor().Name())] = req
	return err
}

// lastRequest of a name that reached content; nil: none did.
func (s *services) lastRequest(name string) proto.Message {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.requests[name]
}

func aMade() *contentv1.Made {
	return &contentv1.Made{
		Item: &contentv1.ItemRef{Kind: contentv1.ItemKind_ITEM_KIND_MEDITATION, Id: "a-gate"}, Title: "A gate closing softly",
		Type: "Better Sleep", Practice: "Zen (Zazen)", Category: &contentv1.Category{Id: "better-sleep", Name: "Better Sleep", Confidence: 100},
		Immersive: true, AudioPath: "narrations/3f2a.mp3", AudioSeconds: 42, GeneratedBy: "Ada", CreatedAt: timestamppb.New(createdAt),
		Narration: &contentv1.Narration{State: contentv1.NarrationState_NARRATION_STATE_NARRATING, PassagesDone: 3, PassagesTotal: 6},
	}
}

func anItem() *contentv1.Item {
	fields, _ := structpb.NewStruct(map[string]any{"title": map[string]any{"en-GB": "On rain"}})
	return &contentv1.Item{Id: "on-rain", ContentType: "article", Title: "On rain", Version: 3, PublishedVersion: 2, Fields: fields}
}

func (s *services) MakeMeditation(ctx context.Context, req *contentv1.MakeMeditationRequest) (*contentv1.MakeMeditationResponse, error) {
	return &contentv1.MakeMeditationResponse{Made: aMade(), Script: &contentv1.MeditationScript{Paragraphs: []string{"Lie down."}, CreatedBy: someone}}, s.heard(ctx, req)
}

func (s *services) MakeArticle(ctx context.Context, req *contentv1.MakeArticleRequest) (*contentv1.MakeArticleResponse, error) {
	made := aMade()
	made.Categories = []*contentv1.Category{made.GetCategory(), {Id: "gratitude", Name: "Gratitude", Confidence: 41}}
	return &contentv1.MakeArticleResponse{Made: made, Text: &contentv1.ArticleText{Html: "<p>Rest.</p>", Plain: "Rest."}}, s.heard(ctx, req)
}

func (s *services) Preview(ctx context.Context, req *contentv1.PreviewRequest) (*contentv1.PreviewResponse, error) {
	return &contentv1.PreviewResponse{Mp3: []byte("sound"), DurationMs: 1500, NarratorName: "Maren"}, s.heard(ctx, req)
}

func (s *services) ListMade(ctx context.Context, req *contentv1.ListMadeRequest) (*contentv1.ListMadeResponse, error) {
	return &contentv1.ListMadeResponse{Made: []*contentv1.Made{aMade()}, NextPageToken: "next", Unverified: 4}, s.heard(ctx, req)
}

// judged is heard for a meditation that there is: one without an id there is not.
func (s *services) judged(ctx context.Context, req interface {
	proto.Message
	GetId() string
},
) error {
	if err := s.heard(ctx, req); err != nil || req.GetId() != "" {
		return err
	}
	return errNoItem
}

func (s *services) VerifyMeditation(ctx context.Context, req *contentv1.VerifyMeditationRequest) (*contentv1.VerifyMeditationResponse, error) {
	return &contentv1.VerifyMeditationResponse{Made: aMade()}, s.judged(ctx, req)
}

func (s *services) DeleteMeditation(ctx context.Context, req *contentv1.DeleteMeditationRequest) (*contentv1.DeleteMeditationResponse, error) {
	return &contentv1.DeleteMeditationResponse{Made: aMade()}, s.judged(ctx, req)
}

func (s *services) RestoreMeditation(ctx context.Context, req *contentv1.RestoreMeditationRequest) (*contentv1.RestoreMeditationResponse, error) {
	return &contentv1.RestoreMeditationResponse{Made: aMade()}, s.judged(ctx, req)
}

func (s *services) ListContentTypes(ctx context.Context, req *contentv1.ListContentTypesRequest) (*contentv1.ListContentTypesResponse, error) {
	return &contentv1.ListContentTypesResponse{ContentTypes: []*contentv1.ContentType{{
		Id: "article", Name: "Article", DisplayField: "title", Items: 16,
		Fields: []*contentv1.Field{{Id: "tags", Name: "Tags", Type: "Array", ItemsType: "Symbol", Required: true, Disabled: true}},
	}}}, s.heard(ctx, req)
}

func (s *services) ListItems(ctx context.Context, req *contentv1.ListItemsRequest) (*contentv1.ListItemsResponse, error) {
	return &contentv1.ListItemsResponse{Items: []*contentv1.Item{anItem()}, NextPageToken: "next"}, s.heard(ctx, req)
}

func (s *services) GetItem(ctx context.Context, req *contentv1.GetItemRequest) (*contentv1.GetItemResponse, error) {
	return &contentv1.GetItemResponse{Item: anItem()}, s.heard(ctx, req)
}

func (s *services) CreateItem(ctx context.Context, req *contentv1.CreateItemRequest) (*contentv1.CreateItemResponse, error) {
	return &contentv1.CreateItemResponse{Item: anItem()}, s.heard(ctx, req)
}

func (s *services) UpdateItem(ctx context.Context, req *contentv1.UpdateItemRequest) (*contentv1.UpdateItemResponse, error) {
	return &contentv1.UpdateItemResponse{Item: anItem()}, s.heard(ctx, req)
}

func (s *services) ChangeItem(ctx context.Context, req *contentv1.ChangeItemRequest) (*contentv1.ChangeItemResponse, error) {
	return &contentv1.ChangeItemResponse{}, s.heard(ctx, req)
}

func (s *services) RestoreRevision(ctx context.Context, req *contentv1.RestoreRevisionRequest) (*contentv1.RestoreRevisionResponse, error) {
	return &contentv1.RestoreRevisionResponse{Item: anItem()}, s.heard(ctx, req)
}

func (s *services) UploadAsset(ctx context.Context, req *contentv1.UploadAssetRequest) (*contentv1.UploadAssetResponse, error) {
	return &contentv1.UploadAssetResponse{Item: anItem()}, s.heard(ctx, req)
}

func (s *services) PreviewText(ctx context.Context, req *contentv1.PreviewTextRequest) (*contentv1.PreviewTextResponse, error) {
	return &contentv1.PreviewTextResponse{Html: "<p>Rain</p>"}, s.heard(ctx, req)
}

func (s *services) ListRevisions(ctx context.Context, req *contentv1.ListRevisionsRequest) (*contentv1.ListRevisionsResponse, error) {
	revision := func(version int32, act, actor string) *contentv1.Revision {
		return &contentv1.Revision{Key: &contentv1.ItemKey{Id: "on-rain"}, Title: "On rain", Version: version, Act: act, Actor: actor, Changed: []string{"title"}}
	}
	return &contentv1.ListRevisionsResponse{Revisions: []*contentv1.Revision{
		revision(4, "update", auth.Member(ctx)), revision(3, "publish", goneUID), revision(2, "update", "client:press"), revision(1, "create", "seed"),
	}}, s.heard(ctx, req)
}

// ListEnvironments is for service accounts: no screen asks for it.
func (*services) ListEnvironments(context.Context, *contentv1.ListEnvironmentsRequest) (*contentv1.ListEnvironmentsResponse, error) {
	return &contentv1.ListEnvironmentsResponse{}, nil
}

// DeleteEnvironment is for service accounts too.
func (*services) DeleteEnvironment(context.Context, *contentv1.DeleteEnvironmentRequest) (*contentv1.DeleteEnvironmentResponse, error) {
	return &contentv1.DeleteEnvironmentResponse{}, nil
}

// CreateEnvironment is for service accounts too.
func (*services) CreateEnvironment(context.Context, *contentv1.CreateEnvironmentRequest) (*contentv1.CreateEnvironmentResponse, error) {
	return &contentv1.CreateEnvironmentResponse{}, nil
}
