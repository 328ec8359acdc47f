package rest

import (
	"context"
	"strconv"
	"strings"

	"google.golang.org/protobuf/types/known/structpb"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	restv1 "serein.app/proto/gen/serein/rest/v1"
)

// An answer holds mostPages of pageItems items; a token leads to the rest.
const (
	pageItems = 50
	mostPages = 4
)

// pages asks for one page after the other from token on. next is the token of the first page that is left out, empty for none.
func pages(token string, ask func(token string) (next string, err error)) (next string, err error) {
	next = token
	for range mostPages {
		if next, err = ask(next); err != nil || next == "" {
			return "", err
		}
	}
	return next, nil
}

// nth element; the zero value where there are not so many.
func nth[T any](list []T, n int) (element T) {
	if n < len(list) {
		return list[n]
	}
	return element
}

// mediaURL is where this host delivers what content keeps at that path; empty where there is nothing.
func (a *API) mediaURL(path string) string {
	if path == "" {
		return ""
	}
	return a.PublicURL + "/media/" + path
}

// maker is the given name of the member who makes an article or a meditation. A service account says the name itself.
func (a *API) maker(ctx context.Context, said string) (string, error) {
	c := callerOf(ctx)
	if c.account != "" {
		return said, nil
	}
	return a.givenName(ctx, c.uid)
}

// order is what both calls of admins make an item by: its id, the ids of its type and practice, and the given name of who asks.
type order struct{ id, kind, practice, by string }

func (a *API) order(ctx context.Context, req interface {
	GetId() string
	GetMeditationType() string
	GetPracticeType() string
	GetGeneratedBy() string
},
) (o order, err error) {
	if o.id, err = itemID(ctx, req.GetId()); err != nil {
		return o, err
	}
	names, err := a.names(ctx)
	if err != nil {
		return o, err
	}
	o.kind, o.practice = names.id(kindType, req.GetMeditationType()), names.id(kindPractice, req.GetPracticeType())
	o.by, err = a.maker(ctx, req.GetGeneratedBy())
	return o, err
}

func (a *API) article(c *contentv1.ArticleCard, t *contentv1.ArticleText) *restv1.Article {
	out := &restv1.Article{
		Uid: c.GetId(), Id: c.GetId(), Title: c.GetTitle(), Content: t.GetPlain(), Body: t.GetHtml(), AudioUrl: a.mediaURL(t.GetAudioPath()),
		Likes: c.GetStanding().GetLikes(),
	}
	for _, category := range c.GetCategories() {
		out.Category = append(out.Category, articleCategory(category))
	}
	return out
}

func articleCategory(c *contentv1.Category) *restv1.ArticleCategory {
	return &restv1.ArticleCategory{Category: c.GetName(), Confidence: float64(c.GetConfidence())}
}

// madeArticle is one that has just been made: nobody likes it yet.
func (a *API) madeArticle(m *contentv1.Made, t *contentv1.ArticleText) *restv1.Article {
	id := m.GetItem().GetId()
	out := &restv1.Article{
		Uid: id, Id: id, Title: m.GetTitle(), Content: t.GetPlain(), Body: t.GetHtml(), AudioUrl: a.mediaURL(t.GetAudioPath()),
	}
	for _, category := range m.GetCategories() {
		out.Category = append(out.Category, articleCategory(category))
	}
	return out
}

// recording is a meditation of the library.
func (a *API) recording(c *contentv1.MeditationCard, s *contentv1.MeditationScript) *restv1.Meditation {
	return &restv1.Meditation{
		Uid: c.GetId(), Id: c.GetId(), Title: c.GetTitle(), Content: spoken(s), AudioUrl: a.mediaURL(c.GetAudioPath()),
		Duration: length(c.GetAudioSeconds()), Immersive: c.GetImmersive(), Type: c.GetType(), Style: c.GetPractice(), Category: categories(c.GetCategory()),
		Likes: c.GetStanding().GetLikes(), Verified: c.GetVerified(), StaticMed: true, IntroMed: c.GetIntro(), CreatedBy: s.GetCreatedBy(),
		GeneratedBy: c.GetGeneratedBy(), FirebaseId: s.GetCreatedBy(), CreatedAt: c.GetCreatedAt(), WillDelete: structpb.NewBoolValue(false),
	}
}

// madeMeditation is one that has just been made.
func (a *API) madeMeditation(m *contentv1.Made, s *contentv1.MeditationScript) *restv1.Meditation {
	id := m.GetItem().GetId()
	out := &restv1.Meditation{
		Uid: id, Id: id, Title: m.GetTitle(), Content: spoken(s), AudioUrl: a.mediaURL(m.GetAudioPath()),
		Duration: length(m.GetAudioSeconds()), Immersive: m.GetImmersive(), Type: m.GetType(), Style: m.GetPractice(), Category: categories(m.GetCategory()),
		Verified: m.GetVerified(), StaticMed: true, IntroMed: m.GetIntro(), CreatedBy: s.GetCreatedBy(),
		GeneratedBy: m.GetGeneratedBy(), FirebaseId: s.GetCreatedBy(), CreatedAt: m.GetCreatedAt(), WillDelete: structpb.NewBoolValue(false),
	}
	if m.GetDeletedUntil() != nil {
		out.WillDelete = structpb.NewNumberValue(float64(m.GetDeletedUntil().GetSeconds()))
	}
	return out
}

func spoken(s *contentv1.MeditationScript) string { return strings.Join(s.GetParagraphs(), "\n\n") }

// length of a sound in seconds; empty while there is none.
func length(seconds int32) string {
	if seconds == 0 {
		return ""
	}
	return strconv.Itoa(int(seconds))
}

func categories(c *contentv1.Category) []*restv1.Category {
	if c == nil {
		return nil
	}
	return []*restv1.Category{{Category: c.GetName()}}
}
