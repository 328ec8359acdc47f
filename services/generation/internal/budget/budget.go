// Package budget bounds what outside writers and narrators cost in a day: the service's work together, and each member's.
//
// A piece of work asks whether there is room before it begins, and what it cost is added afterwards. So work that has begun is finished,
// although others may have spent the rest of the day's budget meanwhile: a day costs more than its limit by what was under way when
// the limit was reached, and by no more. A day is one of UTC.
package budget

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/google/uuid"
)

// Kind of work that costs.
type Kind string

const (
	// Speech is what narrators cost.
	Speech Kind = "speech"
	// Writing is what writers cost.
	Writing Kind = "writing"
)

// Cost in millionths of the currency in which prices and limits are configured.
type Cost int64

// Unit is one of that currency.
const Unit Cost = 1_000_000

// Of is a sum of the currency, to the nearest millionth.
func Of(sum float64) Cost { return Cost(math.Round(sum * float64(Unit))) }

// Limits of a day. Work that costs something has no room where a limit is 0.
type Limits struct {
	// Day is for the whole service, Member for each member.
	Day, Member Cost
}

// ErrOver says that the day's budget has no room for the work.
var ErrOver = errors.New("the day's budget is spent")

// Store has the sums of each day. uuid.Nil stands for the whole service.
type Store interface {
	// AddSpent adds a cost to each of these sums.
	AddSpent(ctx context.Context, day time.Time, kind Kind, cost Cost, uids []uuid.UUID) error
	// Spent answers these sums; what is not in the answer is 0.
	Spent(ctx context.Context, day time.Time, kind Kind, uids []uuid.UUID) (map[uuid.UUID]Cost, error)
}

// Budget of one kind of work. It is safe for concurrent use.
type Budget struct {
	store  Store
	kind   Kind
	limits Limits
	now    func() time.Time
}

// New makes the Budget of a kind of work.
func New(store Store, kind Kind, limits Limits, now func() time.Time) *Budget {
	return &Budget{store: store, kind: kind, limits: limits, now: now}
}

type memberKey struct{}

// ForMember says whose work ctx belongs to. Work that belongs to no member counts for the whole service alone.
func ForMember(ctx context.Context, uid uuid.UUID) context.Context {
	return context.WithValue(ctx, memberKey{}, uid)
}

// accounts are whose sums the work counts for: the service's, and its member's.
func accounts(ctx context.Context) []uuid.UUID {
	if uid, ok := ctx.Value(memberKey{}).(uuid.UUID); ok && uid != uuid.Nil {
		return []uuid.UUID{uuid.Nil, uid}
	}
	return []uuid.UUID{uuid.Nil}
}

// Room answers ErrOver where work that costs about that much has no room today, for the member of ctx or at all. Work for nothing has.
func (b *Budget) Room(ctx context.Context, cost Cost) error {
	if cost <= 0 {
		return nil
	}
	whose := accounts(ctx)
	spent, err := b.store.Spent(ctx, b.now().UTC(), b.kind, whose)
	if err != nil {
		return fmt.Errorf("the day's budget: %w", err)
	}
	for _, uid := range whose {
		limit := b.limits.Member
		if uid == uuid.Nil {
			limit = b.limits.Day
		}
		if spent[uid]+cost > limit {
			return ErrOver
		}
	}
	return nil
}

// Spend adds what work has cost, whether there was room for it or not.
func (b *Budget) Spend(ctx context.Context, cost Cost) error {
	if cost <= 0 {
		return nil
	}
	return b.store.AddSpent(ctx, b.now().UTC(), b.kind, cost, accounts(ctx))
}
