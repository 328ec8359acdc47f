// Package meditation owns bespoke meditations: what a member may ask for, the states that each goes
// through from the request to a recording that is paid for, and who may see it.
//
// It refuses to charge for what was not delivered, to deliver what was not paid for, and to say
// anything about another member's meditation. It knows no SQL, no RPC and no HTTP: the store, the
// credits, the script writer, the recorder and the blobs are ports.
package meditation

import (
	"cmp"
	"slices"
	"time"

	"github.com/google/uuid"

	"serein.app/services/generation/internal/brief"
	"serein.app/services/generation/internal/recording"
)

// State of a meditation.
//
//	holding ──► queued ──► writing ──► narrating ──► finishing ──► ready
//	   │           └───────────┴────────────┴──► cancelled, failed ◄─┘ (failed only, by billing's word)
//	   └──► abandoned, then removed          refunded ◄── (paid for, and its sound is lost)
//
// Ready and Refunded become Deleted when their member has marked them and the time for that is over.
type State string

// The states. A member sees a meditation from Queued on.
const (
	// Holding: the request is written down and billing is being asked for the hold.
	Holding State = "holding"
	// Queued: its cost is held; it waits for a worker.
	Queued State = "queued"
	// Writing: the script is being written.
	Writing State = "writing"
	// Narrating: passages are being spoken; those that are done can be heard.
	Narrating State = "narrating"
	// Finishing: everything is spoken; the file is joined and the hold captured. From here on
	// billing decides whether the work ends ready or failed, and a member cannot cancel.
	Finishing State = "finishing"
	// Ready: the whole recording is kept and paid for. One that EndedEarly is shorter than it was meant to be.
	Ready State = "ready"
	// Failed: the work was given up; its hold is released.
	Failed State = "failed"
	// Cancelled: the member stopped it for nothing; its hold is released and nothing of it is left.
	Cancelled State = "cancelled"
	// Refunded: it was paid for and its sound was lost; its credits are given back.
	Refunded State = "refunded"
	// Abandoned: a request that never became work. Its hold, if there is one, is released and the row removed.
	Abandoned State = "abandoned"
	// Deleted: its member had marked it, and its time is over. The title is all that is left.
	Deleted State = "deleted"
)

// Ended says that no more work will be done.
func (s State) Ended() bool {
	return s == Ready || s == Failed || s == Cancelled || s == Refunded || s == Abandoned || s == Deleted
}

// Audible says that what is narrated may be heard.
func (s State) Audible() bool { return s == Narrating || s == Finishing || s == Ready }

// Cancellable says that a member may still stop the work.
func (s State) Cancellable() bool { return s == Queued || s == Writing || s == Narrating }

// Meditation is one request and what became of it.
type Meditation struct {
	// ID is a UUIDv7; UID the member who owns it.
	ID, UID uuid.UUID
	Request
	Brief Brief
	// NarratorID and NarratorName are who speaks.
	NarratorID, NarratorName string
	// Past are the sentences of the member's last scripts, the newest script first. It is set where the script is written, and empty
	// elsewhere. Tellable are those of them that a writer outside may be told: none of a script that its member kept inside.
	Past, Tellable [][]string
	// Prepared is what the draft says that it is made of. It is set while that is requested, and empty elsewhere.
	Prepared []recording.Passage
	// Cost in credits, and the hold that reserves them; uuid.Nil until billing has answered.
	Cost   int
	HoldID uuid.UUID
	// Balance of the member when the cost was held; nil but in the answer to the request that held it.
	Balance *Balance

	State         State
	FailureReason string
	// Words of the script; 0 until it is written. PassagesTotal is 0 until then too, also while the first segments can be heard.
	Words                       int
	PassagesDone, PassagesTotal int
	// ReadyFor can be heard now; Expected is the whole, exact once Ready.
	ReadyFor, Expected time.Duration
	AudioBytes         int64

	// EndedEarly: the member stopped the work and pays for what was narrated by then. Words, counts and
	// lengths are those of the shorter recording.
	EndedEarly bool

	// NewTitle is what the member has called it since; empty where the title is still the request's.
	NewTitle string
	// DeletesAt is when what is marked deleted is removed, and past once it is Deleted; the zero time where it is not marked.
	DeletesAt time.Time

	// Attempt is the fencing token: only the worker with the newest attempt may write. Tries counts the setbacks that
	// this work caused itself since its last progress, Crashes the processes that died while they had it.
	Attempt, Tries, Crashes int
	// Reconciled: its hold has ended in billing as the work ended here.
	Reconciled bool

	CreatedAt, Deadline time.Time
	// Version grows with every change.
	Version int64
}

// Name is the title that members see.
func (m Meditation) Name() string { return cmp.Or(m.NewTitle, m.Title) }

// IsDraft says that its script is spoken while it is being written: nobody knows yet how many segments the whole has.
func (m Meditation) IsDraft() bool { return m.State == Narrating && m.PassagesTotal == 0 }

// suspect says that processes died with it, again and again, before it made any progress.
func (m Meditation) suspect() bool { return m.Crashes >= SuspectAfter }

// Request is what a member asks for.
type Request struct {
	Title, TypeID, PracticeID, SizeID string
	Immersive                         bool
	// TrackID of the ambient track; empty without a track, and always for a voice-only meditation.
	TrackID string
	// AskedNarratorID is empty where the member leaves the narrator to us: see narratorFor.
	AskedNarratorID string
	// GivenName may be spoken once, where a narrator can say it; empty for no name. It is removed with the words: of
	// what is Deleted, Failed or Cancelled.
	GivenName string
	// Language is Language; empty means that too.
	Language string
	// KeepInside: nobody outside Serein gets a word of it.
	KeepInside bool
	// Day is the member's calendar day, YYYY-MM-DD; empty for today in UTC.
	Day string
	// Key is the idempotency key of this request.
	Key uuid.UUID
	// DraftID names the draft that is narrated, and DraftRevision what the member has read of it; uuid.Nil and 0 without a draft.
	DraftID       uuid.UUID
	DraftRevision int
}

// same says whether a repeated key repeats the request. The day is left out: a request that is
// sent again over midnight is still the same request.
func (r Request) same(other Request) bool {
	r.Day, other.Day = "", ""
	return r == other
}

// same says whether a repeated key repeats the request that the meditation was made from. One that has lost its words has lost the name.
func (m Meditation) same(other Request) bool {
	if m.GivenName == "" && slices.Contains([]State{Deleted, Failed, Cancelled}, m.State) {
		other.GivenName = ""
	}
	return m.Request.same(other)
}

// Asked is what the meditation asks of a writer, and what a script of it is judged by.
func (m Meditation) Asked() brief.Brief {
	return brief.Of(brief.Brief{
		Title: m.Title, GivenName: m.GivenName, TypeID: m.TypeID, PracticeID: m.PracticeID, Affirmations: m.Brief.Affirmations,
		MinWords: m.Brief.MinWords, MaxWords: m.Brief.MaxWords, Breaks: m.Brief.Breaks, Pause: m.Brief.Pause,
		Immersive: m.Immersive, Language: m.Language, Lately: m.Past,
	})
}

// Brief is what the catalogue asks of a script. It is kept with the meditation, so that the
// writing does not depend on what the catalogue says later.
type Brief struct {
	// MinWords and MaxWords are inclusive.
	MinWords, MaxWords int
	// Breaks is the exact number of silences, Pause their exact total.
	Breaks int
	Pause  time.Duration
	// Affirmations are spoken as they are.
	Affirmations []string
}
