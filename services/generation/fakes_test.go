package generation

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/google/uuid"

	billingv1 "serein.app/proto/gen/serein/billing/v1"
	contentv1 "serein.app/proto/gen/serein/content/v1"
	errorsv1 "serein.app/proto/gen/serein/errors/v1"
	"serein.app/services/generation/internal/meditation"
	"serein.app/services/generation/internal/narration"
	"serein.app/services/generation/internal/recording"
	"serein.app/services/platform/errs"
)

// fakeBilling stands for the billing service, behind a real server.
type fakeBilling struct {
	mu      sync.Mutex
	credits map[string]int64
	byKey   map[string]*hold
	byID    map[string]*hold
	// before and after may refuse a call: before it has an effect, or after, with the answer lost.
	before, after    func(call string) error
	captures, spends int64
	asked            map[string]int
}

type hold struct {
	id, uid, state string
	amount         int64
}

// What billing answers about holds that are over.
var (
	errHoldNotFound    = errs.New(errs.NotFound, errorsv1.Reason_REASON_HOLD_NOT_FOUND, "There is no such hold.")
	errHoldReleased    = errs.New(errs.FailedPrecondition, errorsv1.Reason_REASON_HOLD_RELEASED, "The hold was released.")
	errHoldExpired     = errs.New(errs.FailedPrecondition, errorsv1.Reason_REASON_HOLD_EXPIRED, "The hold has expired.")
	errHoldNotCaptured = errs.New(errs.FailedPrecondition, errorsv1.Reason_REASON_HOLD_NOT_CAPTURED, "The hold was not captured.")
	errHoldCaptured    = errs.New(errs.FailedPrecondition, errorsv1.Reason_REASON_HOLD_CAPTURED, "The hold was captured.")
)

var errAway = errs.New(errs.Unavailable, errorsv1.Reason_REASON_UNAVAILABLE, "Away.")

func newFakeBilling() *fakeBilling {
	return &fakeBilling{credits: map[string]int64{}, byKey: map[string]*hold{}, byID: map[string]*hold{}, asked: map[string]int{}}
}

func (b *fakeBilling) grant(uid uuid.UUID, n int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.credits[uid.String()] += n
}

func (b *fakeBilling) fail(before, after func(string) error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.before, b.after = before, after
}

// away refuses the named calls.
func away(calls ...string) func(string) error {
	return func(call string) error {
		for _, c := range calls {
			if c == call {
				return errAway
			}
		}
		return nil
	}
}

func (b *fakeBilling) do(call string, effect func() error) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.asked[call]++
	if b.before != nil {
		if err := b.before(call); err != nil {
			return err
		}
	}
	err := effect()
	if b.after != nil && err == nil {
		return b.after(call)
	}
	return err
}

func (b *fakeBilling) Hold(_ context.Context, r *billingv1.HoldRequest) (*billingv1.HoldResponse, error) {
	res := &billingv1.HoldResponse{}
	return res, b.do("hold", func() error {
		found, ok := b.byKey[r.GetIdempotencyKey()]
		if !ok {
			if b.credits[r.GetUid()] < r.GetAmount() {
				return errs.New(errs.FailedPrecondition, errorsv1.Reason_REASON_INSUFFICIENT_CREDITS, "You have run out of meditation credits.")
			}
			b.credits[r.GetUid()] -= r.GetAmount()
			found = &hold{id: uuid.NewString(), uid: r.GetUid(), amount: r.GetAmount(), state: "open"}
			b.byKey[r.GetIdempotencyKey()], b.byID[found.id] = found, found
		}
		res.Hold = &billingv1.CreditHold{Id: found.id, PlanCredits: found.amount}
		res.Balance = &billingv1.Balance{PlanAvailable: b.credits[r.GetUid()], Held: b.heldFor(r.GetUid())}
		return nil
	})
}

func (b *fakeBilling) Capture(_ context.Context, r *billingv1.CaptureRequest) (*billingv1.CaptureResponse, error) {
	return &billingv1.CaptureResponse{}, b.do("capture", func() error {
		found, ok := b.byID[r.GetHoldId()]
		switch {
		case !ok:
			return errHoldNotFound
		case found.state == "released":
			return errHoldReleased
		case found.state == "expired":
			return errHoldExpired
		case found.state == "open":
			found.state = "captured"
			b.captures++
			b.spends += found.amount
		}
		return nil
	})
}

func (b *fakeBilling) Release(_ context.Context, r *billingv1.ReleaseRequest) (*billingv1.ReleaseResponse, error) {
	return &billingv1.ReleaseResponse{}, b.do("release", func() error {
		found, ok := b.byID[r.GetHoldId()]
		switch {
		case !ok:
			return errHoldNotFound
		case found.state == "captured":
			return errHoldCaptured
		case found.state == "open":
			found.state = "released"
			b.credits[found.uid] += found.amount
		}
		return nil
	})
}

func (b *fakeBilling) Refund(_ context.Context, r *billingv1.RefundRequest) (*billingv1.RefundResponse, error) {
	return &billingv1.RefundResponse{}, b.do("refund", func() error {
		found, ok := b.byID[r.GetHoldId()]
		switch {
		case !ok:
			return errHoldNotFound
		case found.state == "captured":
			found.state = "refunded"
			b.credits[found.uid] += found.amount
		case found.state != "refunded":
			return errHoldNotCaptured
		}
		return nil
	})
}

// heldFor sums up the member's open holds, under mu.
func (b *fakeBilling) heldFor(uid string) (sum int64) {
	for _, h := range b.byID {
		if h.uid == uid && h.state == "open" {
			sum += h.amount
		}
	}
	return sum
}

// expire ends all open holds, as their time would.
func (b *fakeBilling) expire() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, h := range b.byID {
		if h.state == "open" {
			h.state = "expired"
			b.credits[h.uid] += h.amount
		}
	}
}

// holds counts them by state.
func (b *fakeBilling) holds() map[string]int {
	b.mu.Lock()
	defer b.mu.Unlock()
	out := map[string]int{}
	for _, h := range b.byID {
		out[h.state]++
	}
	return out
}

func (b *fakeBilling) available(uid uuid.UUID) int64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.credits[uid.String()]
}

func (b *fakeBilling) calls(name string) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.asked[name]
}

// fakeContent answers a small catalogue.
type fakeContent struct{}

func (fakeContent) GetCatalogue(context.Context, *contentv1.GetCatalogueRequest) (*contentv1.GetCatalogueResponse, error) {
	return &contentv1.GetCatalogueResponse{
		Types: []*contentv1.MeditationType{
			{Id: "better-sleep", Narrator: &contentv1.Narrator{Id: "isla", Name: "Isla"}, Affirmations: []string{
				"The day is done, and I may let it go.", "Nothing is asked of me tonight.", "Sleep knows the way to me.",
			}},
			{Id: "mindfulness"},
			{Id: "gratitude", Narrator: &contentv1.Narrator{Id: "wren", Name: "Wren"}},
			{Id: "courage", Narrator: &contentv1.Narrator{Id: "nova", Name: "Nova"}},
		},
		Practices: []*contentv1.PracticeType{{Id: "zen"}, {Id: "yogic"}},
		Sizes: []*contentv1.MeditationSize{
			{Id: "minimed", MinWords: 350, MaxWords: 380, Breaks: 17, PauseSeconds: 40, ExpectedSeconds: 220},
			{Id: "timeout", MinWords: 900, MaxWords: 950, Breaks: 28, PauseSeconds: 90, ExpectedSeconds: 570},
		},
		Tracks: []*contentv1.AmbientTrack{{Id: "rain"}, {Id: "ocean"}},
	}, nil
}

// fakeWriter writes four passages that name their meditation.
type fakeWriter struct{}

const passages = 4

func (fakeWriter) Write(_ context.Context, m meditation.Meditation) (recording.Script, error) {
	s := recording.Script{}
	for i := range passages {
		p := recording.Passage{Sentences: []string{m.ID.String(), fmt.Sprintf("Passage %d is calm.", i)}, Pause: 2 * time.Second}
		s.Words += 5
		s.Passages = append(s.Passages, p)
	}
	return s, nil
}

// fakeRecorder is fast, notes what it was asked, and can be held back or made to fail.
type fakeRecorder struct {
	mu sync.Mutex
	// before is called before each segment.
	before func(ctx context.Context, id string, index int) error
	// from lists where each recording of a meditation began.
	from map[string][]int
	// narrator is who spoke a meditation last.
	narrator map[string]string
	pace     time.Duration
}

func (r *fakeRecorder) measure(pace time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.pace = pace
}

func (*fakeRecorder) SpeakWith(string, narration.Synthesiser) {}

func (*fakeRecorder) Engage([]byte, narration.Synthesisers) error { return nil }

// Fallback of Nova, who is the outside one, is Wren.
func (r *fakeRecorder) Fallback(id string) (recording.Narrator, bool) {
	if id != "nova" {
		return recording.Narrator{}, false
	}
	return r.Narrator("wren")
}

func (r *fakeRecorder) Pace() time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.pace
}

func (*fakeRecorder) Narrator(id string) (recording.Narrator, bool) {
	name, known := map[string]string{"maren": "Maren", "isla": "Isla", "wren": "Wren", "nova": "Nova"}[id]
	n := recording.Narrator{ID: id, Name: name, WordsPerMinute: 120}
	if id == "nova" {
		n.Recipient = "A vendor"
	}
	return n, known
}

func (r *fakeRecorder) Narrators() (all []recording.Narrator) {
	for _, id := range []string{"maren", "isla", "wren", "nova"} {
		n, _ := r.Narrator(id)
		all = append(all, n)
	}
	return all
}

func (r *fakeRecorder) DefaultNarrator(immersive bool) recording.Narrator {
	id := "maren"
	if immersive {
		id = "isla"
	}
	n, _ := r.Narrator(id)
	return n
}

func (*fakeRecorder) Segments(s recording.Script) int { return len(s.Passages) }

func (r *fakeRecorder) hook(before func(ctx context.Context, id string, index int) error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.before = before
}

func (r *fakeRecorder) note(id string, from int) func(context.Context, string, int) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.from == nil {
		r.from = map[string][]int{}
	}
	if from >= 0 {
		r.from[id] = append(r.from[id], from)
	}
	return r.before
}

func (r *fakeRecorder) noteNarrator(id, narrator string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.narrator == nil {
		r.narrator = map[string]string{}
	}
	r.narrator[id] = narrator
}

func (r *fakeRecorder) spoke(id string) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.narrator[id]
}

func (r *fakeRecorder) began(id string) []int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]int(nil), r.from[id]...)
}

const segmentTime = 5 * time.Second

func (r *fakeRecorder) Record(
	ctx context.Context, narratorID string, s recording.Script, from int, startAt time.Duration,
	emit func(recording.Segment, []byte) error,
) error {
	id := s.Passages[0].Sentences[0]
	r.note(id, from)
	r.noteNarrator(id, narratorID)
	if startAt != time.Duration(from)*segmentTime {
		return errors.New("the recording does not begin where the last segment ended")
	}
	for i := from; i < len(s.Passages); i++ {
		// The hook is for meditations; shared recordings have no id.
		if before := r.note(id, -1); before != nil && uuid.Validate(id) == nil {
			if err := before(ctx, id, i); err != nil {
				return err
			}
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := emit(segmentOf(i, s.Passages[i]), sound(id, i)); err != nil {
			return err
		}
	}
	return nil
}

// Follow makes one segment of each passage, with its sentences.
func (r *fakeRecorder) Follow(
	ctx context.Context, narratorID string, c recording.Coming, from int, startAt time.Duration, emit func(recording.Segment, []byte) error,
) error {
	first, err := c.Next(ctx, 0)
	if err != nil {
		return err
	}
	id := first.Sentences[0]
	before := r.note(id, from)
	r.noteNarrator(id, narratorID)
	if startAt != time.Duration(from)*segmentTime {
		return errors.New("the recording does not begin where the last segment ended")
	}
	for i := from; i < c.Passages; i++ {
		p, err := c.Next(ctx, i)
		if err != nil {
			return err
		}
		if before != nil {
			if err := before(ctx, id, i); err != nil {
				return err
			}
		}
		if err := emit(segmentOf(i, p), sound(id, i)); err != nil {
			return err
		}
	}
	return nil
}

// segmentOf has the passage's sentences but the id with which fakeWriter's begin.
func segmentOf(i int, p recording.Passage) recording.Segment {
	made := segment(i)
	made.Lines = nil
	for _, sentence := range p.Sentences {
		if uuid.Validate(sentence) != nil {
			made.Lines = append(made.Lines, recording.Line{Text: sentence, Start: made.Start, End: made.Start + 3*time.Second})
		}
	}
	return made
}

func segment(i int) recording.Segment {
	start := time.Duration(i) * segmentTime
	return recording.Segment{
		Index: i, Start: start, Duration: segmentTime, Silence: 2 * time.Second,
		Lines: []recording.Line{{Text: fmt.Sprintf("Passage %d is calm.", i), Start: start, End: start + 3*time.Second}},
	}
}

// sound is what segment i of a meditation sounds like: different bytes, different lengths.
func sound(id string, i int) []byte {
	return bytes.Repeat(fmt.Appendf(nil, "%s/%d.", id, i), 20+i)
}

func wholeSound(id string) []byte {
	var out []byte
	for i := range passages {
		out = append(out, sound(id, i)...)
	}
	return out
}
