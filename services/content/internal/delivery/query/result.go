package query

import (
	"time"

	"serein.app/services/content/internal/entry"
)

// Item is a published entry or asset, its fields as the database has them: JSON by field and locale.
type Item struct {
	Kind                 entry.Kind
	ID, ContentType      string
	Revision, Version    int
	Fields               []byte
	Tags, Concepts       []string
	CreatedAt, UpdatedAt time.Time
	// Position is where the item stands in the query's order.
	Position []*string
}

// Position is where a page by cursor begins: behind an item, or before it.
type Position struct {
	Keys []*string
	Back bool
}

// Tag is a label of entries and assets.
type Tag struct {
	ID, Name             string
	Version              int
	CreatedAt, UpdatedAt time.Time
}

// Change is what a sync tells: an item as it is now, or one that is gone.
type Change struct {
	Item

	// DeletedAt is when it went; zero where it is there.
	DeletedAt time.Time
	Seq       int64
}

// Changes is which changes a sync asks for.
type Changes struct {
	// Published are the kinds of items that are told, Deleted those of which deletions are told.
	Published, Deleted []entry.Kind
	// ContentType of the entries; empty for any.
	ContentType string
	// After and UpTo bound the numbers of the changes: above the one, up to the other. 0 as UpTo bounds nothing.
	After, UpTo int64
	Limit       int
}

// Concept of the taxonomy.
type Concept struct {
	ID, Scheme                       string
	PrefLabel, AltLabels, Definition []byte // JSON by locale
	Version                          int
	CreatedAt, UpdatedAt             time.Time
	Broader                          []string
}

// Scheme of the taxonomy.
type Scheme struct {
	ID                    string
	PrefLabel, Definition []byte // JSON by locale
	Version               int
	CreatedAt, UpdatedAt  time.Time
	Top, Concepts         []string
}

// Taxonomy is which concepts or schemes are asked for.
type Taxonomy struct {
	// ID of one concept or scheme; of which the ancestors or descendants are asked for, no further than Depth steps.
	ID                     string
	Ancestors, Descendants bool
	Depth                  int
	// Scheme that the concepts belong to; empty for any.
	Scheme string
	// Order is id, createdAt, updatedAt or prefLabel; Desc the opposite. Locale is that of labels.
	Order, Locale string
	Desc          bool
	// Offset is how many come before the page.
	Offset, Limit int
}
