package life_test

import (
	"context"
	"slices"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"serein.app/services/billing/internal/sales"
	"serein.app/services/testkit/paymentsandbox"
)

// stepWebhooks delivers what the provider has told: all of it, or some, in any order, and some of it more than once.
func (m *machine) stepWebhooks(t *rapid.T) {
	m.step(t)
	m.hears(t)
}

func (m *machine) hears(t *rapid.T) {
	waiting := m.waits()
	if len(waiting) == 0 {
		return
	}
	how := rapid.IntRange(0, 3).Draw(t, "delivery")
	if how > 0 {
		waiting = rapid.Permutation(waiting).Draw(t, "order")
	}
	if how > 1 {
		waiting = waiting[:rapid.IntRange(0, len(waiting)).Draw(t, "delivered")]
	}
	if how == 3 && len(waiting) > 0 {
		waiting = append(waiting, waiting[rapid.IntRange(0, len(waiting)-1).Draw(t, "again")])
	}
	m.deliver(waiting)
}

// subscribed are the events that a webhook is set up for.
var subscribed = sales.EventTypes()

// waits are the events that were not delivered yet.
func (w *world) waits() []string {
	all := w.sandbox.Events() // of which the provider forgets the oldest
	known := slices.IndexFunc(all, func(e paymentsandbox.EventType) bool { return e.ID == w.told })
	for _, e := range all[known+1:] {
		w.told = e.ID
		if slices.Contains(subscribed, e.Type) {
			w.kept = append(w.kept, e.ID)
		}
	}
	return slices.Clone(w.kept)
}

func (w *world) deliver(ids []string) {
	answers, err := w.sandbox.Deliver(context.Background(), ids...)
	require.NoError(w.t, err)
	for _, status := range answers {
		require.Equal(w.t, 200, status)
	}
	w.kept = slices.DeleteFunc(w.kept, func(id string) bool { return slices.Contains(ids, id) })
	w.work()
}

// stepHours lets some hours pass, stepDays some days and at times two years; then what runs by a plan has run.
func (m *machine) stepHours(t *rapid.T) {
	m.step(t)
	m.pass(time.Duration(rapid.IntRange(1, 72*60).Draw(t, "minutes")) * time.Minute)
	m.planned()
}

func (m *machine) stepDays(t *rapid.T) {
	m.step(t)
	times := 1
	if rapid.IntRange(0, 9).Draw(t, "years, where it is 9") == 9 {
		times = rapid.IntRange(2, 36).Draw(t, "times")
	}
	each := time.Duration(rapid.IntRange(3*24, 20*24).Draw(t, "hours")) * time.Hour
	for range times {
		m.pass(each)
		m.planned()
	}
}

// stepDies has the process end within the next change, before its commit or after it, and another take over.
func (m *machine) stepDies(t *rapid.T) {
	m.step(t)
	m.hears(t)
	if rapid.Bool().Draw(t, "before the commit") {
		m.dies = 1
	} else {
		m.lives = 1
	}
	m.pass(time.Duration(rapid.IntRange(1, 40*24).Draw(t, "hours")) * time.Hour / 2)
	m.planned()
	m.dies, m.lives = 0, 0
	m.start()
	m.planned()
}

// planned does what runs by a plan.
func (w *world) planned() {
	ctx := context.Background()
	for _, job := range []func(context.Context) error{
		w.Memberships.SweepDue, w.Sales.Reconcile, w.Memberships.Reconcile,
		func(ctx context.Context) error { _, err := w.store.Sweep(ctx); return err },
	} {
		if err := job(ctx); err != nil {
			require.ErrorIs(w.t, err, errDied)
			_ = w.Later(job)
		}
		w.work()
	}
	w.waits()
	w.kept = nil // the reconciliation has read them
}

func (m *machine) actions() map[string]func(*rapid.T) {
	return map[string]func(*rapid.T){
		"":                    m.check,
		"sign up":             m.stepSignUp,
		"an operator":         m.stepCorrect,
		"buy":                 m.stepBuy,
		"top up":              m.stepTopUp,
		"cancel":              m.stepCancel,
		"undo":                m.stepKeep,
		"change":              m.stepChange,
		"another card":        m.stepCard,
		"back from its page":  m.stepBack,
		"refund or dispute":   m.stepRefund,
		"generate":            m.stepGenerate,
		"generate more":       m.stepGenerate,
		"made":                m.stepMade,
		"cancel a generation": m.stepCancelWork,
		"lose what was made":  m.stepLost,
		"look":                m.stepLook,
		"webhooks":            m.stepWebhooks,
		"more webhooks":       m.stepWebhooks,
		"hours":               m.stepHours,
		"days":                m.stepDays,
		"more days":           m.stepDays,
		"the process dies":    m.stepDies,
	}
}
