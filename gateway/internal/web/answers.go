package web

import (
	"context"
	"encoding/json"
	"errors"
	"time"
	"unicode/utf8"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"

	"serein.app/gateway/internal/guest"
	"serein.app/gateway/internal/page"
	"serein.app/gateway/internal/session"
	"serein.app/gateway/internal/upstream"
	webv1 "serein.app/proto/gen/serein/web/v1"
	"serein.app/services/platform/auth"
	"serein.app/services/platform/rpc"
)

// answer is how a page's answer is asked for, and what the page says of itself by it.
type answer struct {
	empty proto.Message
	// own: it shows members something of their own, where it is for subscribers admins alone; guests: it shows visitors
	// what is in their basket.
	own, guests bool
	ask         func(*Screens, context.Context, page.Question) (*page.Answer, error)
}

// pageAnswers are what pages can be filled with, by the RPC that they show.
var pageAnswers = map[string]answer{
	"GetHome":         {empty: &webv1.GetHomeResponse{}, own: true, ask: (*Screens).homePage},
	"ListArticles":    {empty: &webv1.ListArticlesResponse{}, own: true, ask: (*Screens).articlesPage},
	"GetArticle":      {empty: &webv1.GetArticleResponse{}, own: true, ask: (*Screens).articlePage},
	"ListMeditations": {empty: &webv1.ListMeditationsResponse{}, own: true, ask: (*Screens).libraryPage},
	"ListCourses":     {empty: &webv1.ListCoursesResponse{}, own: true, ask: (*Screens).coursesPage},
	"GetCourse":       {empty: &webv1.GetCourseResponse{}, own: true, ask: (*Screens).coursePage},
	"GetText":         {empty: &webv1.GetTextResponse{}, ask: (*Screens).textPage},
	"GetMemberships":  {empty: &webv1.GetMembershipsResponse{}, own: true, guests: true, ask: (*Screens).membershipsPage},
	"GetApparel":      {empty: &webv1.GetApparelResponse{}, ask: (*Screens).apparelPage},
	"GetSitemap":      {empty: &webv1.GetSitemapResponse{}, ask: (*Screens).sitemapPage},
	"GetJourney":      {empty: &webv1.GetJourneyResponse{}, own: true, ask: (*Screens).journeyCounts},
	"ListBespoke":     {empty: &webv1.ListBespokeResponse{}, own: true, ask: (*Screens).journeyBespoke},
}

// PageAnswers are the answers that the app's templates may name, by RPC.
func PageAnswers() map[string]proto.Message {
	out := map[string]proto.Message{}
	for rpc, a := range pageAnswers {
		out[rpc] = a.empty
	}
	return out
}

// Answer gives what a page shows everybody who may open it: it is asked for in nobody's name, and where it is for
// subscribers in that of the one who opens it, with no more rights than all of them have.
func (c *caller) Answer(ctx context.Context, q page.Question) (*page.Answer, error) {
	if q.Entitlement == "" {
		return c.datedAnswer(auth.WithSubject(ctx, auth.Subject{}), q)
	}
	if c.member == nil {
		return nil, c.unchecked
	}
	if _, err := c.Roles.Entitled(ctx, c.member.UID, q.Entitlement); err != nil {
		return nil, err
	}
	return c.datedAnswer(auth.WithSubject(ctx, auth.Subject{UID: c.member.UID, Entitlements: []string{q.Entitlement}}), q)
}

// datedAnswer says of an answer when it was true, where content says so.
func (s *Screens) datedAnswer(ctx context.Context, q page.Question) (*page.Answer, error) {
	ctx, heard := upstream.WithAge(ctx)
	asked := s.Now()
	out, err := pageAnswers[q.RPC].ask(s, ctx, q)
	if age, known := heard.Get(); known && err == nil {
		out.AsOf = asked.Add(-age)
	}
	return out, err
}

// Own gives what a page shows the signed-in member, or the visitor whose basket it depends on; nil for all others, and where
// it shows members nothing of their own: one for subscribers shows all of them the same, and admins what is not verified
// too.
func (c *caller) Own(ctx context.Context, q page.Question) (*page.Answer, error) {
	if !c.hasOwn(ctx, q) {
		return nil, nil
	}
	ctx, cancel := context.WithTimeout(c.in(ctx), page.AnswerTime)
	defer cancel()
	if c.member != nil {
		ctx = c.Roles.Named(ctx, c.member.UID)
	}
	return c.datedAnswer(ctx, q)
}

func (c *caller) hasOwn(ctx context.Context, q page.Question) bool {
	wanted := pageAnswers[q.RPC]
	if c.member == nil {
		return wanted.guests && errors.Is(c.unchecked, session.ErrNone) && guest.IDFrom(c.header) != ""
	}
	return wanted.own && (q.Entitlement == "" || c.Roles.CachedAdmin(ctx, c.member.UID))
}

// pageAnswer is a page at this address, with what most say of themselves.
func (s *Screens) pageAnswer(m proto.Message, path, kind string) *page.Answer {
	address := string(s.Site) + path
	return &page.Answer{
		Message: m, Type: "website", Image: string(s.Site) + "/apple-touch-icon.png", Canonical: address, Path: path,
		Linked: map[string]any{"@context": "https://schema.org", "@type": kind, "name": brand, "url": address},
	}
}

// brand is the product, as every page's title ends.
const brand = "Serein"

// homePage is home, or a panel that lies over it: a panel is a separate page, with a title and description that say what it is.
func (s *Screens) homePage(ctx context.Context, q page.Question) (*page.Answer, error) {
	res, err := s.GetHome(ctx, &webv1.GetHomeRequest{})
	if err != nil {
		return nil, err
	}
	if q.Path != "/" {
		return s.pageAnswer(res, q.Path, "WebPage"), nil
	}
	out := s.pageAnswer(res, q.Path, "WebSite")
	out.Description = res.GetMissionDescription()
	return out, nil
}

func (s *Screens) articlesPage(ctx context.Context, q page.Question) (*page.Answer, error) {
	res, err := s.ListArticles(ctx, &webv1.ListArticlesRequest{Category: q.Filter})
	if err != nil {
		return nil, err
	}
	out := s.pageAnswer(res, q.Path, "CollectionPage")
	for _, category := range res.GetCategories() {
		if category.GetId() == q.Filter {
			out.Title = category.GetName() + " · Articles · " + brand
		}
	}
	return out, nil
}

// libraryPage shows nothing of the subscriber in whose name it is asked for: it is one for all of them.
func (s *Screens) libraryPage(ctx context.Context, q page.Question) (*page.Answer, error) {
	req := &webv1.ListMeditationsRequest{}
	if err := readRequest(q, req); err != nil {
		return nil, err
	}
	res, err := s.ListMeditations(ctx, req)
	if err != nil {
		return nil, err
	}
	if !auth.SubjectFrom(ctx).Admin {
		for _, m := range res.GetMeditations() {
			m.Standing = &webv1.Standing{Likes: m.GetStanding().GetLikes()}
		}
	}
	return s.pageAnswer(res, q.Path, "CollectionPage"), nil
}

// readRequest reads what a page asks for: the request's fields in JSON, where numbers and enums may be texts.
func readRequest(q page.Question, into proto.Message) error {
	fields, err := json.Marshal(q.Request)
	if err != nil {
		return err
	}
	return protojson.Unmarshal(fields, into)
}

func (s *Screens) membershipsPage(ctx context.Context, q page.Question) (*page.Answer, error) {
	res, err := s.GetMemberships(ctx, &webv1.GetMembershipsRequest{})
	if err != nil {
		return nil, err
	}
	out := s.pageAnswer(res, q.Path, "WebPage")
	out.Description = res.GetSubtitle()
	return out, nil
}

func (s *Screens) apparelPage(ctx context.Context, q page.Question) (*page.Answer, error) {
	res, err := s.GetApparel(ctx, &webv1.GetApparelRequest{})
	if err != nil {
		return nil, err
	}
	out := s.pageAnswer(res, q.Path, "CollectionPage")
	out.Description = res.GetDescription()
	return out, nil
}

func (s *Screens) sitemapPage(ctx context.Context, q page.Question) (*page.Answer, error) {
	res, err := s.GetSitemap(ctx, &webv1.GetSitemapRequest{})
	if err != nil {
		return nil, err
	}
	return s.pageAnswer(res, q.Path, "WebPage"), nil
}

// journeyCounts and journeyBespoke are what My Journey begins with: answers beside a page that shows them itself.
func (s *Screens) journeyCounts(ctx context.Context, _ page.Question) (*page.Answer, error) {
	res, err := s.GetJourney(ctx, &webv1.GetJourneyRequest{})
	return &page.Answer{Message: res}, err
}

func (s *Screens) journeyBespoke(ctx context.Context, _ page.Question) (*page.Answer, error) {
	res, err := s.ListBespoke(ctx, &webv1.ListBespokeRequest{})
	return &page.Answer{Message: res}, err
}

func (s *Screens) textPage(ctx context.Context, q page.Question) (*page.Answer, error) {
	res, err := s.GetText(ctx, &webv1.GetTextRequest{Name: q.Request["name"]})
	if err != nil {
		return nil, err
	}
	out := s.pageAnswer(res, q.Path, "WebPage")
	out.Title, out.Description = res.GetTitle()+" · "+brand, res.GetDescription()
	return out, nil
}

func (s *Screens) articlePage(ctx context.Context, q page.Question) (*page.Answer, error) {
	req := &webv1.GetArticleRequest{Slug: q.Request["slug"]}
	if err := rpc.Validate(req); err != nil || !utf8.ValidString(req.GetSlug()) {
		return nil, errNoRule.Because(err) // no article could have such a slug
	}
	res, err := s.GetArticle(ctx, req)
	if err != nil {
		return nil, err
	}
	card := res.GetCard()
	out := s.pageAnswer(res, "/articles/"+card.GetSlug(), "Article")
	out.Title, out.Description, out.Type = card.GetTitle()+" · "+brand, card.GetDescription(), "article"
	if url := card.GetPicture().GetUrl(); url != "" {
		out.Image = string(s.Site) + url
	}
	out.Linked = s.linkedArticle(card, out)
	return out, nil
}

func (s *Screens) coursesPage(ctx context.Context, q page.Question) (*page.Answer, error) {
	res, err := s.ListCourses(ctx, &webv1.ListCoursesRequest{})
	if err != nil {
		return nil, err
	}
	return s.pageAnswer(res, q.Path, "CollectionPage"), nil
}

func (s *Screens) coursePage(ctx context.Context, q page.Question) (*page.Answer, error) {
	req := &webv1.GetCourseRequest{Slug: q.Request["slug"]}
	if err := rpc.Validate(req); err != nil || !utf8.ValidString(req.GetSlug()) {
		return nil, errNoRule.Because(err) // no course could have such a slug
	}
	res, err := s.GetCourse(ctx, req)
	if err != nil {
		return nil, err
	}
	card := res.GetCard()
	out := s.pageAnswer(res, "/courses/"+card.GetSlug(), "Course")
	out.Title, out.Description = card.GetTitle()+" · "+brand, card.GetDescription()
	if url := card.GetPicture().GetUrl(); url != "" {
		out.Image = string(s.Site) + url
	}
	out.Linked = map[string]any{
		"@context": "https://schema.org", "@type": "Course", "name": card.GetTitle(), "description": card.GetDescription(), "url": out.Canonical,
		"provider": map[string]any{"@type": "Organization", "name": brand, "url": string(s.Site) + "/"}, //nolint:misspell // schema.org's word
	}
	return out, nil
}

// linkedArticle is an article in schema.org's words. What members alone may read is the element #rest of the page.
func (s *Screens) linkedArticle(card *webv1.ArticleCard, a *page.Answer) map[string]any {
	linked := map[string]any{
		"@context": "https://schema.org", "@type": "Article", "headline": card.GetTitle(), "description": card.GetDescription(),
		"datePublished": day(card.GetPublishedAt()), "image": a.Image, "mainEntityOfPage": a.Canonical,
		"author":              map[string]any{"@type": "Organization", "name": brand, "url": string(s.Site) + "/"}, //nolint:misspell // schema.org's word
		"isAccessibleForFree": card.GetOpen(),
	}
	if !card.GetOpen() {
		linked["hasPart"] = map[string]any{"@type": "WebPageElement", "isAccessibleForFree": false, "cssSelector": "#rest"}
	}
	return linked
}

func day(t *timestamppb.Timestamp) string { return t.AsTime().UTC().Format(time.DateOnly) }
