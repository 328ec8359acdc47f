package studio

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"strings"
	"time"

	"serein.app/services/content/internal/catalogue"
	"serein.app/services/content/internal/classify"
	"serein.app/services/content/internal/entry"
	"serein.app/services/content/internal/markup"
)

// Order describes an item that a caller wants made.
type Order struct {
	// ID is that of the entry: the same order makes one, however often it comes.
	ID, Title string
	// Type and Practice are a name or an id of the catalogue.
	Type, Practice string
	// Text is a meditation's script, or an article's Markdown.
	Text string
	// NarratorID in place of the type's own; empty for that.
	NarratorID string
	// By is the given name of who asks.
	By string
	// Immersive has quiet before it and after it.
	Immersive bool
	// Intro is for meditations, Open for articles.
	Intro, Open bool
}

// sure is the confidence, in per cent, with which the words of a meditation outweigh its type.
const sure = 60

// maxDescription is how many characters a description has; see seed/content-types.yaml.
const maxDescription = 300

// MakeMeditation makes one that is not verified. Errors: those of the order, ErrReused, entry.ErrInvalid.
func (s *Studio) MakeMeditation(ctx context.Context, by entry.Actor, o Order) (item entry.Item, locale string, err error) {
	o, kind, err := s.check(o)
	if err != nil {
		return item, "", err
	}
	if err := checkScript(o.Text); err != nil {
		return item, "", err
	}
	words := markup.Plain(bracketed.ReplaceAllString(o.Text, " "))
	found := s.category(o.Title, words, kind)
	return s.make(ctx, by, o, Meditation, words, map[string]any{
		"category": link(found.Category), entry.ConfidencesField: confidences(found), "intro": o.Intro, "script": o.Text, "verified": false,
	})
}

// MakeArticle makes an article. Errors: those of MakeMeditation.
func (s *Studio) MakeArticle(ctx context.Context, by entry.Actor, o Order) (item entry.Item, locale string, err error) {
	o, kind, err := s.check(o)
	if err != nil {
		return item, "", err
	}
	words := markup.Plain(o.Text)
	if words == "" {
		return item, "", ErrScriptRequired.On("text")
	}
	var categories []any
	found := s.categories(o.Title, words, kind)
	for _, match := range found {
		categories = append(categories, link(match.Category))
	}
	return s.make(ctx, by, o, Article, markup.Lead(o.Text), map[string]any{
		"categories": categories, entry.ConfidencesField: confidences(found...), "open": o.Open, "published": s.now().UTC().Format(time.DateOnly), "body": o.Text,
	})
}

// check cleans the order's texts and finds what the catalogue does not have; kind is the id of the type.
func (s *Studio) check(o Order) (checked Order, kind string, err error) {
	o.Title = strings.Join(strings.Fields(markup.Clean(o.Title)), " ")
	o.Text, o.By = strings.TrimSpace(markup.Clean(o.Text)), markup.Clean(o.By)
	types := slices.IndexFunc(s.offer.Types, func(t catalogue.Type) bool { return o.Type == t.ID || o.Type == t.Name })
	practices := slices.IndexFunc(s.offer.Practices, func(p catalogue.Practice) bool { return o.Practice == p.ID || o.Practice == p.Name })
	switch {
	case o.Title == "":
		return o, "", ErrTitleRequired
	case types < 0:
		return o, "", ErrType
	case practices < 0:
		return o, "", ErrPractice
	case o.NarratorID != "" && !s.narrates(o.NarratorID):
		return o, "", ErrNarrator
	}
	o.Type, o.Practice = s.offer.Types[types].Name, s.offer.Practices[practices].Name
	return o, s.offer.Types[types].ID, nil
}

// narrates says whether a narrator has that id. Every narrator is the preset of a meditation type.
func (s *Studio) narrates(id string) bool {
	return slices.ContainsFunc(s.offer.Types, func(t catalogue.Type) bool { return t.Narrator.ID == id })
}

// category of a meditation: its type's, unless the words speak of another beyond doubt.
func (s *Studio) category(title, words, kind string) classify.Match {
	if best := s.classifier.Classify(title, words)[0]; best.Category != classify.Uncategorized && best.Confidence >= sure {
		return best
	}
	return classify.Match{Category: s.types[kind], Confidence: entry.Certain}
}

// categories are the categories of an article: the one of its type, which the caller chose, and those that the classifier finds in its
// words; at most three.
func (s *Studio) categories(title, words, kind string) []classify.Match {
	all := []classify.Match{{Category: s.types[kind], Confidence: entry.Certain}}
	for _, match := range s.classifier.Classify(title, words) {
		if match.Category != classify.Uncategorized && match.Category != s.types[kind] && len(all) < classify.Limit {
			all = append(all, match)
		}
	}
	return all
}

// confidences are what the field of that name holds.
func confidences(of ...classify.Match) map[string]any {
	all := map[string]any{}
	for _, match := range of {
		all[classify.CategoryID(match.Category)] = float64(match.Confidence)
	}
	return all
}

// link to the category of that name.
func link(name string) map[string]any {
	return entry.Link{Kind: entry.KindEntry, ID: classify.CategoryID(name)}.Value()
}

// make publishes an entry of the order. Its slug is its title's, or that with a part of its id where another has it.
func (s *Studio) make(ctx context.Context, by entry.Actor, o Order, contentType, words string, values map[string]any) (made entry.Item, locale string, err error) {
	if locale, err = s.locale(ctx); err != nil {
		return made, "", err
	}
	values["title"], values["description"] = o.Title, description(words)
	values["type"], values["practice"], values["immersive"] = o.Type, o.Practice, o.Immersive
	for field, text := range map[string]string{"voice": o.NarratorID, "generatedBy": o.By, "createdBy": by.Name} {
		if text != "" {
			values[field] = text
		}
	}
	fields := entry.Fields{}
	for field, value := range values {
		fields[field] = map[string]any{locale: value}
	}
	for _, slug := range []string{slugOf(o.Title), slugOf(o.Title) + "-" + o.ID[:8]} {
		fields["slug"] = map[string]any{locale: slug}
		made, err = s.store.Make(ctx, by, key(o.ID), contentType, entry.Draft{Fields: fields})
		if !isTaken(err) {
			break
		}
	}
	if errors.Is(err, entry.ErrExists) {
		made, err = s.again(ctx, key(o.ID), contentType, fields)
	}
	return made, locale, err
}

// isTaken says whether another entry has the slug.
func isTaken(err error) bool {
	faults, ok := errors.AsType[entry.FieldErrors](err)
	return ok && faults[0].Field == "slug" && faults[0].Name == "unique"
}

// again is the entry as it is by now, where it was made of the same order.
func (s *Studio) again(ctx context.Context, k entry.Key, contentType string, fields entry.Fields) (entry.Item, error) {
	item, err := s.store.Item(ctx, k)
	if err != nil {
		return item, err
	}
	begun, err := s.store.FieldsOf(ctx, k, 1)
	if err != nil {
		return item, err
	}
	for _, follows := range []string{"slug", "published", "createdBy"} { // what the order does not say
		delete(begun, follows)
		delete(fields, follows)
	}
	if item.ContentType != contentType || !reflect.DeepEqual(begun, fields) {
		return item, ErrReused
	}
	return item, nil
}

// description is what cards say: the first words.
func description(words string) string {
	preview := []rune(markup.Preview(words))
	return string(preview[:min(len(preview), maxDescription)])
}
