// Package purchases buys from the whole product while its parts die, and compares the books afterwards: no order lost, nothing
// given twice, nothing left in a basket that was bought. Tests run it for a dozen purchases, the soak for hundreds.
package purchases

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"serein.app/deploy/e2e/harness"
	"serein.app/deploy/local/stack"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// Options of one run.
type Options struct {
	// Purchases that are paid in all, and Members who pay them, side by side.
	Purchases, Members int
	// Returning is how many of ten purchases have a member who comes back to the page after the checkout. The others close the
	// browser on the provider's page, and billing hears of the payment by a webhook or by reading back.
	Returning int
	// OutageEvery is the time between two outages of PostgreSQL or the broker, in turn.
	OutageEvery time.Duration
	// MailDies too. Its queue hands the letter that it died over to nobody for a minute and a half.
	MailDies bool
	// SettleTime bounds the time after the storm in which everything must come to its end.
	SettleTime time.Duration
	// Dir is where the product's data lies.
	Dir string
	// Say hears what is going on.
	Say func(format string, args ...any)
}

// Report is what became of a run.
type Report struct {
	// Paid purchases; those of them whose member came back; checkouts that were left unpaid, and cards that were declined, before.
	Paid, CameBack, Abandoned, Declined int64
	// Failpoints that could kill, as "billing/after_webhook_kept", with how often each did; Outages of PostgreSQL and the broker.
	Failpoints, Outages map[string]int
	// Letters that were received, and Twice those of them that came once more as they were: a server that has taken a letter does not
	// tell a process that died before it heard so.
	Letters, Twice int
	// Webhooks of the provider, each of which was told at least twice.
	Webhooks int
	// Amount of money by the provider's books and by billing's, in minor units, and Credits that were bought.
	Provider, Billing, Credits int64
	// Took is how long it was until everything was paid, and Settled until all had come to its end after that.
	Took, Settled time.Duration
}

// String says it in some lines.
func (r Report) String() string {
	var text strings.Builder
	kills := 0
	for _, died := range []map[string]int{r.Failpoints, r.Outages} {
		for _, what := range slices.Sorted(maps.Keys(died)) {
			kills += died[what]
			fmt.Fprintf(&text, "\n    %3d  %s", died[what], what)
		}
	}
	return fmt.Sprintf("%d purchases paid in %s, %d members came back, %d checkouts abandoned and %d cards declined before; %d events told at least twice each;"+
		" settled %s later\n  provider %d, billing %d minor units; %d credits bought\n  %d letters, and %d of them once more\n  %d deaths:%s",
		r.Paid, r.Took.Round(time.Second), r.CameBack, r.Abandoned, r.Declined, r.Webhooks, r.Settled.Round(time.Millisecond), r.Provider, r.Billing, r.Credits, r.Letters, r.Twice, kills, text.String())
}

// Unused are the failpoints that have killed nobody.
func (r Report) Unused() (names []string) {
	for _, name := range slices.Sorted(maps.Keys(r.Failpoints)) {
		if r.Failpoints[name] == 0 {
			names = append(names, name)
		}
	}
	return names
}

// storm is one run under way.
type storm struct {
	Options
	product *harness.Harness
	arming  *arming
	left    atomic.Int64

	mu     sync.Mutex
	report Report
	paid   map[string]int64 // sessions, with what the page said they cost
	bought map[string]int64 // credits by uid
}

// memberTime bounds the joining of one member; a busy machine hashes passwords one after the other.
const memberTime = 10 * time.Minute

// Run starts the product with the failpoints built in, lets members buy while parts die, and says whether every promise held.
func Run(ctx context.Context, o Options) (Report, error) {
	a := newArming(o.MailDies)
	product, err := harness.StartWith(ctx, stack.Options{
		DataDir: o.Dir, Environ: map[string]string{"LIMIT_SCALE": "1000000"}, EnvironOf: a.environ,
	}, "failpoints")
	if err != nil {
		return Report{}, err
	}
	s := &storm{Options: o, product: product, arming: a, paid: map[string]int64{}, bought: map[string]int64{}}
	s.report.Outages = map[string]int{}
	s.left.Store(int64(o.Purchases))
	err = s.run(ctx)
	return s.report, errors.Join(err, product.Stop())
}

func (s *storm) run(ctx context.Context) error {
	buyers, err := s.join(ctx)
	if err != nil {
		return err
	}
	last := buyers[len(buyers)-1]
	code, err := s.product.Code(ctx, last.Email)
	if err != nil {
		return err
	}
	if err := s.arm(ctx); err != nil {
		return err
	}
	dying, calm := context.WithCancel(ctx)
	defer calm()
	var deaths sync.WaitGroup
	deaths.Go(func() { s.failpoints(dying) })
	if err := last.confirms(ctx, code); err != nil {
		calm()
		deaths.Wait()
		return fmt.Errorf("join while billing dies: %w", err)
	}
	s.Say("  %d members buy %d times", len(buyers), s.Purchases)
	began := time.Now()
	deaths.Go(func() { s.outages(dying) })
	deaths.Go(func() { s.webhooks(dying) })
	err = s.buyAll(ctx, buyers)
	s.report.Took = time.Since(began)
	calm()
	deaths.Wait()
	if err := errors.Join(err, s.disarm(ctx), s.countFailpoints()); err != nil {
		return err
	}
	s.Say("  all paid, and the parts stay up")
	began = time.Now()
	if err := s.settle(ctx); err != nil {
		return err
	}
	s.report.Settled = time.Since(began)
	return s.compare(ctx, buyers)
}

// join has all members join; the last has signed up, and not confirmed that yet.
func (s *storm) join(ctx context.Context) ([]*buyer, error) {
	shop, err := s.goods(ctx)
	if err != nil {
		return nil, err
	}
	var buyers []*buyer
	for n := range s.Members {
		join := s.product.NewMember
		if n == s.Members-1 {
			join = s.product.SignUp
		}
		joining, cancel := context.WithTimeout(ctx, memberTime)
		m, err := join(joining)
		cancel()
		if err != nil {
			return nil, fmt.Errorf("join: %w", err)
		}
		buyers = append(buyers, &buyer{Member: m, storm: s, shop: shop})
	}
	return buyers, nil
}

// confirms has a member who has signed up join while billing dies of it, and mail perhaps.
func (b *buyer) confirms(ctx context.Context, code string) error {
	ctx, cancel := context.WithTimeout(ctx, memberTime)
	defer cancel()
	if _, err := b.Account.ConfirmSignUp(ctx, &webv1.ConfirmSignUpRequest{Username: b.Username, Code: code}); err != nil {
		return err
	}
	for _, step := range []func(context.Context) error{b.SignIn, b.Consent, b.AwaitTrial} {
		if err := harness.Eventually(ctx, "joining", func(ctx context.Context) (bool, error) {
			err := step(ctx)
			return err == nil, err
		}); err != nil {
			return err
		}
	}
	return nil
}

// buyAll has the members buy side by side until everything is bought; the first that cannot ends it for all.
func (s *storm) buyAll(ctx context.Context, buyers []*buyer) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var buying sync.WaitGroup
	for _, b := range buyers {
		buying.Go(func() {
			for n := 0; ctx.Err() == nil && s.left.Add(-1) >= 0; n++ {
				if err := b.buys(ctx, n); err != nil {
					stop(fmt.Errorf("%s, purchase %d: %w", b.UID, n, err))
				}
			}
		})
	}
	buying.Wait()
	return context.Cause(ctx)
}

// count changes the report.
func (s *storm) count(change func(*Report)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	change(&s.report)
}
