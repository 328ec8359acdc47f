// Package entry is the domain of the content store: content types, entries and assets with their
// fields by locale, what a field may hold, the way from draft to published and into the archive, and
// the links between items.
//
// It knows no SQL and no HTTP, and looks nothing up: where a rule needs other items (unique values, the
// types of linked entries) it says what has to be known, and package postgres finds it.
package entry

import (
	"regexp"
	"time"
)

// Master is the environment that readers get where they name none.
const Master = "master"

// Environment is one of the space's: master, or a copy of it in which editors try things.
type Environment struct {
	ID        string
	CreatedAt time.Time
}

// Kind of an item.
type Kind string

// The kinds, as links and tables name them.
const (
	KindEntry Kind = "Entry"
	KindAsset Kind = "Asset"
)

// Limits of the delivery contract.
const (
	maxFields = 50     // of a content type
	maxSymbol = 255    // characters of a Symbol
	maxText   = 50_000 // characters of a Text, and of all texts of a RichText
	maxList   = 1000   // elements of an Array
	maxTags   = 100    // of an item, and as many concepts
	maxTitle  = 255    // characters of what names an item in lists
)

var idPattern = regexp.MustCompile(`^[A-Za-z0-9._-]{1,64}$`)

// ValidID says whether that may be the id of an item, a content type, a tag, a concept or an environment.
func ValidID(id string) bool { return idPattern.MatchString(id) }

// Fields are values by field and locale, as encoding/json decodes them: texts, float64, bool, maps and
// slices. Links are maps as on the wire; see LinkOf.
type Fields map[string]map[string]any

// Key names an item.
type Key struct {
	Environment string
	Kind        Kind
	ID          string
}

// Item is an entry or asset as editors have it.
type Item struct {
	Key
	// ContentType is empty for assets.
	ContentType string
	// Version counts every change, from 1. A caller that changes an item names the version that it saw.
	Version int
	// PublishedVersion is the version that readers have, or 0 for an unpublished item.
	PublishedVersion int
	// Revision is how often it was published.
	Revision         int
	Fields           Fields
	Tags, Concepts   []string
	CreatedAt        time.Time
	UpdatedAt        time.Time
	FirstPublishedAt time.Time // zero before the first time
	ArchivedAt       time.Time // zero where it is not archived
	Seed             string    // the file that it came from; empty for none
	SeedHash         []byte    // of what that file said when it was last applied
	EditedAt         time.Time // when an editor changed it; from then on its file does not; zero for never
	MadeAt           time.Time // when it was made in the studio; zero where it was not
	DeletedAt        time.Time // when it was deleted in the studio, where it can be restored for a while; zero where it was not
	// Title names it in lists: see ContentType.Title.
	Title string
}

// Published is an item as readers get it.
type Published struct {
	Key
	ContentType      string
	Revision         int
	Version          int // of the draft that was published
	Fields           Fields
	Tags, Concepts   []string
	CreatedAt        time.Time
	FirstPublishedAt time.Time
	UpdatedAt        time.Time // when this was published
	// Seq numbers the change: who has seen it has seen every change below.
	Seq int64
}

// Deletion is what readers must forget: an item that was unpublished, archived or deleted.
type Deletion struct {
	Key
	ContentType string
	Revision    int
	CreatedAt   time.Time
	DeletedAt   time.Time
	Seq         int64
}
