package gateway

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	errorsv1 "serein.app/proto/gen/serein/errors/v1"
	"serein.app/services/platform/auth"
	"serein.app/services/platform/errs"
)

// article is one of content's, as the fake keeps it.
type article struct {
	slug, former, title string
	id                  string // empty: derived from the slug
	opening, rest       string
	open                bool
	likes               int32
}

const (
	openSlug    = "what-the-breath-knows-first"
	membersSlug = "rest-is-not-a-reward"
)

func articles() []*article {
	return []*article{
		{slug: openSlug, former: "the-breath", title: "What the breath knows first", opening: "<p>One.</p><p>Two.</p>", rest: "<h2>Listen</h2><p>Three.</p>", open: true, likes: 48},
		{slug: membersSlug, title: "Rest is not a reward", opening: "<p>Lie down.</p>", rest: "<p>For members.</p>", likes: 31},
	}
}

var errNoItem = errs.New(errs.NotFound, errorsv1.Reason_REASON_ITEM_NOT_FOUND, "There is nothing here.")

// mayRead is content's rule for what an article holds beyond its opening.
func mayRead(ctx context.Context, a *article) bool {
	who, _ := auth.CallerFrom(ctx)
	return a.open || who.Subject.Admin || slices.Contains(who.Subject.Entitlements, "articles") || slices.Contains(who.Scopes, "serein.article.read")
}

func (s *services) card(ctx context.Context, a *article) *contentv1.ArticleCard {
	uid := auth.SubjectFrom(ctx).UID
	standing := &contentv1.Standing{Likes: a.likes, Liked: s.liked[uid+a.slug], Saved: s.saved[uid+a.slug]}
	if standing.GetLiked() {
		standing.Likes++
	}
	return &contentv1.ArticleCard{
		Id: cmp.Or(a.id, "id-"+a.slug), Slug: a.slug, Title: a.title, Description: "About " + a.title, Preview: "One two…", Open: a.open,
		Categories: []*contentv1.Category{{Id: "anxiety-relief", Name: "Anxiety Relief", Confidence: 100}}, Words: 700, AudioSeconds: 540,
		PublishedAt: timestamppb.New(time.Date(2026, 11, 3, 0, 0, 0, 0, time.UTC)), Standing: standing,
	}
}

func (s *services) ListArticles(ctx context.Context, req *contentv1.ListArticlesRequest) (*contentv1.ListArticlesResponse, error) {
	if err := s.fault(ctx); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	out := &contentv1.ListArticlesResponse{Categories: []*contentv1.CategoryCount{{Id: "anxiety-relief", Name: "Anxiety Relief", Count: 2}}}
	for _, a := range s.articles {
		if !strings.Contains(a.title, req.GetSearch()) {
			continue
		}
		out.Articles = append(out.Articles, s.card(ctx, a))
		text := &contentv1.ArticleText{Html: a.opening, Plain: "In plain words."}
		if mayRead(ctx, a) {
			text.Html, text.AudioPath = a.opening+a.rest, "narrations/3f2a.mp3"
		}
		out.Texts = append(out.Texts, text)
	}
	out.Total = int32(len(out.GetArticles()))
	from, _ := strconv.Atoi(req.GetPageToken())
	to := min(from+int(cmp.Or(req.GetPageSize(), 24)), len(out.GetArticles()))
	if to < len(out.GetArticles()) {
		out.NextPageToken = strconv.Itoa(to)
	}
	out.Articles, out.Texts = out.GetArticles()[from:to], out.GetTexts()[from:to]
	if !req.GetWithTexts() {
		out.Texts = nil
	}
	return out, nil
}

func (s *services) GetArticle(ctx context.Context, req *contentv1.GetArticleRequest) (*contentv1.GetArticleResponse, error) {
	if err := s.fault(ctx); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, a := range s.articles {
		if req.GetSlug() != a.slug && req.GetSlug() != a.former && req.GetSlug() != a.title {
			continue
		}
		out := &contentv1.GetArticleResponse{Card: s.card(ctx, a), OpeningHtml: a.opening, NarratorName: "Iona"}
		if mayRead(ctx, a) {
			out.RestHtml, out.Whole, out.AudioPath = a.rest, true, "narrations/3f2a.mp3"
		}
		return out, nil
	}
	return nil, errNoItem
}

func (s *services) GetHome(ctx context.Context, req *contentv1.GetHomeRequest) (*contentv1.GetHomeResponse, error) {
	if err := s.fault(ctx); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	item := func(title string, immersive bool) *contentv1.HomeItem {
		return &contentv1.HomeItem{Title: title, Immersive: immersive, Meditation: &contentv1.MeditationCard{
			Id: "m-" + title, Title: title, Immersive: immersive, Category: &contentv1.Category{Id: "better-sleep", Name: "Better Sleep"},
		}}
	}
	out := &contentv1.GetHomeResponse{
		MissionTitle: "Ten quiet minutes", MissionDescription: "Come when you like.", Quote: "A quote of " + req.GetLocalDate(),
		Immersive: []*contentv1.HomeItem{item("Rock pool", true), item("Caravan", true)}, Voice: item("Warm water", false),
	}
	for _, a := range s.articles {
		out.Articles = append(out.Articles, s.card(ctx, a))
	}
	return out, nil
}

func (s *services) GetText(ctx context.Context, req *contentv1.GetTextRequest) (*contentv1.GetTextResponse, error) {
	if err := s.fault(ctx); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return &contentv1.GetTextResponse{
		Title: "The " + req.GetName(), Description: "In short.", Html: "<h2>First</h2><p>Words.</p>", Version: s.versions[req.GetName()],
	}, nil
}

func (s *services) GetSitemap(ctx context.Context, _ *contentv1.GetSitemapRequest) (*contentv1.GetSitemapResponse, error) {
	if err := s.fault(ctx); err != nil {
		return nil, err
	}
	return &contentv1.GetSitemapResponse{
		Groups: []*contentv1.SitemapGroup{{Title: "Explore", Pages: []*contentv1.SitemapPage{
			{Title: "Home", Path: "/", Priority: 1},
			{Title: "My Journey", Path: "/journey", Priority: 0.7, Protected: true},
			{Title: "AI Chat", Priority: 0.4, Protected: true},
			{Title: "Retreats", Path: "/retreats", Priority: 0.6},
		}}},
		Articles: []*contentv1.SitemapArticle{{Slug: openSlug, Changed: "2026-11-03"}},
	}, nil
}

func (s *services) SetLike(ctx context.Context, req *contentv1.SetLikeRequest) (*contentv1.SetLikeResponse, error) {
	standing, _, err := s.set(ctx, s.liked, req.GetItem(), req.GetLiked())
	return &contentv1.SetLikeResponse{Standing: standing}, err
}

func (s *services) SetSaved(ctx context.Context, req *contentv1.SetSavedRequest) (*contentv1.SetSavedResponse, error) {
	standing, changed, err := s.set(ctx, s.saved, req.GetItem(), req.GetSaved())
	return &contentv1.SetSavedResponse{Standing: standing, Changed: changed}, err
}

func (s *services) set(ctx context.Context, of map[string]bool, item *contentv1.ItemRef, on bool) (*contentv1.Standing, bool, error) {
	if err := s.fault(ctx); err != nil {
		return nil, false, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if item.GetKind() == contentv1.ItemKind_ITEM_KIND_BESPOKE {
		uid := auth.SubjectFrom(ctx).UID
		if on && !slices.ContainsFunc(s.meditations, func(o *owned) bool { return o.uid == uid && o.m.GetId() == item.GetId() }) {
			return nil, false, errNoItem
		}
		of[uid+item.GetId()] = on
		return &contentv1.Standing{Liked: on}, true, nil
	}
	for _, a := range s.articles {
		if item.GetKind() != contentv1.ItemKind_ITEM_KIND_ARTICLE || item.GetId() != cmp.Or(a.id, "id-"+a.slug) {
			continue
		}
		if !mayRead(ctx, a) {
			return nil, false, auth.ErrNotEntitled
		}
		key := auth.SubjectFrom(ctx).UID + a.slug
		changed := of[key] != on
		of[key] = on
		return s.card(ctx, a).GetStanding(), changed, nil
	}
	return nil, false, errNoItem
}

// itemFake is what members like and keep. ListSaved has the member's saved articles and, of the library, the lake; nobody keeps an
// introduction.
type itemFake struct{ *services }

func (f itemFake) ListSaved(ctx context.Context, req *contentv1.ListSavedRequest) (*contentv1.ListSavedResponse, error) {
	if err := f.heard(ctx, req); err != nil {
		return nil, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	out := &contentv1.ListSavedResponse{NextPageToken: "next"}
	if req.GetKind() == contentv1.ItemKind_ITEM_KIND_ARTICLE {
		out.Articles = f.savedArticles(ctx, req.GetSearch())
	} else if !req.GetIntro() {
		out.Meditations = []*contentv1.MeditationCard{aRecording()}
	}
	out.Total = int32(len(out.GetArticles()) + len(out.GetMeditations()))
	return out, nil
}

func (f itemFake) CountSaved(ctx context.Context, req *contentv1.CountSavedRequest) (*contentv1.CountSavedResponse, error) {
	if err := f.heard(ctx, req); err != nil {
		return nil, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	return &contentv1.CountSavedResponse{Library: f.recordings[auth.Member(ctx)], Articles: int32(len(f.savedArticles(ctx, req.GetSearch())))}, nil
}

// keeps has a member keep so many of the library.
func (s *services) keeps(uid string, recordings int32) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.recordings == nil {
		s.recordings = map[string]int32{}
	}
	s.recordings[uid] = recordings
}

func (s *services) savedArticles(ctx context.Context, search string) (cards []*contentv1.ArticleCard) {
	for _, a := range s.articles {
		if s.saved[auth.SubjectFrom(ctx).UID+a.slug] && strings.Contains(a.title, search) {
			cards = append(cards, s.card(ctx, a))
		}
	}
	return cards
}

func (f itemFake) SetLike(ctx context.Context, req *contentv1.SetLikeRequest) (*contentv1.SetLikeResponse, error) {
	return f.services.SetLike(ctx, req)
}

// file is what content knows of a member's own meditation.
func (s *services) file(item *contentv1.BespokeItem) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.filed = append(s.filed, item)
}

func (f itemFake) BatchGetBespoke(ctx context.Context, req *contentv1.BatchGetBespokeRequest) (*contentv1.BatchGetBespokeResponse, error) {
	if err := f.fault(ctx); err != nil {
		return nil, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	res := &contentv1.BatchGetBespokeResponse{}
	for _, item := range f.filed {
		if slices.Contains(req.GetIds(), item.GetId()) {
			res.Items = append(res.Items, item)
		}
	}
	return res, nil
}

func (f itemFake) ToggleLike(ctx context.Context, req *contentv1.ToggleLikeRequest) (*contentv1.ToggleLikeResponse, error) {
	f.mu.Lock()
	liked := f.liked[auth.SubjectFrom(ctx).UID+strings.TrimPrefix(req.GetItem().GetId(), "id-")]
	f.mu.Unlock()
	standing, _, err := f.set(ctx, f.liked, req.GetItem(), !liked)
	return &contentv1.ToggleLikeResponse{Standing: standing}, err
}

// ListKept answers what ReplaceKept was told last.
func (f itemFake) ListKept(ctx context.Context, _ *contentv1.ListKeptRequest) (*contentv1.ListKeptResponse, error) {
	if err := f.fault(ctx); err != nil {
		return nil, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	res := &contentv1.ListKeptResponse{}
	for _, i := range f.kept[auth.Member(ctx)].GetSaved().GetItems() {
		one := &contentv1.KeptItem{Item: i, At: timestamppb.New(time.Unix(1_763_000_000, 0))}
		if i.GetKind() != contentv1.ItemKind_ITEM_KIND_BESPOKE {
			one.Title, one.CreatedAt = "Rest", timestamppb.New(time.Unix(1_762_000_000, 0))
		}
		res.Saved = append(res.Saved, one)
	}
	for _, i := range f.kept[auth.Member(ctx)].GetLiked().GetItems() {
		res.Liked = append(res.Liked, &contentv1.KeptItem{Item: i})
	}
	return res, nil
}

// ReplaceKept keeps the lists that are named, unless one has an item called "nothing".
func (f itemFake) ReplaceKept(ctx context.Context, req *contentv1.ReplaceKeptRequest) (*contentv1.ReplaceKeptResponse, error) {
	for _, list := range []*contentv1.ItemList{req.GetSaved(), req.GetLiked()} {
		for _, id := range list.GetMeditationIds() {
			list.Items = append(list.Items, f.meditationNamed(ctx, id))
		}
		if slices.ContainsFunc(list.GetItems(), func(i *contentv1.ItemRef) bool { return i.GetId() == "nothing" }) {
			return nil, errNoItem
		}
	}
	if req.GetCheckOnly() {
		return &contentv1.ReplaceKeptResponse{}, nil
	}
	if err := f.fault(ctx); err != nil {
		return nil, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.kept == nil {
		f.kept = map[string]*contentv1.ReplaceKeptRequest{}
	}
	now := &contentv1.ReplaceKeptRequest{Saved: f.kept[auth.Member(ctx)].GetSaved(), Liked: f.kept[auth.Member(ctx)].GetLiked()}
	if req.GetSaved() != nil {
		now.Saved = req.GetSaved()
	}
	if req.GetLiked() != nil {
		now.Liked = req.GetLiked()
	}
	f.kept[auth.Member(ctx)] = now
	return &contentv1.ReplaceKeptResponse{}, nil
}

// meditationNamed is the library's, unless the member has made one by that id.
func (f itemFake) meditationNamed(ctx context.Context, id string) *contentv1.ItemRef {
	kind := contentv1.ItemKind_ITEM_KIND_MEDITATION
	if _, err := f.own(ctx, id); err == nil {
		kind = contentv1.ItemKind_ITEM_KIND_BESPOKE
	}
	return &contentv1.ItemRef{Kind: kind, Id: id}
}

func (f itemFake) SetSaved(ctx context.Context, req *contentv1.SetSavedRequest) (*contentv1.SetSavedResponse, error) {
	return f.services.SetSaved(ctx, req)
}

// rewrite changes an article.
func (s *services) rewrite(slug string, with func(*article)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, a := range s.articles {
		if a.slug == slug {
			with(a)
			return
		}
	}
	panic(fmt.Sprintf("no article %s", slug))
}

// example is the article that REST's examples name, published by Serein.
func example() *article {
	return &article{id: "plain-answers-for-a-first-sitting", slug: "plain-answers-for-a-first-sitting", open: true}
}

// publish adds articles, the first is the newest.
func (s *services) publish(more ...*article) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.articles = append(s.articles, more...)
}
