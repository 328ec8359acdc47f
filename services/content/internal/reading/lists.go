package reading

import (
	"slices"
	"strings"
)

// Sound of meditations.
type Sound string

// The sounds; AnySound is both.
const (
	AnySound  Sound = ""
	Voice     Sound = "voice"
	Immersive Sound = "immersive"
)

// Scope says which meditations a caller gets.
type Scope string

// The scopes: members get verified meditations; admins get all, or only those to be verified.
const (
	Verified   Scope = "verified"
	Unverified Scope = "unverified"
	Everything Scope = "all"
)

// Filter says what a list shows. Of articles only the category counts.
type Filter struct {
	Kind  Kind
	Scope Scope
	Sound Sound
	// Category by its id; empty for all.
	Category string
	// Intro: the introductions alone, in their order; Narrated: those that can be heard.
	Intro, Narrated bool
}

// Name of the list that a filter shows.
func (f Filter) Name() string {
	if f.Kind == Article {
		return strings.Join([]string{"articles", f.Category}, "/")
	}
	parts := []string{"meditations", string(f.Scope), string(f.Sound), f.Category}
	if f.Intro {
		parts = append(parts, "intro")
	}
	if f.Narrated {
		parts = append(parts, "narrated")
	}
	return strings.Join(parts, "/")
}

// listsOf are the lists that the card stands in, and its place in each.
func listsOf(c Card) map[string]int64 {
	lists := map[string]int64{}
	newest := c.At.UnixMicro()
	if c.Kind == Article {
		for _, category := range append([]string{""}, c.Categories...) {
			lists[Filter{Kind: Article, Category: category}.Name()] = newest
		}
		return lists
	}
	own := Filter{Kind: Meditation, Scope: Unverified, Sound: Voice}
	if c.Verified {
		own.Scope = Verified
	}
	if c.Immersive {
		own.Sound = Immersive
	}
	for _, scope := range []Scope{Everything, own.Scope} {
		for _, sound := range []Sound{AnySound, own.Sound} {
			for _, category := range append([]string{""}, c.Categories...) {
				f := Filter{Kind: Meditation, Scope: scope, Sound: sound, Category: category}
				lists[f.Name()] = newest
				if f.Intro = c.Intro; c.Intro {
					lists[f.Name()] = -int64(c.Order)
				}
			}
		}
		if c.Audio != "" {
			lists[Filter{Kind: Meditation, Scope: scope, Narrated: true}.Name()] = newest
		}
	}
	return lists
}

// names are those by which the item may be looked for once it has others.
func names(slug, title string) []string {
	all := []string{slug}
	if of := Slug(title); of != "" && !slices.Contains(all, of) {
		all = append(all, of)
	}
	return all
}
