// Package diary is what members keep of their listening for themselves: which sitting is worth an entry, what an entry of their own may
// say, and how many there may be. No SQL, no RPC. Nothing of it goes to logs, events or metrics, and nobody judges what a line says.
package diary

import (
	"strings"
	"time"
	"unicode"

	"github.com/google/uuid"

	errorsv1 "serein.app/proto/gen/serein/errors/v1"
	"serein.app/services/content/internal/reading"
	"serein.app/services/platform/errs"
	"serein.app/services/platform/pagetoken"
)

const (
	// MaxEntries is how many entries one diary holds. A full diary takes no more, so that no line goes that its member has not removed.
	MaxEntries = 5000
	// Gap is how long after the last sound a sitting with an item goes on when the item is played again.
	Gap = 30 * time.Minute
	// RestoredFor is how long the entry that was removed last can be restored, and how long a sitting stays of which too little was heard.
	RestoredFor = 24 * time.Hour
	// worthwhile is how much is heard for an entry, or half of what is shorter than two of it.
	worthwhile = time.Minute
	// ahead is how far a member's calendar can be before UTC.
	ahead = 14 * time.Hour
)

// The refusals.
var (
	ErrNotFound = errs.New(errs.NotFound, errorsv1.Reason_REASON_DIARY_ENTRY_NOT_FOUND, "That entry isn’t in your diary.")
	ErrFull     = errs.New(errs.Exhausted, errorsv1.Reason_REASON_DIARY_FULL, "Your diary holds 5,000 entries. Please remove one first.")
	ErrLine     = errs.New(errs.Invalid, errorsv1.Reason_REASON_DIARY_LINE_REQUIRED, "Please write a line.").On("line")
	ErrDay      = errs.New(errs.Invalid, errorsv1.Reason_REASON_DIARY_DAY_INVALID, "Please choose a day that has come.").On("day")
)

// Entry is a sitting with one item, or what a member wrote by hand.
type Entry struct {
	ID uuid.UUID
	// Day of the member's own calendar, at midnight UTC.
	Day time.Time
	// At is when the sitting began, or when the entry was written by hand.
	At time.Time
	// Item has no kind where the entry was written by hand, and no id where it was a member's own meditation that is gone.
	Item reading.Item
	// Title as it was then; empty where it was not known.
	Title    string
	Heard    time.Duration
	Finished bool
	Line     string
	// Slug of an article, and whether a library meditation is immersive, as readers get them now.
	Slug      string
	Immersive bool
	// Available: readers get the item, or the member's own is there and not marked deleted.
	Available bool
}

// ByHand says whether the member wrote the entry.
func (e Entry) ByHand() bool { return e.Item.Kind == "" }

// Place of the entry in the diary.
func (e Entry) Place() Place {
	return Place{Day: e.Day.Format(time.DateOnly), At: pagetoken.Time{Time: e.At}, ID: e.ID}
}

// Listened is what a member listened to between two writes of a place.
type Listened struct {
	Item reading.Item
	// Began is when the sound that was heard began.
	Began           time.Time
	Heard, Duration time.Duration
	// Finished: to the end of the recording.
	Finished bool
	// UTCOffset is how far the member's clock is ahead of UTC.
	UTCOffset time.Duration
}

// Day is the one of the member's calendar on which the sound began.
func (l Listened) Day() time.Time { return dayOf(l.Began.Add(l.UTCOffset)) }

// IsWorthAnEntry says whether so much of a recording was heard that the diary has it.
func IsWorthAnEntry(heard, duration time.Duration) bool {
	return heard > 0 && heard >= min(worthwhile, duration/2)
}

// GoesOn says whether what is heard now belongs to the sitting whose last sound was then.
func GoesOn(last, now time.Time) bool { return now.Sub(last) < Gap }

// Line is what is kept of a line: one line, without control characters, and without spaces at its ends.
func Line(given string) string {
	return strings.Join(strings.FieldsFunc(given, func(r rune) bool { return unicode.IsControl(r) || unicode.IsSpace(r) }), " ")
}

// ParseDay parses a day for which an entry is written, such as "2026-12-01". Error: ErrDay for what no calendar has, what lies before
// the year 2000, and what has not come anywhere.
func ParseDay(day string, now time.Time) (time.Time, error) {
	parsed, err := time.Parse(time.DateOnly, day)
	if err != nil {
		return parsed, ErrDay.Because(err)
	}
	if parsed.Year() < 2000 || parsed.After(dayOf(now.Add(ahead))) {
		return parsed, ErrDay
	}
	return parsed, nil
}

func dayOf(t time.Time) time.Time {
	y, m, d := t.UTC().Date()
	return time.Date(y, m, d, 0, 0, 0, 0, time.UTC)
}

// Place is where a page of a diary ended.
type Place struct {
	Day string
	At  pagetoken.Time
	ID  uuid.UUID
}

// Top is the place above every entry.
var Top = Place{Day: "9999-12-31", At: pagetoken.Time{Time: time.Date(9999, 12, 31, 0, 0, 0, 0, time.UTC)}, ID: uuid.Max}

// ParsePlace parses a page token. An empty one is the first page. Error: pagetoken.ErrInvalid.
func ParsePlace(token string) (Place, error) {
	p, err := pagetoken.Decode(token, Top)
	if err != nil {
		return Top, err
	}
	if _, err := time.Parse(time.DateOnly, p.Day); err != nil {
		return Top, pagetoken.ErrInvalid.Because(err)
	}
	return p, nil
}
