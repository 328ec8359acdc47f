// Package listening is where members stopped listening: which write of a place counts, and which device of a member plays.
// No SQL, no RPC, and no clock but the service's own: what a device says of the time is not asked.
package listening

import (
	"time"

	"github.com/google/uuid"

	"serein.app/services/content/internal/reading"
)

const (
	// Limit is how many places the service keeps for one member: those of the items that the member began last.
	Limit = 500
	// HeldFor is how long a device counts as playing after it has last said so. Players say it every 10 s.
	HeldFor = 20 * time.Second
	// nearEnd is how close to its end a recording counts as heard.
	nearEnd = 3 * time.Second
)

// Start is the wish of a device to begin.
type Start struct {
	Item   reading.Item
	Device uuid.UUID
	// TakeOver: begin although another device plays.
	TakeOver bool
}

// Begun is what became of a Start.
type Begun struct {
	// Turn by which the device writes, 1 or more; 0 where nothing has begun.
	Turn int64
	// Last is how the item stood before.
	Last Last
	// Elsewhere: another device plays, and nothing has begun. Title is what plays there; empty where that is not known.
	Elsewhere bool
	Title     string
}

// Last is where a member stopped in an item.
type Last struct {
	// Turn is the newest one of the item; 0 where they have not begun it.
	Turn int64
	// Position is 0 for what they have not begun or have heard to its end.
	Position time.Duration
}

// Newest is the turn that a member began last.
type Newest struct {
	Turn    int64
	Device  uuid.UUID
	Playing bool
	At      time.Time
	Title   string
}

// HoldsBack says whether the newest turn keeps another device from beginning at that moment without its member's word.
func (n Newest) HoldsBack(s Start, now time.Time) bool {
	return !s.TakeOver && n.Playing && n.Device != s.Device && now.Sub(n.At) < HeldFor
}

// Write is where a device says that the member is.
type Write struct {
	Item reading.Item
	Turn int64
	// Step counts the writes of a turn, from 1.
	Step               int64
	Position, Duration time.Duration
	// Playing: the sound goes on.
	Playing bool
	// UTCOffset is how far the member's clock is ahead of UTC.
	UTCOffset time.Duration
}

// Before is what the place says that a write changes.
type Before struct {
	Position time.Duration
	Playing  bool
	At       time.Time
}

// Heard is how long the member listened between the place before and this write: neither what they skipped nor what they waited counts.
func (w Write) Heard(before Before, now time.Time) time.Duration {
	if !before.Playing {
		return 0
	}
	return max(0, min(w.Position-before.Position, now.Sub(before.At)))
}

// Saved is what became of a Write.
type Saved struct {
	// Moved: listening goes on elsewhere.
	Moved bool
	// WithoutLine is the entry of the sitting in the member's diary, where this write ended the recording and the entry has no line yet.
	WithoutLine uuid.UUID
}

// Finished says whether the recording was heard to its end.
func (w Write) Finished() bool { return w.Position > w.Duration-nearEnd }

// Kept is the position where listening goes on.
func (w Write) Kept() time.Duration {
	if w.Finished() {
		return 0
	}
	return w.Position
}

// Moved says whether listening goes on elsewhere, as the newest turns of the item and of the member are: the item's place is another
// turn's, or another turn plays.
func (w Write) Moved(ofItem, newest int64) bool {
	return ofItem != w.Turn || w.Playing && newest > w.Turn
}

// Place is where a member stopped in an item.
type Place struct {
	Item               reading.Item
	Position, Duration time.Duration
	Finished           bool
	At                 time.Time
	// Title is empty for a member's own.
	Title string
	// Card of what is published; that of a member's own is empty.
	Card reading.Card
}
