// Package search finds articles, meditations of the library and a member's own by their words. It owns what a word is,
// what is forgiven (case, accents, a typing error, an unfinished last word), what is better than what, and which pieces of a
// text are marked.
//
// An item has terms: its words with the place where they stand, the beginnings of its words, its categories, whose it
// is. For each term the index keeps the set of items that have it, and a search reckons with these sets: its cost
// follows from the number of its words and not from how many items have them, nor from the page that is asked for. Package
// postgres keeps the index; this one knows no SQL.
package search

import (
	"context"
	"math"
)

// maxCounted is how far matches are counted.
const maxCounted = 1000

// Index is what a search reads.
type Index interface {
	// Facets are the sets of published items by kind, of a member's own (Term{OfMember, owned}) and of unverified items.
	Facets(ctx context.Context, owned string) (map[Term]Set, error)
	// Categories are those that there are, in their order, and the sets of those items in these blocks that are filed there.
	Categories(ctx context.Context, blocks []int64) ([]Category, error)
	// Words gives the words that begin with beginning, none where that is empty, and those that have one of the spellings.
	Words(ctx context.Context, beginning string, spellings []string) (longer, candidates []string, err error)
	// Postings are the sets of those terms in these blocks.
	Postings(ctx context.Context, terms []Term, blocks []int64) (map[Term]Set, error)
	// Items of these numbers, those that there are.
	Items(ctx context.Context, numbers []int64) (map[int64]Item, error)
}

// Category of items.
type Category struct {
	ID, Name string
	Items    Set
}

// Ask is a member's search.
type Ask struct {
	Text string
	// Kinds that are asked for.
	Kinds []Kind
	// Category's id; empty for all.
	Category string
	// UID of the member who asks; Admin finds what is not verified too.
	UID   string
	Admin bool
	// Marked asks for what of the member's own is marked deleted, in place of everything else.
	Marked bool
	// Size of a page of each kind.
	Size int
	// After is where the page before ended; nil for the first.
	After *Position
}

// Position is where a page ended: the tier of its last item, and that item's number.
type Position struct {
	Tier   int
	Number int64
}

// first is before everything.
var first = Position{Tier: 0, Number: math.MaxInt64}

// Answer is what was found.
type Answer struct {
	// Groups of the kinds that were asked for, in their order.
	Groups []Group
	// Categories are all that there are, with how many of what can be found are filed there.
	Categories []Count
}

// Group is a page of one kind.
type Group struct {
	Kind    Kind
	Matches []Match
	// Total of matches, counted to 1,000.
	Total int
	// Next is where the page ends; nil where nothing follows.
	Next *Position
}

// Match is an item with its pieces.
type Match struct {
	Item

	TitlePieces, Excerpt []Piece
}

// Count says how many items are filed in a category.
type Count struct {
	ID, Name string
	Count    int
}

// Searcher searches.
type Searcher struct{ index Index }

// New makes a searcher.
func New(index Index) *Searcher { return &Searcher{index} }

// Search finds a page of each kind that is asked for.
func (s *Searcher) Search(ctx context.Context, ask Ask) (Answer, error) {
	visible, err := s.visible(ctx, ask)
	if err != nil {
		return Answer{}, err
	}
	everything := Set{}
	for _, kind := range Kinds {
		everything.join(visible[kind])
	}
	categories, err := s.index.Categories(ctx, everything.Blocks())
	if err != nil {
		return Answer{}, err
	}
	words := parse(ask.Text)
	tiers, err := s.tiers(ctx, ask, words, asked(ask, visible, categories))
	if err != nil {
		return Answer{}, err
	}
	answer := Answer{Categories: counts(categories, everything)}
	if answer.Groups, err = s.groups(ctx, ask, words, tiers, visible); err != nil {
		return Answer{}, err
	}
	return answer, nil
}

// visible is what the member may find of each kind.
func (s *Searcher) visible(ctx context.Context, ask Ask) (map[Kind]Set, error) {
	owned := ownedBy(ask.UID, ask.Marked)
	facets, err := s.index.Facets(ctx, owned)
	if err != nil {
		return nil, err
	}
	visible := map[Kind]Set{Bespoke: facets[Term{OfMember, owned}], Article: {}, Meditation: {}}
	if ask.Marked {
		return visible, nil
	}
	for _, kind := range []Kind{Article, Meditation} {
		visible[kind] = facets[Term{OfKind, string(kind)}]
		if !ask.Admin {
			visible[kind] = visible[kind].without(facets[Term{IsUnverified, ""}])
		}
	}
	return visible, nil
}

// asked is what the question is about: its kinds, and its category.
func asked(ask Ask, visible map[Kind]Set, categories []Category) Set {
	within := Set{}
	for _, kind := range ask.Kinds {
		within.join(visible[kind])
	}
	if ask.Category == "" {
		return within
	}
	filed := Set{}
	for _, c := range categories {
		if c.ID == ask.Category {
			filed = c.Items
		}
	}
	return within.and(filed)
}

func (s *Searcher) tiers(ctx context.Context, ask Ask, words []wanted, within Set) ([]Set, error) {
	switch {
	case ask.Text == "" && ask.Category != "":
		return []Set{within}, nil
	case len(words) == 0 || within.count() == 0:
		return nil, nil
	}
	longer, candidates, err := s.index.Words(ctx, beginning(words), spellingsOf(mayBeMistyped(words)))
	if err != nil {
		return nil, err
	}
	complete(words, longer, candidates)
	return s.match(ctx, words, within)
}

func counts(categories []Category, everything Set) []Count {
	all := make([]Count, len(categories))
	for i, c := range categories {
		all[i] = Count{c.ID, c.Name, c.Items.and(everything).count()}
	}
	return all
}

// groups reads the items of the pages.
func (s *Searcher) groups(ctx context.Context, ask Ask, words []wanted, tiers []Set, visible map[Kind]Set) ([]Group, error) {
	pages := make([][]int64, len(ask.Kinds))
	groups := make([]Group, len(ask.Kinds))
	var numbers []int64
	for i, kind := range ask.Kinds {
		pages[i], groups[i] = page(ask, kind, tiers, visible[kind])
		numbers = append(numbers, pages[i]...)
	}
	if len(numbers) == 0 {
		return groups, nil
	}
	items, err := s.index.Items(ctx, numbers)
	if err != nil {
		return nil, err
	}
	for i := range groups {
		for _, number := range pages[i] {
			if item, there := items[number]; there {
				groups[i].Matches = append(groups[i].Matches, Match{item, pieces(item.Title, words), excerpt(item.Text, words)})
			}
		}
	}
	return groups, nil
}

// page is one of a kind, by numbers, and what is known of it without its items.
func page(ask Ask, kind Kind, tiers []Set, visible Set) ([]int64, Group) {
	group := Group{Kind: kind}
	from := first
	if ask.After != nil {
		from = *ask.After
	}
	var numbers []int64
	var end Position
	for tier, all := range tiers {
		mine := all.and(visible)
		group.Total += mine.count()
		if tier < from.Tier || group.Next != nil {
			continue
		}
		bound := first.Number
		if tier == from.Tier {
			bound = from.Number
		}
		for _, number := range mine.below(bound, ask.Size+1-len(numbers)) {
			if len(numbers) == ask.Size {
				group.Next = &end
				break
			}
			numbers, end = append(numbers, number), Position{tier, number}
		}
	}
	group.Total = min(group.Total, maxCounted)
	return numbers, group
}
