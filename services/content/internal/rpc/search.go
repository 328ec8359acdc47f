package rpc

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	"serein.app/proto/gen/serein/content/v1/contentv1connect"
	"serein.app/services/content/internal/courses"
	"serein.app/services/content/internal/entry"
	"serein.app/services/content/internal/reading"
	"serein.app/services/content/internal/search"
	"serein.app/services/platform/auth"
	"serein.app/services/platform/pagetoken"
)

// searchPage is the number of matches of a kind when the request names none.
const searchPage = 10

// kinds of items as the contract has them.
var kinds = map[contentv1.ItemKind]search.Kind{
	contentv1.ItemKind_ITEM_KIND_BESPOKE: search.Bespoke, contentv1.ItemKind_ITEM_KIND_ARTICLE: search.Article, contentv1.ItemKind_ITEM_KIND_MEDITATION: search.Meditation,
}

// Cards are what is known of articles and meditations without their texts, the pictures that they name, by id, and the entries of content
// types that have few.
type Cards interface {
	CardsOf(ctx context.Context, kind reading.Kind, ids []string) ([]reading.Card, error)
	Pictures(ctx context.Context, ids []string) (map[string]reading.Picture, error)
	Pages(ctx context.Context, contentType string) ([]reading.Page, error)
}

// cardKinds are the kinds that have cards.
var cardKinds = map[search.Kind]reading.Kind{search.Article: reading.Article, search.Meditation: reading.Meditation}

// Search answers SearchService for the member of the call.
type Search struct {
	find  *search.Searcher
	cards Cards
	// fill fetches the member's meditations from before content's subscription to generation's events.
	fill func(ctx context.Context) error
}

var _ contentv1connect.SearchServiceHandler = (*Search)(nil)

// NewSearch makes the handler.
func NewSearch(find *search.Searcher, cards Cards, fill func(ctx context.Context) error) *Search {
	return &Search{find, cards, fill}
}

// Search answers a page of each kind that is asked for.
func (h *Search) Search(ctx context.Context, req *contentv1.SearchRequest) (*contentv1.SearchResponse, error) {
	ask, err := toAsk(ctx, req)
	if err != nil {
		return nil, err
	}
	if err := h.fill(ctx); err != nil {
		return nil, err
	}
	answer, err := h.find.Search(ctx, ask)
	if err != nil {
		return nil, err
	}
	res := &contentv1.SearchResponse{}
	names := map[string]string{}
	for _, c := range answer.Categories {
		names[c.ID] = c.Name
		if c.Count > 0 {
			res.Categories = append(res.Categories, &contentv1.CategoryCount{Id: c.ID, Name: c.Name, Count: int32(c.Count)})
		}
	}
	for _, group := range answer.Groups {
		pictures, err := h.forReader(ctx, group)
		if err != nil {
			return nil, err
		}
		res.Groups = append(res.Groups, toGroup(req, group, names, pictures))
	}
	if len(ask.Kinds) > 1 && !ask.Marked {
		res.Courses, err = h.courses(ctx, ask, names)
	}
	return res, err
}

// courses that a search finds, as far as lists of them need. names are those of categories, by id.
func (h *Search) courses(ctx context.Context, ask search.Ask, names map[string]string) (found []*contentv1.CourseCard, err error) {
	pages, err := h.cards.Pages(ctx, courses.ContentType)
	if err != nil {
		return nil, err
	}
	var all []courses.Course
	for _, p := range reading.InOrder(pages) {
		all = append(all, courses.Of(p))
	}
	matches := courses.Find(all, reading.SearchWords(ask.Text), ask.Category)
	var cards []reading.Card
	for _, c := range matches {
		cards = append(cards, cardOf(c))
	}
	pictures, err := h.pictures(ctx, cards)
	for _, c := range matches {
		found = append(found, &contentv1.CourseCard{
			Id: c.ID, Slug: c.Slug, Title: c.Title, Description: c.Description, Days: int32(len(c.Days)), Picture: pictures[c.ID],
			Category: &contentv1.Category{Id: c.Category, Name: names[c.Category], Confidence: entry.Certain},
		})
	}
	return found, err
}

// forReader removes the excerpts of items that the member may not read or hear to the end, and returns the pictures of the matches by
// id. Without that, searches for the last words of each excerpt would add up to the whole text. Members may read their own meditations.
func (h *Search) forReader(ctx context.Context, group search.Group) (map[string]*contentv1.Picture, error) {
	if group.Kind == search.Bespoke {
		return nil, nil
	}
	ids := make([]string, len(group.Matches))
	for i, m := range group.Matches {
		ids[i] = m.ID
	}
	cards, err := h.cards.CardsOf(ctx, cardKinds[group.Kind], ids)
	if err != nil {
		return nil, err
	}
	keepToReader(auth.SubjectFrom(ctx), group, cards)
	return h.pictures(ctx, cards)
}

func keepToReader(reader auth.Subject, group search.Group, cards []reading.Card) {
	whole := map[string]bool{}
	for _, c := range cards {
		whole[c.ID] = c.Whole(reader)
	}
	for i, m := range group.Matches {
		if !whole[m.ID] {
			group.Matches[i].Excerpt = nil
		}
	}
}

// pictures of cards, by the cards' ids.
func (h *Search) pictures(ctx context.Context, cards []reading.Card) (map[string]*contentv1.Picture, error) {
	var assets []string
	for _, c := range cards {
		if c.Picture != "" {
			assets = append(assets, c.Picture)
		}
	}
	found, err := h.cards.Pictures(ctx, assets)
	pictures := map[string]*contentv1.Picture{}
	for _, c := range cards {
		if p, there := found[c.Picture]; there {
			pictures[c.ID] = toProtoPicture(p)
		}
	}
	return pictures, err
}

func toAsk(ctx context.Context, req *contentv1.SearchRequest) (search.Ask, error) {
	subject := auth.SubjectFrom(ctx)
	uid, err := auth.MemberID(ctx)
	if err != nil {
		return search.Ask{}, err
	}
	ask := search.Ask{
		Text: req.GetText(), Category: req.GetCategory(), UID: uid.String(), Admin: subject.Admin, Marked: req.GetDeleted(),
		Size: int(req.GetPageSize()), Kinds: search.Kinds,
	}
	if ask.Size == 0 {
		ask.Size = searchPage
	}
	if kind, one := kinds[req.GetKind()]; one {
		ask.Kinds = []search.Kind{kind}
	}
	if req.GetPageToken() == "" {
		return ask, nil
	}
	if len(ask.Kinds) > 1 {
		return ask, pagetoken.ErrInvalid.Because(errors.New("a page is one of a kind"))
	}
	ask.After, err = afterToken(req)
	return ask, err
}

func toGroup(req *contentv1.SearchRequest, g search.Group, names map[string]string, pictures map[string]*contentv1.Picture) *contentv1.SearchGroup {
	group := &contentv1.SearchGroup{Total: int32(g.Total)}
	for kind, name := range kinds {
		if name == g.Kind {
			group.Kind = kind
		}
	}
	for _, m := range g.Matches {
		match := toMatch(group.GetKind(), m, names)
		match.Picture = pictures[m.ID]
		group.Matches = append(group.Matches, match)
	}
	if g.Next != nil {
		group.NextPageToken = pagetoken.Encode(matchToken{*g.Next, fingerprint(req, group.GetKind())})
	}
	return group
}

func toMatch(kind contentv1.ItemKind, m search.Match, names map[string]string) *contentv1.Match {
	match := &contentv1.Match{
		Item: &contentv1.ItemRef{Kind: kind, Id: m.ID}, Slug: m.Slug, Title: toPieces(m.TitlePieces), Excerpt: toPieces(m.Excerpt),
		Immersive: m.Immersive, AudioSeconds: int32(m.Seconds),
	}
	if m.Kind != search.Article {
		match.Slug = ""
	}
	if len(m.Categories) > 0 {
		id := m.Categories[0]
		match.Category = &contentv1.Category{Id: id, Name: names[id], Confidence: int32(m.Confidence)}
	}
	return match
}

func toPieces(pieces []search.Piece) (all []*contentv1.Piece) {
	for _, p := range pieces {
		all = append(all, &contentv1.Piece{Text: p.Text, Matched: p.Matched})
	}
	return all
}

// matchToken is where a page of matches ended. Asked is the fingerprint of the search: in another search the place has no meaning.
type matchToken struct {
	search.Position
	Asked []byte
}

// afterToken gives the place after which a page begins. Error: pagetoken.ErrInvalid.
func afterToken(req *contentv1.SearchRequest) (*search.Position, error) {
	at, err := pagetoken.Decode(req.GetPageToken(), matchToken{})
	if err == nil && !bytes.Equal(at.Asked, fingerprint(req, req.GetKind())) {
		err = pagetoken.ErrInvalid
	}
	return &at.Position, err
}

func fingerprint(req *contentv1.SearchRequest, kind contentv1.ItemKind) []byte {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\x00%t\x00%s\x00%s", kind, req.GetDeleted(), req.GetCategory(), req.GetText()))
	return sum[:8]
}
