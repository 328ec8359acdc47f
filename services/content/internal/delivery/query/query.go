// Package query reads the delivery API's query parameters into a checked form: what is asked for, of
// which type, in which order and which page. It refuses what the contract does not have, in the
// contract's words, and knows neither SQL nor HTTP.
package query

import (
	"time"

	"serein.app/services/content/internal/entry"
)

// Collection is what a query lists.
type Collection int

// The collections.
const (
	Entries Collection = iota
	Assets
	ContentTypes
	Tags
)

// Type is the sys.type of the collection's items.
func (c Collection) Type() string {
	return [...]string{"Entry", "Asset", "ContentType", "Tag"}[c]
}

// Model is what an environment's queries are checked against.
type Model struct {
	Environment string
	// CreatedAt is when the environment was created. It tells the environment from a deleted one of the same name.
	CreatedAt time.Time
	Locales   entry.Locales
	// Types by their id.
	Types map[string]entry.ContentType
}

// Query is a checked list query. All of its conditions hold together.
type Query struct {
	Of Collection
	// ContentType of the entries; empty for any.
	ContentType string
	Filters     []Filter
	References  []Reference
	// LinksTo are the items that each found entry points at.
	LinksTo []entry.Link
	// Words of a search in all texts, each the beginning of a word; Locales is where.
	Words   []string
	Locales []string
	// Sent are the fields that this search may look at, by content type, "" being that of assets: what readers are not sent they
	// cannot search for either. Nil without Words.
	Sent map[string][]string
	// Media are the media types of an asset's file, one of which it must have.
	Media *Media
	// Nothing says that no item can be meant.
	Nothing bool

	// Order ends with the id, so that it is total.
	Order   []Key
	Page    Page
	Include int
	// Locale of the answer, AllLocales for all.
	Locale string
	// Select is what of each item is answered; nil for all of it.
	Select *Selection
}

// AllLocales asks for every value of every field.
const AllLocales = "*"

// Filter is a condition on one value.
type Filter struct {
	Target Target
	Op     Op
	// Values are of the target's type: string, int64, float64, bool or time.Time. Near has lat and lon;
	// Within a box of four numbers or a circle of three, the radius in kilometres. Match has words.
	Values []any
}

// Reference is a condition on the entry that a field points at.
type Reference struct {
	Field string
	// Types of content of which that entry must have one.
	Types   []string
	Filters []Filter
}

// Key is one key of an order.
type Key struct {
	Target Target
	Desc   bool
	// Near orders a Location by its distance from there, latitude and longitude; nil orders it by itself.
	Near []any
}

// Page is which part of the list is asked for.
type Page struct {
	Skip, Limit int
	// Cursor asks for pages by token instead of skip; Next and Prev are such tokens, as sent.
	Cursor     bool
	Next, Prev string
}

// Selection is what of an item is answered. A nil map is all of that part.
type Selection struct {
	Sys, Fields, Metadata             bool
	SysKeys, FieldKeys, MetadataParts map[string]bool
}

// HasSys says whether that property of sys is answered.
func (s *Selection) HasSys(key string) bool {
	return s == nil || (s.Sys && (s.SysKeys == nil || s.SysKeys[key]))
}

// HasField says whether that field is answered.
func (s *Selection) HasField(id string) bool {
	return s == nil || (s.Fields && (s.FieldKeys == nil || s.FieldKeys[id]))
}

// HasMetadata says whether that part of metadata is answered.
func (s *Selection) HasMetadata(part string) bool {
	return s == nil || (s.Metadata && (s.MetadataParts == nil || s.MetadataParts[part]))
}
