package rpc

import (
	"context"
	"net/http"
	"time"

	"connectrpc.com/connect"
	"github.com/google/uuid"

	"serein.app/proto/gen/serein/content/v1/contentv1connect"
	"serein.app/services/content/internal/listening"
	"serein.app/services/content/internal/narrate"
	"serein.app/services/content/internal/reading"
	"serein.app/services/platform/auth"
)

// Anybody is the rule of public reads. The caller's rights decide how much of an item the answer holds.
var Anybody = auth.Rule{Services: []string{"gateway"}}

// Members is the rule of the library, and of a member's saved items and places.
var Members = auth.Rule{Services: []string{"gateway"}, Member: true}

// alsoFor is the rule for service accounts with that scope as well.
func alsoFor(rule auth.Rule, scope string) auth.Rule {
	rule.Scope = scope
	return rule
}

// readingPolicy says who may read.
func readingPolicy() auth.Policy {
	return auth.Policy{
		contentv1connect.ArticleServiceListArticlesProcedure: alsoFor(Anybody, ArticlesScope),
		contentv1connect.ArticleServiceGetArticleProcedure:   Anybody,
		contentv1connect.PageServiceGetHomeProcedure:         Anybody,
		contentv1connect.PageServiceGetTextProcedure:         Anybody,
		contentv1connect.PageServiceGetSitemapProcedure:      Anybody,

		contentv1connect.LibraryServiceListMeditationsProcedure: alsoFor(Members, LibraryScope),
		contentv1connect.LibraryServiceGetMeditationProcedure:   Members,
		contentv1connect.ItemServiceListSavedProcedure:          Members,
		contentv1connect.ItemServiceCountSavedProcedure:         Members,
		contentv1connect.ItemServiceListKeptProcedure:           {Services: []string{"gateway"}, Member: true, Delegated: true},
		contentv1connect.ItemServiceReplaceKeptProcedure:        Members,
		contentv1connect.ItemServiceBatchGetBespokeProcedure:    {Services: []string{"gateway"}, Member: true, Delegated: true},
		contentv1connect.ItemServiceSetLikeProcedure:            Members,
		contentv1connect.ItemServiceToggleLikeProcedure:         Members,
		contentv1connect.ItemServiceSetSavedProcedure:           Members,

		contentv1connect.PlaceServiceStartListeningProcedure: Members,
		contentv1connect.PlaceServiceSavePlaceProcedure:      Members,
		contentv1connect.PlaceServiceGetPlaceProcedure:       Members,
		contentv1connect.PlaceServiceListPlacesProcedure:     Members,
		contentv1connect.PlaceServiceExportPlacesProcedure:   Members,
	}
}

// ReadingStore is what readers get, and what members keep.
type ReadingStore interface {
	Cards(ctx context.Context, f reading.Filter, after reading.Cursor, most int) ([]reading.Card, []reading.Cursor, error)
	Search(ctx context.Context, f reading.Filter, words []string, after reading.Cursor, most int) ([]reading.Card, []reading.Cursor, int, error)
	ListCounts(ctx context.Context, lists ...string) (map[string]int, error)
	CardNamed(ctx context.Context, kind reading.Kind, name string) (reading.Card, error)
	CardsOf(ctx context.Context, kind reading.Kind, ids []string) ([]reading.Card, error)
	Pictures(ctx context.Context, ids []string) (map[string]reading.Picture, error)
	Page(ctx context.Context, id string) (reading.Page, error)
	Pages(ctx context.Context, contentType string) ([]reading.Page, error)
	PagesOf(ctx context.Context, ids ...string) (map[string]reading.Page, error)
	PagesWith(ctx context.Context, contentType, field string, value any) ([]reading.Page, error)
	SetLike(ctx context.Context, uid uuid.UUID, item reading.Item, liked bool) (reading.UserItemState, error)
	ToggleLike(ctx context.Context, uid uuid.UUID, item reading.Item, refusal error) (reading.UserItemState, error)
	SetSaved(ctx context.Context, uid uuid.UUID, item reading.Item, saved bool) (standing reading.UserItemState, changed bool, err error)
	Kept(ctx context.Context, uid uuid.UUID, all bool) (reading.Keeping, error)
	ReplaceKept(ctx context.Context, uid uuid.UUID, all bool, saved, liked []reading.Item) error
	CountNarrations(ctx context.Context, contentType string) (narrate.Counts, error)
	Standings(ctx context.Context, uid uuid.UUID, kind reading.Kind, ids ...string) (map[string]reading.UserItemState, error)
	BespokeCategories(ctx context.Context, uid uuid.UUID, ids []string) (map[string][]string, error)
	Saved(ctx context.Context, asked reading.SavedAsked, shelf reading.Shelf, after reading.Cursor, most int) ([]reading.Card, []reading.Cursor, int, error)
	CountSaved(ctx context.Context, asked reading.SavedAsked) (map[reading.Shelf]int, error)
	PlaceStore
}

// PlaceStore is where members stopped listening.
type PlaceStore interface {
	StartListening(ctx context.Context, uid uuid.UUID, start listening.Start) (listening.Begun, error)
	SavePlace(ctx context.Context, uid uuid.UUID, w listening.Write) (moved bool, err error)
	LastPlace(ctx context.Context, uid uuid.UUID, item reading.Item) (listening.Last, error)
	Places(ctx context.Context, uid uuid.UUID, most int) ([]listening.Place, error)
	AllPlaces(ctx context.Context, uid uuid.UUID, all bool) ([]listening.Place, error)
}

// Reading answers ArticleService, LibraryService, PageService, ItemService and PlaceService, one RPC in each file.
type Reading struct {
	store     ReadingStore
	own       Own
	narrators Narrators
	// opened says that a reader has opened an entry that has no sound yet.
	opened func(ctx context.Context, id string)
	now    func() time.Time
}

// Own says which bespoke meditations are a member's.
type Own interface {
	Owns(ctx context.Context, uid, id uuid.UUID) (bool, error)
}

// NewReading makes the handler.
func NewReading(store ReadingStore, own Own, narrators Narrators, opened func(ctx context.Context, id string), now func() time.Time) *Reading {
	return &Reading{store, own, narrators, opened, now}
}

// Routes hands every service's path and handler to handle.
func (r *Reading) Routes(handle func(path string, h http.Handler), options ...connect.HandlerOption) {
	handle(contentv1connect.NewArticleServiceHandler(r, options...))
	handle(contentv1connect.NewPageServiceHandler(r, options...))
	handle(contentv1connect.NewLibraryServiceHandler(r, options...))
	handle(contentv1connect.NewItemServiceHandler(r, options...))
	handle(contentv1connect.NewPlaceServiceHandler(r, options...))
}

// listPage is the size of a page of a list where none is asked for.
const listPage = 24

// page is one page of a list.
type page struct {
	cards []reading.Card
	next  string // the token of the next page; empty for none
	// found in all pages, where words were searched for.
	found    int
	searched bool
}

// total of a list that has so many without a search.
func (p page) total(listed int) int32 {
	if p.searched {
		return int32(p.found)
	}
	return int32(listed)
}

// list is one page of what a filter shows, of those with the words that are searched for.
func (r *Reading) list(ctx context.Context, f reading.Filter, search, token string, size int) (p page, err error) {
	after, err := reading.ParseCursor(token)
	if err != nil {
		return p, err
	}
	if size == 0 {
		size = listPage
	}
	var cursors []reading.Cursor
	if words := reading.SearchWords(search); len(words) > 0 {
		p.searched = true
		p.cards, cursors, p.found, err = r.store.Search(ctx, f, words, after, size+1)
	} else {
		p.cards, cursors, err = r.store.Cards(ctx, f, after, size+1)
	}
	if err == nil && len(p.cards) > size {
		p.cards, p.next = p.cards[:size], cursors[size-1].Token()
	}
	return p, err
}

// text of an article or a meditation, as readers get it.
func (r *Reading) text(ctx context.Context, c reading.Card, field string) (string, error) {
	p, err := r.store.Page(ctx, c.ID)
	return p.Text(field), err
}
