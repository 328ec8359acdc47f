// Package limits makes a synthesiser of a vendor's single calls. It bounds how many run at once and how long each may take, tries again
// where that can help, counts what they cost, and refuses an answer that is not the speech of the text. It knows no vendor.
package limits

import (
	"context"
	"crypto/sha256"
	"errors"
	"log/slog"
	"math"
	"math/rand/v2"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/sethvargo/go-retry"
	"github.com/sony/gobreaker/v2"
	"golang.org/x/sync/semaphore"

	"serein.app/services/generation/internal/budget"
	"serein.app/services/generation/internal/narration"
	"serein.app/services/platform/deadline"
)

const (
	// tries of one utterance, the first included.
	tries = 3
	// firstWait before the second try, doubled before the third, and up to as much again so that processes do not come back together.
	firstWait = 200 * time.Millisecond
)

// noteTime bounds the writing of a cost, which the speech waits for.
var noteTime = deadline.Of(2 * time.Second)

// Vendor makes single calls. It is called from several goroutines at once.
type Vendor interface {
	// Say asks for the speech of u.Text once. Its errors are of type *Error, or ctx's.
	Say(ctx context.Context, u narration.Utterance) (narration.Speech, error)
	// HasVoice says whether an utterance may name that voice, as far as the vendor's documents say.
	HasVoice(name string) bool
	// Check says why the vendor cannot speak in that way, whatever the text.
	Check(u narration.Utterance) error
	// Recipe is a hash of all that the speech of an utterance depends on and that is known here.
	Recipe(u narration.Utterance) [sha256.Size]byte
}

// Config bounds the calls of one vendor.
type Config struct {
	// Vendor is its name in the metrics.
	Vendor string
	// Recipient is who gets what is spoken, as members read it; empty for a server of the operator's.
	Recipient string
	// Calls run at once, at least 1; each takes CallTime at most.
	Calls    int
	CallTime time.Duration
	// Price of a million characters, in the budget's currency.
	Price float64
}

// Budget bounds what speech costs in a day.
type Budget interface {
	Room(ctx context.Context, cost budget.Cost) error
	Spend(ctx context.Context, cost budget.Cost) error
}

// Metrics count what operators need to know.
type Metrics interface {
	// OutsideCall counts a call of a vendor by its outcome: said, or the Kind of the failure.
	OutsideCall(ctx context.Context, vendor, outcome string)
	// OutsideCost adds what a call has cost, in the currency of the prices.
	OutsideCost(ctx context.Context, vendor string, cost float64)
}

// Ports are what a Synthesiser works with.
type Ports struct {
	Budget  Budget
	Metrics Metrics
	Log     *slog.Logger
}

// Synthesiser speaks by a vendor. It is safe for concurrent use.
type Synthesiser struct {
	Vendor
	ports   Ports
	cfg     Config
	slots   *semaphore.Weighted
	breaker *gobreaker.CircuitBreaker[narration.Speech]
}

// failures of utterances in a row, each with its tries, and for rest no recording begins: members do not wait for the vendor one after the
// other.
const failures, rest = 5, 30 * time.Second

var (
	_ narration.Synthesiser = (*Synthesiser)(nil)
	_ narration.Admitter    = (*Synthesiser)(nil)
	_ narration.Checker     = (*Synthesiser)(nil)
)

// New makes a Synthesiser.
func New(v Vendor, cfg Config, p Ports) *Synthesiser {
	return &Synthesiser{
		Vendor: v, ports: p, cfg: cfg, slots: semaphore.NewWeighted(int64(cfg.Calls)),
		breaker: gobreaker.NewCircuitBreaker[narration.Speech](gobreaker.Settings{
			Name: cfg.Vendor, Timeout: rest,
			ReadyToTrip:  func(c gobreaker.Counts) bool { return c.ConsecutiveFailures >= failures },
			IsSuccessful: func(err error) bool { return !ofTheVendor(err) },
		}),
	}
}

// ofTheVendor is for errors by which the vendor may fail the next utterance too: it has no room, or does not answer as it should.
func ofTheVendor(err error) bool {
	failure, ok := errors.AsType[*Error](err)
	return ok && (failure.Kind == Overloaded || failure.Kind == Broken)
}

// Admit implements narration.Admitter. Its error is an *Error of the kind Resting or OverBudget, or the budget's.
func (s *Synthesiser) Admit(ctx context.Context, characters int) error {
	if s.breaker.State() == gobreaker.StateOpen {
		s.ports.Metrics.OutsideCall(ctx, s.cfg.Vendor, string(Resting))
		return &Error{Kind: Resting, Free: true, cause: gobreaker.ErrOpenState}
	}
	err := s.ports.Budget.Room(ctx, s.cost(characters))
	if errors.Is(err, budget.ErrOver) {
		s.ports.Metrics.OutsideCall(ctx, s.cfg.Vendor, string(OverBudget))
		return &Error{Kind: OverBudget, Free: true, cause: err}
	}
	return err
}

// Recipient is who gets what is spoken, as members read it; empty where it does not leave Serein.
func (s *Synthesiser) Recipient() string { return s.cfg.Recipient }

// cost of so many characters, rounded up.
func (s *Synthesiser) cost(characters int) budget.Cost {
	return budget.Cost(math.Ceil(float64(characters) * s.cfg.Price)) // a millionth of a million characters' price each
}

// Speak implements narration.Synthesiser. A text without a letter or a digit gives empty speech. Errors: *Error, and ctx's.
func (s *Synthesiser) Speak(ctx context.Context, u narration.Utterance) (speech narration.Speech, err error) {
	if !strings.ContainsFunc(u.Text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
		return narration.Speech{}, ctx.Err()
	}
	if err := s.slots.Acquire(ctx, 1); err != nil {
		return narration.Speech{}, err
	}
	defer s.slots.Release(1)
	speech, err = s.breaker.Execute(func() (narration.Speech, error) { return s.speak(ctx, u) })
	if errors.Is(err, gobreaker.ErrOpenState) || errors.Is(err, gobreaker.ErrTooManyRequests) {
		return s.speak(ctx, u) // a recording that has begun goes on with its voice
	}
	return speech, err
}

// speak asks the vendor up to so many times.
func (s *Synthesiser) speak(ctx context.Context, u narration.Utterance) (speech narration.Speech, err error) {
	bounded, cancel := context.WithTimeout(ctx, 2*s.cfg.CallTime)
	defer cancel()
	waits := &waits{ctx: bounded}
	err = retry.Do(bounded, retry.WithMaxRetries(tries-1, waits), func(ctx context.Context) error {
		speech, err = s.call(ctx, u)
		return waits.judge(err)
	})
	switch {
	case err == nil:
		return speech, nil
	case ctx.Err() != nil:
		return narration.Speech{}, ctx.Err()
	case errors.Is(err, context.DeadlineExceeded):
		err = Break("no speech within %v", 2*s.cfg.CallTime)
	}
	return narration.Speech{}, err
}

// call asks the vendor once, checks the answer and counts it.
func (s *Synthesiser) call(ctx context.Context, u narration.Utterance) (narration.Speech, error) {
	bounded, cancel := context.WithTimeout(ctx, s.cfg.CallTime)
	defer cancel()
	speech, err := s.Say(bounded, u)
	if err == nil {
		err = check(u, speech)
	} else if ctx.Err() == nil && bounded.Err() != nil {
		err = Break("no answer within %v", s.cfg.CallTime)
	}
	s.count(ctx, u, err)
	return speech, err
}

// count writes down what a call has cost and how it ended. Where the cost cannot be written the speech is used all the same: it is paid for.
func (s *Synthesiser) count(ctx context.Context, u narration.Utterance, err error) {
	outcome, free := "said", false
	failure, ok := errors.AsType[*Error](err)
	switch {
	case errors.Is(ctx.Err(), context.Canceled):
		outcome, free = "cancelled", ok && failure.Free
	case ok:
		outcome, free = string(failure.Kind), failure.Free
	case err != nil:
		outcome = string(Broken)
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), noteTime)
	defer cancel()
	s.ports.Metrics.OutsideCall(ctx, s.cfg.Vendor, outcome)
	if err != nil && outcome != "cancelled" {
		s.ports.Log.WarnContext(ctx, "an outside narrator's vendor has not spoken a sentence", "vendor", s.cfg.Vendor, "outcome", outcome, "error", err)
	}
	cost := s.cost(utf8.RuneCountInString(u.Text))
	if free || cost == 0 {
		return
	}
	s.ports.Metrics.OutsideCost(ctx, s.cfg.Vendor, float64(cost)/float64(budget.Unit))
	if err := s.ports.Budget.Spend(ctx, cost); err != nil {
		s.ports.Log.WarnContext(ctx, "what outside speech has cost is not in the day's budget", "vendor", s.cfg.Vendor, "microunits", int64(cost), "error", err)
	}
}

// waits are the times before further tries. It gives up where a wait would end after ctx.
type waits struct {
	ctx   context.Context
	tried int
	asked time.Duration
}

// judge has a failure tried again that another call may not have, and remembers how long the vendor asks to wait.
func (w *waits) judge(err error) error {
	failure, ok := errors.AsType[*Error](err)
	if !ok || failure.Kind != Overloaded && failure.Kind != Broken {
		return err
	}
	w.asked = failure.RetryAfter
	return retry.RetryableError(err)
}

// Next implements retry.Backoff.
func (w *waits) Next() (wait time.Duration, stop bool) {
	usual := firstWait << w.tried
	w.tried++
	wait = max(usual, w.asked) + rand.N(usual)
	until, bounded := w.ctx.Deadline()
	return wait, bounded && time.Until(until) <= wait
}
