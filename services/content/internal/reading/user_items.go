package reading

import (
	"time"

	"github.com/google/uuid"

	errorsv1 "serein.app/proto/gen/serein/errors/v1"
	"serein.app/services/platform/errs"
)

// MaxSaved is how many items one member can save in My Journey.
const MaxSaved = 2000

// ErrSavedFull says that a member has saved MaxSaved items.
var ErrSavedFull = errs.New(errs.Exhausted, errorsv1.Reason_REASON_SAVED_FULL, "My Journey holds 2,000 items. Please remove one first.")

// UserItemState is how many members like an item, and whether one member likes and saves it.
type UserItemState struct {
	// Likes counts those of all members.
	Likes int
	// Liked and Saved say whether this member likes and saves it.
	Liked, Saved bool
}

// Kept is an item that a member has saved or likes, since At. Title and CreatedAt are empty for a member's own.
type Kept struct {
	Item

	Title     string
	At        time.Time
	CreatedAt time.Time
}

// Keeping is what a member has saved and likes, the last first.
type Keeping struct{ Saved, Liked []Kept }

// Shelf is a list of what members save: articles, the introduction meditations, or the others of the library.
type Shelf struct {
	Kind Kind
	// Intro, of meditations: the introductions.
	Intro bool
}

// SavedAsked is what is asked of what a member has saved. All counts unverified meditations too; Words are those of a search, each the
// beginning of one that is looked for, none for everything.
type SavedAsked struct {
	UID   uuid.UUID
	All   bool
	Words []string
}

// Item is what members like and save.
type Item struct {
	Kind Kind
	ID   string
}
