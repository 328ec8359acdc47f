// Package keeping is what members like, and what they save in My Journey: how much of it, on which shelves, and what changes when a
// list takes another's place. No SQL, no RPC.
package keeping

import (
	"time"

	"github.com/google/uuid"

	errorsv1 "serein.app/proto/gen/serein/errors/v1"
	"serein.app/services/content/internal/reading"
	"serein.app/services/platform/errs"
)

// MaxSaved is how many items one member can save in My Journey.
const MaxSaved = 2000

// ErrFull says that a member has saved MaxSaved items.
var ErrFull = errs.New(errs.Exhausted, errorsv1.Reason_REASON_SAVED_FULL, "My Journey holds 2,000 items. Please remove one first.")

// Kept is an item that a member has saved or likes, since At. Title and CreatedAt are empty for a member's own.
type Kept struct {
	reading.Item

	Title     string
	At        time.Time
	CreatedAt time.Time
}

// Lists are what a member has saved and likes, the last first.
type Lists struct{ Saved, Liked []Kept }

// Shelf is a list of what members save: articles, the introduction meditations, or the others of the library.
type Shelf struct {
	Kind reading.Kind
	// Intro, of meditations: the introductions.
	Intro bool
}

// Asked is what is asked of what a member has saved. All counts unverified meditations too; Words are those of a search, each the
// beginning of one that is looked for, none for everything.
type Asked struct {
	UID   uuid.UUID
	All   bool
	Words []string
}
