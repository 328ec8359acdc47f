package budget_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"serein.app/services/generation/internal/budget"
	"serein.app/services/generation/internal/postgres"
	"serein.app/services/testkit"
)

// purse is a Budget over a database, on a day that the test turns.
type purse struct {
	*budget.Budget
	store *postgres.Store
	db    testkit.DB
	now   time.Time
}

func newPurse(t *testing.T) *purse {
	t.Helper()
	db := testkit.Postgres(t, "generation", postgres.Migrate)
	p := &purse{db: db, store: postgres.New(db.Pool, nil), now: time.Date(2026, 11, 30, 23, 59, 59, 0, time.UTC)}
	p.Budget = budget.New(p.store, budget.Speech, budget.Limits{Day: 10 * budget.Unit, Member: 4 * budget.Unit}, func() time.Time { return p.now })
	return p
}

func (p *purse) spend(t *testing.T, ctx context.Context, units budget.Cost) {
	t.Helper()
	require.NoError(t, p.Room(ctx, units*budget.Unit))
	require.NoError(t, p.Spend(ctx, units*budget.Unit))
}

func TestAMemberAndTheWholeServiceHaveADaysBudget(t *testing.T) {
	t.Parallel()
	p := newPurse(t)
	amara, ben, chloe := budget.ForMember(t.Context(), uuid.New()), budget.ForMember(t.Context(), uuid.New()), budget.ForMember(t.Context(), uuid.New())
	p.spend(t, amara, 3)
	require.ErrorIs(t, p.Room(amara, 2*budget.Unit), budget.ErrOver, "more than the member's")
	p.spend(t, amara, 1)
	require.ErrorIs(t, p.Room(amara, 1), budget.ErrOver)
	p.spend(t, ben, 3)
	p.spend(t, t.Context(), 2) // nobody's
	require.ErrorIs(t, p.Room(chloe, 2*budget.Unit), budget.ErrOver, "more than the day's")
	p.spend(t, chloe, 1)
	require.ErrorIs(t, p.Room(t.Context(), 1), budget.ErrOver)
	require.NoError(t, p.Room(amara, 0), "what costs nothing")

	p.now = p.now.Add(time.Second)
	require.NoError(t, p.Room(amara, 4*budget.Unit), "the next day")
}

func TestAnotherKindOfWorkHasAnotherBudget(t *testing.T) {
	t.Parallel()
	p := newPurse(t)
	ctx := budget.ForMember(t.Context(), uuid.New())
	p.spend(t, ctx, 4)
	writing := budget.New(p.store, budget.Writing, budget.Limits{Day: budget.Unit, Member: budget.Unit}, func() time.Time { return p.now })
	require.NoError(t, writing.Room(ctx, budget.Unit))
}

func TestNothingThatIsSpentAtOnceIsLost(t *testing.T) {
	t.Parallel()
	p := newPurse(t)
	uids := []uuid.UUID{uuid.New(), uuid.New(), uuid.New()}
	var all sync.WaitGroup
	for i := range 30 {
		all.Go(func() {
			if err := p.Spend(budget.ForMember(t.Context(), uids[i%3]), 7); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	spent, err := p.store.Spent(t.Context(), p.now, budget.Speech, append(uids, uuid.Nil))
	require.NoError(t, err)
	require.Equal(t, map[uuid.UUID]budget.Cost{uids[0]: 70, uids[1]: 70, uids[2]: 70, uuid.Nil: 210}, spent)

	require.NoError(t, p.store.ForgetSpent(t.Context(), uids[0]))
	spent, err = p.store.Spent(t.Context(), p.now, budget.Speech, append(uids, uuid.Nil))
	require.NoError(t, err)
	require.Equal(t, map[uuid.UUID]budget.Cost{uids[1]: 70, uids[2]: 70, uuid.Nil: 210}, spent, "after the account was deleted")
}

func TestWithTheDatabaseAwayTheBudgetDoesNotSayThatItIsSpent(t *testing.T) {
	t.Parallel()
	p := newPurse(t)
	p.db.Pool.Close()
	err := p.Room(t.Context(), budget.Unit)
	require.Error(t, err)
	require.NotErrorIs(t, err, budget.ErrOver)
	require.Error(t, p.Spend(t.Context(), budget.Unit))
}

func TestWhatADayHasCostGoesTwoDaysLater(t *testing.T) {
	t.Parallel()
	p := newPurse(t)
	p.spend(t, budget.ForMember(t.Context(), uuid.New()), 1)
	midnight := p.now.Truncate(24 * time.Hour)
	require.Zero(t, testkit.Retain(t, p.db.Pool, postgres.Retention(), midnight.Add(47*time.Hour)))
	require.Equal(t, 2, testkit.Retain(t, p.db.Pool, postgres.Retention(), midnight.Add(48*time.Hour)))
}
