package rpc

import (
	"context"
	"net/http"
	"time"

	"connectrpc.com/connect"
	"google.golang.org/protobuf/types/known/timestamppb"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	"serein.app/proto/gen/serein/content/v1/contentv1connect"
	generationv1 "serein.app/proto/gen/serein/generation/v1"
	"serein.app/services/content/internal/classify"
	"serein.app/services/content/internal/entry"
	"serein.app/services/content/internal/narrate"
	store "serein.app/services/content/internal/postgres"
	"serein.app/services/content/internal/studio"
	"serein.app/services/platform/auth"
	"serein.app/services/platform/deadline"
)

// studioPolicy lets admins in, who come through the gateway, and service accounts to what they are for.
func studioPolicy() auth.Policy {
	admin := auth.Rule{Services: []string{"gateway"}, Admin: true}
	library := alsoFor(admin, MakeLibraryScope)
	return auth.Policy{
		contentv1connect.StudioServiceMakeMeditationProcedure:    library,
		contentv1connect.StudioServiceMakeArticleProcedure:       alsoFor(admin, MakeArticlesScope),
		contentv1connect.StudioServicePreviewProcedure:           admin,
		contentv1connect.StudioServiceListMadeProcedure:          admin,
		contentv1connect.StudioServiceVerifyMeditationProcedure:  library,
		contentv1connect.StudioServiceDeleteMeditationProcedure:  library,
		contentv1connect.StudioServiceRestoreMeditationProcedure: admin,
	}
}

// Speaker says a passage at once; the generation service does.
type Speaker interface {
	SpeakPassage(ctx context.Context, req *generationv1.SpeakPassageRequest) (*generationv1.SpeakPassageResponse, error)
}

// Studio answers StudioService, one RPC in each file.
type Studio struct {
	studio  *studio.Studio
	speaker Speaker
	// categories are their names, by id.
	categories map[string]string
}

var _ contentv1connect.StudioServiceHandler = (*Studio)(nil)

// NewStudio makes the handler.
func NewStudio(s *studio.Studio, speaker Speaker) *Studio {
	categories := map[string]string{}
	for _, name := range classify.Categories() {
		categories[classify.CategoryID(name)] = name
	}
	return &Studio{s, speaker, categories}
}

// Routes hands the service's path and handler to handle.
func (s *Studio) Routes(handle func(path string, h http.Handler), options ...connect.HandlerOption) {
	handle(contentv1connect.NewStudioServiceHandler(s, options...))
}

// soundFolder is the folder of the gateway's media route that sounds are in.
const soundFolder = "narrations/"

// made is one item of the studio.
func (s *Studio) made(ctx context.Context, i entry.Item, locale string) (*contentv1.Made, error) {
	all, err := s.allMade(ctx, locale, i)
	if err != nil {
		return nil, err
	}
	return all[0], nil
}

func (s *Studio) allMade(ctx context.Context, locale string, items ...entry.Item) ([]*contentv1.Made, error) {
	sounds, err := s.studio.Narrations(ctx, items...)
	if err != nil {
		return nil, err
	}
	all := make([]*contentv1.Made, len(items))
	for i, item := range items {
		all[i] = s.toProtoMade(item, locale, sounds[item.ID])
	}
	return all, nil
}

var narrationStates = map[narrate.State]contentv1.NarrationState{
	narrate.Waiting: contentv1.NarrationState_NARRATION_STATE_WAITING, narrate.Narrating: contentv1.NarrationState_NARRATION_STATE_NARRATING,
	narrate.Done: contentv1.NarrationState_NARRATION_STATE_DONE, narrate.Failed: contentv1.NarrationState_NARRATION_STATE_FAILED,
}

func (s *Studio) toProtoMade(i entry.Item, locale string, sound narrate.Progress) *contentv1.Made {
	text := func(field string) string {
		value, _ := i.Fields[field][locale].(string)
		return value
	}
	is := func(field string) bool { return i.Fields[field][locale] == true }
	seconds, _ := i.Fields["duration"][locale].(float64)
	made := &contentv1.Made{
		Item: &contentv1.ItemRef{Kind: kindOf(i), Id: i.ID}, Title: i.Title, Type: text("type"), Practice: text("practice"),
		Immersive: is("immersive"), Intro: is("intro"), Verified: is("verified"), AudioSeconds: int32(seconds), GeneratedBy: text("generatedBy"),
		CreatedAt: timestamppb.New(i.CreatedAt), Slug: text("slug"),
		Narration: &contentv1.Narration{State: narrationStates[sound.State], PassagesDone: int32(sound.Done), PassagesTotal: int32(sound.Total)},
	}
	if all := s.filed(i, locale); len(all) > 0 {
		made.Category = all[0]
		if i.ContentType == studio.Article {
			made.Categories = all
		}
	}
	if file := text("audio"); file != "" {
		made.AudioPath = soundFolder + file
	}
	if !i.DeletedAt.IsZero() {
		made.DeletedUntil = timestamppb.New(i.DeletedAt.Add(store.RemovedKept))
	}
	return made
}

func kindOf(i entry.Item) contentv1.ItemKind {
	if i.ContentType == studio.Article {
		return contentv1.ItemKind_ITEM_KIND_ARTICLE
	}
	return contentv1.ItemKind_ITEM_KIND_MEDITATION
}

// filed are the categories that the item is filed under, the first of which is shown.
func (s *Studio) filed(i entry.Item, locale string) (all []*contentv1.Category) {
	links, ok := i.Fields["categories"][locale].([]any)
	if !ok {
		links = []any{i.Fields["category"][locale]}
	}
	for _, link := range links {
		if to, ok := entry.LinkOf(link); ok {
			all = append(all, &contentv1.Category{Id: to.ID, Name: s.categories[to.ID], Confidence: int32(i.Fields.Confidence(to.ID, locale))})
		}
	}
	return all
}

// speakTime is how long a passage may take to be said: less than the 10 s that the gateway waits for an answer, so that content says
// why there is none.
var speakTime = deadline.Of(8 * time.Second)
