package rpc

import (
	"context"
	"net/http"
	"slices"
	"time"

	"connectrpc.com/connect"
	"github.com/google/uuid"

	"serein.app/proto/gen/serein/content/v1/contentv1connect"
	"serein.app/services/content/internal/diary"
	"serein.app/services/content/internal/keeping"
	"serein.app/services/content/internal/listening"
	"serein.app/services/content/internal/narrate"
	"serein.app/services/content/internal/reading"
	"serein.app/services/platform/auth"
)

// Anybody is the rule of public reads. The caller's rights decide how much of an item the answer holds.
var Anybody = auth.Rule{Services: []string{"gateway"}}

// Members is the rule of the library, and of a member's saved items, places and diary.
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

		contentv1connect.CourseServiceListCoursesProcedure:   Anybody,
		contentv1connect.CourseServiceGetCourseProcedure:     Anybody,
		contentv1connect.CourseServiceStartCourseProcedure:   Members,
		contentv1connect.CourseServiceMarkDayProcedure:       Members,
		contentv1connect.CourseServiceUnmarkDayProcedure:     Members,
		contentv1connect.CourseServiceLeaveCourseProcedure:   Members,
		contentv1connect.CourseServiceListMyCoursesProcedure: Members,
		contentv1connect.CourseServiceExportCoursesProcedure: Members,
		contentv1connect.DiaryServiceSetKeepingProcedure:     Members,
		contentv1connect.DiaryServiceListEntriesProcedure:    Members,
		contentv1connect.DiaryServiceAddEntryProcedure:       Members,
		contentv1connect.DiaryServiceChangeEntryProcedure:    Members,
		contentv1connect.DiaryServiceRemoveEntryProcedure:    Members,
		contentv1connect.DiaryServiceRestoreEntryProcedure:   Members,
		contentv1connect.DiaryServiceEmptyDiaryProcedure:     Members,
	}
}

// ReadingStore is what readers get.
type ReadingStore interface {
	Cards(ctx context.Context, f reading.Filter, after reading.Cursor, most int) ([]reading.Card, []reading.Cursor, error)
	Listing(ctx context.Context, f reading.Filter, after reading.Cursor, most int) (reading.Listed, error)
	Surroundings(ctx context.Context, asked reading.SurroundingsAsked) (reading.Surroundings, error)
	HomePages(ctx context.Context, quote, newest int) (reading.HomePages, error)
	Search(ctx context.Context, f reading.Filter, words []string, after reading.Cursor, most int) ([]reading.Card, []reading.Cursor, int, error)
	CardNamed(ctx context.Context, kind reading.Kind, name string) (reading.Card, error)
	CardsOf(ctx context.Context, kind reading.Kind, ids []string) ([]reading.Card, error)
	Page(ctx context.Context, id string) (reading.Page, error)
	Pages(ctx context.Context, contentType string) ([]reading.Page, error)
}

// KeptStore is what members like and save.
type KeptStore interface {
	SetLike(ctx context.Context, uid uuid.UUID, item reading.Item, liked bool) (reading.UserItemState, error)
	ToggleLike(ctx context.Context, uid uuid.UUID, item reading.Item, refusal error) (reading.UserItemState, error)
	SetSaved(ctx context.Context, uid uuid.UUID, item reading.Item, saved bool) (standing reading.UserItemState, changed bool, err error)
	Kept(ctx context.Context, uid uuid.UUID, all bool) (keeping.Lists, error)
	ReplaceKept(ctx context.Context, uid uuid.UUID, all bool, saved, liked []reading.Item) error
	Saved(ctx context.Context, asked keeping.Asked, shelf keeping.Shelf, after reading.Cursor, most int) ([]reading.Card, []reading.Cursor, int, error)
	CountSaved(ctx context.Context, asked keeping.Asked) (map[keeping.Shelf]int, error)
}

// NarrationCounts says how many entries of a content type have no sound yet.
type NarrationCounts interface {
	CountNarrations(ctx context.Context, contentType string) (narrate.Counts, error)
}

// FiledStore is what members' own meditations are filed under.
type FiledStore interface {
	BespokeCategories(ctx context.Context, uid uuid.UUID, ids []string) (map[string][]string, error)
}

// PlaceStore is where members stopped listening.
type PlaceStore interface {
	StartListening(ctx context.Context, uid uuid.UUID, start listening.Start) (listening.Begun, error)
	SavePlace(ctx context.Context, uid uuid.UUID, w listening.Write) (listening.Saved, error)
	LastPlace(ctx context.Context, uid uuid.UUID, item reading.Item) (listening.Last, error)
	Places(ctx context.Context, uid uuid.UUID, most int) ([]listening.Place, error)
	AllPlaces(ctx context.Context, uid uuid.UUID, all bool) ([]listening.Place, error)
}

// DiaryStore is what members keep of their listening for themselves.
type DiaryStore interface {
	Keeps(ctx context.Context, uid uuid.UUID) (bool, error)
	SetKeeping(ctx context.Context, uid uuid.UUID, keeping bool) error
	IsFull(ctx context.Context, uid uuid.UUID) (bool, error)
	Page(ctx context.Context, uid uuid.UUID, below diary.Place, most int) ([]diary.Entry, error)
	Add(ctx context.Context, uid, id uuid.UUID, day time.Time, line string) (diary.Entry, error)
	ChangeLine(ctx context.Context, uid, id uuid.UUID, line string) (diary.Entry, error)
	Remove(ctx context.Context, uid, id uuid.UUID) error
	Restore(ctx context.Context, uid, id uuid.UUID) (diary.Entry, error)
	Empty(ctx context.Context, uid uuid.UUID) error
}

// Reading answers ArticleService, LibraryService, PageService, ItemService, PlaceService, CourseService and DiaryService, one RPC in each file.
type Reading struct{ ports ReadingPorts }

// ReadingPorts are what the handler asks.
type ReadingPorts struct {
	Pages      ReadingStore
	Kept       KeptStore
	Places     PlaceStore
	Courses    CourseStore
	Diary      DiaryStore
	Filed      FiledStore
	Narrations NarrationCounts
	Own        Own
	Narrators  Narrators
	// Opened says that a reader has opened an entry that has no sound yet.
	Opened func(ctx context.Context, id string)
	// Now gives the moment of a request.
	Now func() time.Time
}

// Own says which bespoke meditations are a member's.
type Own interface {
	Owns(ctx context.Context, uid, id uuid.UUID) (bool, error)
}

// NewReading makes the handler.
func NewReading(ports ReadingPorts) *Reading { return &Reading{ports} }

// Routes hands every service's path and handler to handle.
func (r *Reading) Routes(handle func(path string, h http.Handler), options ...connect.HandlerOption) {
	handle(contentv1connect.NewArticleServiceHandler(r, options...))
	handle(contentv1connect.NewPageServiceHandler(r, options...))
	handle(contentv1connect.NewLibraryServiceHandler(r, options...))
	handle(contentv1connect.NewItemServiceHandler(r, options...))
	handle(contentv1connect.NewPlaceServiceHandler(r, options...))
	handle(contentv1connect.NewCourseServiceHandler(r, options...))
	handle(contentv1connect.NewDiaryServiceHandler(r, options...))
}

// listPage is the size of a page of a list where none is asked for.
const listPage = 24

// page is one page of a list.
type page struct {
	reading.Listed

	next string // the token of the next page; empty for none
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

// list is one page of what a filter shows, of those with the words that are searched for, and all categories. Errors:
// CATEGORY_NOT_FOUND, PAGE_TOKEN_INVALID.
func (r *Reading) list(ctx context.Context, f reading.Filter, search, token string, size int) (p page, err error) {
	after, err := reading.ParseCursor(token)
	if err != nil {
		return p, err
	}
	if size == 0 {
		size = listPage
	}
	if words := reading.SearchWords(search); len(words) > 0 {
		p.searched = true
		if p.Categories, err = r.inOrder(ctx, "category"); err == nil {
			p.Cards, p.Cursors, p.found, err = r.ports.Pages.Search(ctx, f, words, after, size+1)
		}
	} else {
		p.Listed, err = r.ports.Pages.Listing(ctx, f, after, size+1)
	}
	if err == nil && len(p.Cards) > size {
		p.Cards, p.next = p.Cards[:size], p.Cursors[size-1].Token()
	}
	if err == nil && f.Category != "" && !slices.ContainsFunc(p.Categories, func(c reading.Page) bool { return c.ID == f.Category }) {
		err = reading.ErrCategory.On("category")
	}
	return p, err
}
