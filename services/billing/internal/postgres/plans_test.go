package postgres_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"serein.app/services/billing/internal/plans"
)

// The catalogue that the product opens with; afterwards it is an editor's.
func TestTheCatalogueStartsWithItsFivePlans(t *testing.T) {
	t.Parallel()
	b := setup(t)
	catalogue, err := b.store.Plans(t.Context())
	require.NoError(t, err)
	type card struct {
		id      string
		kind    plans.Kind
		monthly plans.Price
	}
	var cards []card
	for _, p := range catalogue {
		c := card{id: p.ID, kind: p.Kind}
		if p.Monthly != nil {
			c.monthly = *p.Monthly
		}
		cards = append(cards, c)
		require.NotEmpty(t, p.Name, p.ID)
		require.NotEmpty(t, p.Description, p.ID)
	}
	require.Equal(t, []card{
		{id: "free-trial", kind: plans.Trial},
		{id: "serein-core", kind: plans.Member, monthly: plans.Price{Amount: 799, Currency: "gbp", Credits: 20}},
		{id: "serein-premium", kind: plans.Member, monthly: plans.Price{Amount: 1299, Currency: "gbp", Credits: 60}},
		{id: "serein-generate", kind: plans.Generate, monthly: plans.Price{Amount: 599, Currency: "gbp", Credits: 30}},
		{id: "bespoke-journey", kind: plans.Enquiry},
	}, cards)
	trial := catalogue[0]
	require.Equal(t, []int64{7, 14, 8}, []int64{int64(trial.TrialDays), int64(trial.InvitedTrialDays), trial.TrialCredits})
}

func TestAYearCostsTenMonthsAndGrantsTheCreditsOfTwelve(t *testing.T) {
	t.Parallel()
	catalogue, err := setup(t).store.Plans(t.Context())
	require.NoError(t, err)
	sold := 0
	for _, p := range catalogue {
		require.Equal(t, p.Monthly == nil, p.Yearly == nil, p.ID)
		if p.Monthly == nil {
			continue
		}
		sold++
		require.Equal(t, plans.Price{
			Amount: 10 * p.Monthly.Amount, Currency: p.Monthly.Currency, Credits: 12 * p.Monthly.Credits,
		}, *p.Yearly, p.ID)
	}
	require.Equal(t, 3, sold)
}

// An editor who changes the trial changes what the next member gets, whatever the plan is called.
func TestATrialHasTheDaysAndCreditsOfThePlanWhoseKindIsTrial(t *testing.T) {
	t.Parallel()
	b := setup(t)
	owner := b.owner(t)
	_, err := owner.Exec(t.Context(), `INSERT INTO plans (id, name, kind) VALUES ('a-taste', 'A taste', 'enquiry')`)
	require.NoError(t, err)
	_, err = owner.Exec(t.Context(), `UPDATE plans SET kind = 'enquiry', trial_days = 0, invited_trial_days = 0, trial_credits = 0 WHERE kind = 'trial'`)
	require.Error(t, err, "there would be no trial")
	tx, err := owner.Begin(t.Context())
	require.NoError(t, err)
	_, err = tx.Exec(t.Context(), `UPDATE plans SET kind = 'enquiry', trial_days = 0, invited_trial_days = 0, trial_credits = 0 WHERE kind = 'trial'`)
	require.NoError(t, err)
	_, err = tx.Exec(t.Context(), `UPDATE plans SET kind = 'trial', trial_days = 3, invited_trial_days = 5, trial_credits = 2 WHERE id = 'a-taste'`)
	require.NoError(t, err)
	require.NoError(t, tx.Commit(t.Context()))

	uid := uuid.Must(uuid.NewV7())
	require.NoError(t, pgx.BeginFunc(t.Context(), b.Pool, func(tx pgx.Tx) error { return b.store.StartTrial(t.Context(), tx, uid, nil, uuid.Nil) }))
	account, err := b.store.Account(t.Context(), uid)
	require.NoError(t, err)
	require.Equal(t, "a-taste", account.Subscription.PlanID)
	require.Equal(t, 3*24*time.Hour, account.Subscription.EndsAt.Sub(account.Subscription.StartsAt))
	require.EqualValues(t, 2, account.Balance.PlanAvailable)
}

func TestThereIsExactlyOneTrial(t *testing.T) {
	t.Parallel()
	b := setup(t)
	const checkViolation, uniqueViolation = "23514", "23505"
	for statement, state := range map[string]string{
		`INSERT INTO plans (id, name, kind, trial_days, invited_trial_days, trial_credits) VALUES ('x', 'X', 'trial', 1, 1, 1)`: uniqueViolation,
		`DELETE FROM plans WHERE kind = 'trial'`: checkViolation,
		`UPDATE plans SET kind = 'member', trial_days = 0, invited_trial_days = 0, trial_credits = 0 WHERE kind = 'trial'`: checkViolation,
		`UPDATE plans SET trial_days = 0 WHERE kind = 'trial'`:                                                             checkViolation,
		`UPDATE plans SET trial_days = 7 WHERE kind = 'member'`:                                                            checkViolation,
		`UPDATE plans SET entitlements = '{everything}' WHERE kind = 'member'`:                                             checkViolation,
	} {
		_, err := b.owner(t).Exec(t.Context(), statement)
		requireState(t, err, state, statement)
	}
}

// owner is a connection as the owner of the tables.
func (b *harness) owner(tb testing.TB) *pgx.Conn {
	tb.Helper()
	conn, err := pgx.Connect(tb.Context(), b.OwnerURL)
	require.NoError(tb, err)
	tb.Cleanup(func() { _ = conn.Close(context.Background()) })
	return conn
}
