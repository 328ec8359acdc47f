package meditation

import (
	"context"
	"time"

	"github.com/google/uuid"

	"serein.app/services/generation/internal/recording"
)

// Store keeps meditations. Each method is one transaction, with the events of its state change.
// A method that names an attempt answers ErrLost when that attempt no longer owns the work.
type Store interface {
	Shares
	Drafts

	// Begin writes a request down in state Holding, or finds the meditation of the same key.
	// ErrTooManyGenerations for a new one of a member who has limit running. One of a draft takes its script from there: ErrDraftChanged
	// where the draft has another revision, is gone, or is being held for another request.
	Begin(ctx context.Context, m Meditation, limit int) (found Meditation, err error)
	// Enqueue makes a request whose cost is held work, unless the member has limit running by now:
	// then it is abandoned with its hold, and the answer is that and ErrTooManyGenerations. ErrLost
	// if it is not Holding. The draft that it is made of is removed.
	Enqueue(ctx context.Context, m Meditation, limit int, now time.Time) (Meditation, error)
	// Discard forgets a request that billing refused.
	Discard(ctx context.Context, id uuid.UUID) error
	// Undecided answers the member's requests since that time whose credits may come back: they are Holding, or have ended and are
	// not reconciled.
	Undecided(ctx context.Context, uid uuid.UUID, since time.Time) ([]uuid.UUID, error)

	// Requested finds what the member sees of the request with that key; ErrNotFound.
	Requested(ctx context.Context, uid, key uuid.UUID) (Meditation, error)
	// Get, List and the segments answer for the owner only; ErrNotFound for everybody else.
	Get(ctx context.Context, uid, id uuid.UUID) (Meditation, error)
	GetWithSegments(ctx context.Context, uid, id uuid.UUID) (Meditation, []recording.Segment, error)
	// Own answers what a card shows of those that are the owner's, in no order.
	Own(ctx context.Context, uid uuid.UUID, ids []uuid.UUID) ([]Meditation, error)
	Segments(ctx context.Context, id uuid.UUID, from int) ([]recording.Segment, error)
	// SegmentSound answers where the sound of one segment of the owner's meditation lies, in whatever state the meditation is; ErrNotFound.
	SegmentSound(ctx context.Context, uid, id uuid.UUID, index int) (SegmentSound, error)
	// Scripts answers the scripts that are written, by the ids of their meditations. It does not check the owner.
	Scripts(ctx context.Context, ids []uuid.UUID) (map[uuid.UUID]recording.Script, error)
	// List answers what a card shows of each, and how many there are in all behind the page's filter.
	List(ctx context.Context, uid uuid.UUID, page Page, failedSince time.Time) ([]Meditation, int, error)
	// Count answers how many are Ready and not marked deleted, and how many are Marked.
	Count(ctx context.Context, uid uuid.UUID) (heard, deleted int, err error)

	// Claim takes the next work that is nobody's; ok is false when there is none.
	Claim(ctx context.Context, c Claim) (m Meditation, ok bool, err error)
	// Owned answers ErrLost when the attempt no longer owns the work.
	Owned(ctx context.Context, m Meditation) error
	// GiveBack makes the work nobody's; it can be claimed again after the wait.
	GiveBack(ctx context.Context, m Meditation, wait time.Duration, setbacks int) error
	Script(ctx context.Context, id uuid.UUID) (recording.Script, error)
	// SpokenLately answers the sentences of so many of the member's scripts at most, those of the last meditations before m, the newest
	// first, and those of them whose member did not keep them inside. Scripts of meditations that were marked deleted are left out.
	SpokenLately(ctx context.Context, m Meditation, most int) (spoken, tellable [][]string, err error)
	// SaveScript stores the script and starts the narration. A script that is still being written has no words and 0 segments yet.
	SaveScript(ctx context.Context, m Meditation, s recording.Script, segments int, expected time.Duration) (Meditation, error)
	// Draft answers the script of work that IsDraft, and whether a model was asked for its rest.
	Draft(ctx context.Context, id uuid.UUID) (said []recording.Passage, asked bool, err error)
	// AddPassages adds passages to such a script, behind those that are said; AskRest notes that a model is asked for the rest.
	AddPassages(ctx context.Context, m Meditation, said int, passages []recording.Passage) error
	AskRest(ctx context.Context, m Meditation) error
	// CloseScript says that such a script is whole, with so many words and segments.
	CloseScript(ctx context.Context, m Meditation, words, segments int) error
	// ChangeNarrator has another narrator speak a meditation of which no segment is stored; ErrLost where one is.
	ChangeNarrator(ctx context.Context, m Meditation, n recording.Narrator, expected time.Duration) (Meditation, error)
	AddSegment(ctx context.Context, m Meditation, s recording.Segment, expected time.Duration) error
	StartFinishing(ctx context.Context, m Meditation) (Meditation, error)
	Complete(ctx context.Context, m Meditation, now time.Time) error
	Fail(ctx context.Context, m Meditation, reason string, reconciled bool, now time.Time) (Meditation, error)

	// Beat says that a worker lives and is trusted for the time of its lease. A first beat ends the lives
	// of those that ran under the same name.
	Beat(ctx context.Context, w Worker, first bool) error
	// Leave says that a worker has stopped, with nothing in hand.
	Leave(ctx context.Context, id uuid.UUID) error
	// TakeBack makes claimable what dead workers had, and answers how many pieces that were.
	TakeBack(ctx context.Context) (int, error)
	// Load sums up the waiting work and the living workers.
	Load(ctx context.Context) (Load, error)

	// FreeCancellations counts the member's free cancellations since that moment.
	FreeCancellations(ctx context.Context, uid uuid.UUID, since time.Time) (int, error)
	// Cancel ends the work as judge decides. It passes judge the meditation and the number of the member's free
	// cancellations since that moment, under the lock that also covers the change. With keep the narrated part is
	// kept, as Finishing, with that deadline at least; without keep nothing is left. ErrLost when there is nothing
	// to cancel; an error of judge is returned and changes nothing.
	Cancel(ctx context.Context, uid, id uuid.UUID, since, now, deadline time.Time,
		judge func(m Meditation, free int) (keep bool, err error)) (Meditation, error)
	// Refund ends work that was paid for and is lost.
	Refund(ctx context.Context, m Meditation, reason string, now time.Time) (Meditation, error)
	// MarkDeleted, Recover and Rename change the owner's meditation if judge agrees. They pass judge the meditation under
	// the lock that also covers the change; an error of judge is returned and changes nothing. ErrNotFound.
	MarkDeleted(ctx context.Context, uid, id uuid.UUID, deletesAt time.Time, judge func(Meditation) error) (Meditation, error)
	Recover(ctx context.Context, uid, id uuid.UUID, judge func(Meditation) error) (Meditation, error)
	Rename(ctx context.Context, uid, id uuid.UUID, title string, judge func(Meditation) error) (Meditation, error)
	// Purge makes Deleted what was marked and is due, without its words, and answers how many that were.
	Purge(ctx context.Context, now time.Time) (int, error)
	// AbandonOld gives up requests from before that time that never became work.
	AbandonOld(ctx context.Context, before, now time.Time) error
	FailOverdue(ctx context.Context, reason string, now time.Time) error
	// Shed fails work that nobody has begun and nobody can finish by its deadline any more, where a second
	// of sound takes at least that effort.
	Shed(ctx context.Context, reason string, effort time.Duration, now time.Time) (int, error)
	// Unreconciled answers ended meditations whose hold may still stand.
	Unreconciled(ctx context.Context) ([]Meditation, error)
	// Reconcile marks an ended meditation whose hold has ended, or was refunded; an abandoned one is deleted.
	Reconcile(ctx context.Context, m Meditation) error
	PostponeReconciling(ctx context.Context, id uuid.UUID, wait time.Duration) error
	// Untidy answers ended meditations with blobs that nobody needs any more.
	Untidy(ctx context.Context) ([]Meditation, error)
	Tidied(ctx context.Context, m Meditation) error
	// Ended answers so many at most of a member's meditations of which nothing is under way, here or in billing; Erase removes one, and
	// HasAny says whether the member has any.
	Ended(ctx context.Context, uid uuid.UUID, most int) ([]Meditation, error)
	Erase(ctx context.Context, id uuid.UUID) error
	HasAny(ctx context.Context, uid uuid.UUID) (bool, error)
	PostponeTidying(ctx context.Context, id uuid.UUID, wait time.Duration) error
}

// Worker is a process that makes meditations, as others know of it.
type Worker struct {
	// ID names one life of the process, Name where it runs; empty for nowhere in particular.
	ID   uuid.UUID
	Name string
	// Recorders work at once, each for Pace on a second of sound; 0 until that was measured.
	Recorders int
	Pace      time.Duration
	// Lease is how long it may be silent before it is taken for dead.
	Lease time.Duration
}

// Claim says who claims work, and how to choose.
type Claim struct {
	Worker uuid.UUID
	// Alone says that the worker has nothing in hand. Work with which processes died is only for such a
	// worker; while it waits, the others get nothing new, so that they become such.
	Alone bool
	// Newest work first, rather than the oldest.
	Newest bool
	// Effort is the least time that a second of sound takes: what cannot be finished by its deadline is not begun.
	Effort time.Duration
	Now    time.Time
}

// Credits is billing. Its errors carry the reasons of billing's contract.
type Credits interface {
	// Hold sets the cost aside. The key is the meditation's id: asking again answers the same hold.
	Hold(ctx context.Context, m Meditation) (Hold, error)
	Capture(ctx context.Context, uid, holdID uuid.UUID) error
	Release(ctx context.Context, uid, holdID uuid.UUID) error
	// Refund gives the credits of a captured hold back, however often it is asked.
	Refund(ctx context.Context, uid, holdID uuid.UUID) error
}

// Hold is billing's answer: the hold, and what the member has then.
type Hold struct {
	ID      uuid.UUID
	Balance Balance
}

// Balance of a member's credits, as billing says it: what can be spent of the plan's and of those bought, and what is held.
type Balance struct{ Plan, TopUp, Held int64 }

// Catalogue says what can be generated.
type Catalogue interface {
	Catalogue(ctx context.Context) (Offer, error)
}

// Offer is the part of the content service's catalogue that the rules need.
type Offer struct {
	Types     map[string]Type
	Practices map[string]bool
	Sizes     map[string]Size
	Tracks    map[string]bool
}

// Type of meditation.
type Type struct {
	// NarratorID of the preset narrator, who speaks what is not immersive; empty for the default narrator.
	NarratorID   string
	Affirmations []string
}

// Size of a meditation: its script's bounds and the usual length of the recording.
type Size struct {
	MinWords, MaxWords, Breaks int
	Pause, Expected            time.Duration
}

// Writer writes scripts. A script is written once: what is stored is read again. Serein's own writer writes the same of the same
// meditation with the same Past; a model does not.
type Writer interface {
	Write(ctx context.Context, m Meditation) (recording.Script, error)
}

// Streamer is a Writer who can pass a script on while it is being written.
type Streamer interface {
	Writer
	// Streams says whether a new script of the meditation is passed on so.
	Streams(m Meditation) bool
	// Stream adds the passages of the meditation's script to the sheet as they may be spoken, behind those that it has already. What has no error
	// is whole: it has the words, the passages and the silence that the meditation's brief asks for.
	Stream(ctx context.Context, m Meditation, sheet *Sheet) error
}

// RestWriter writes the rest of a script that another writer began and left: the passages behind those that were said.
type RestWriter interface {
	Rest(m Meditation, said []recording.Passage) ([]recording.Passage, error)
}

// Rewriter finds what may be said in the place of sentences.
type Rewriter interface {
	// Another answers what may stand in the place of a sentence of a passage, the one with index at, in a meditation; inner says that it is neither
	// the first passage nor the last. The sentences from index first on, count of them, belong together and are replaced together.
	Another(m Meditation, passage []string, at int, inner bool) (first, count int, instead [][]string, err error)
}

// Recorder makes the recording of a script.
type Recorder interface {
	// Narrator finds a narrator by its id.
	Narrator(id string) (n recording.Narrator, known bool)
	// Fallback is who speaks in the place of an outside narrator who fails before the first sentence; false for every other id.
	Fallback(id string) (n recording.Narrator, outside bool)
	// DefaultNarrator speaks where neither the member nor, for voice only, the type names a narrator.
	DefaultNarrator(immersive bool) recording.Narrator
	// Pace is how long a recorder has worked for a second of sound lately; 0 until it was measured.
	Pace() time.Duration
	// Segments says how many segments the recording of the script has.
	Segments(s recording.Script) int
	// Record emits the segments with their sound in order from index from on, which begins at startAt
	// in the whole. It ends with emit's error, its own, or ctx's.
	Record(ctx context.Context, narratorID string, s recording.Script, from int, startAt time.Duration,
		emit func(s recording.Segment, mp3 []byte) error) error
	// Follow does the same with a script that is being written; it may end with c.Next's error as well.
	Follow(ctx context.Context, narratorID string, c recording.Coming, from int, startAt time.Duration,
		emit func(s recording.Segment, mp3 []byte) error) error
}

// Metrics count what operators of the service need to know.
type Metrics interface {
	// Refused counts a request that was refused, by the reason's word.
	Refused(ctx context.Context, reason string)
	// Setback counts an attempt that ended before its work did.
	Setback(ctx context.Context, reason string)
	// Lost counts pieces that were taken from workers which died, Shed those given up before they began.
	Lost(ctx context.Context, pieces int)
	Shed(ctx context.Context, pieces int)
	// Purged counts meditations that were deleted for good.
	Purged(ctx context.Context, n int)
	// FellBack counts a meditation of which an outside narrator, who has that id, has not said the first sentence.
	FellBack(ctx context.Context, narratorID string)
	// FirstSound notes how long a member has waited for it.
	FirstSound(ctx context.Context, waited time.Duration)
}

// Notifier tells of changes, whichever process made them. A notification may come without a change,
// and late while the database is away, so it only says that it is time to read the store again.
type Notifier interface {
	// Subscribe notifies on the channel until unsubscribe is called. Notifications that nobody has
	// received yet become one.
	Subscribe(topic string) (notified <-chan struct{}, unsubscribe func())
}

// TopicQueue is notified of new work.
const TopicQueue = "queue"

// TopicChanged is notified of every change of one meditation.
func TopicChanged(id uuid.UUID) string { return "changed " + id.String() }

// TopicStopped is notified when work on a meditation must stop.
func TopicStopped(id uuid.UUID) string { return "stopped " + id.String() }
