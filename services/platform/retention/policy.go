package retention

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// Day is 24 hours, the unit in which most things are kept.
const Day = 24 * time.Hour

// Policy says what is removed, when and why.
type Policy struct {
	// Name is the policy's in its service, and part of the table in README.md.
	Name string
	// Table whose rows go; empty where Remove knows of no table.
	Table string
	// Column is the time from which Keep counts. It needs an index; rows where it is NULL stay.
	Column string
	// Where is a further condition on the rows that go, in SQL; $1 is the moment up to which they go.
	// Empty for none.
	Where string
	// Keep is how long a row stays after the time in Column.
	Keep time.Duration
	// Reason why it is kept for as long as that, and no longer.
	Reason string
	// Remove takes the place of deleting rows of Table where that is not enough. It removes most
	// things at most, all of a time no later than before, and says how many it was: fewer than most
	// means that none is left.
	Remove func(ctx context.Context, db *pgxpool.Pool, before time.Time, most int) (int, error)
}

// RemoveBatch removes at most most things whose time is up to before. It leaves out rows that
// somebody works with; they go with another run.
func (p Policy) RemoveBatch(ctx context.Context, db *pgxpool.Pool, before time.Time, most int) (int, error) {
	if p.Remove != nil {
		return p.Remove(ctx, db, before, most)
	}
	tag, err := db.Exec(ctx, p.DeleteSQL(), before, most)
	return int(tag.RowsAffected()), err
}

// Oldest is the time of the oldest row that is overdue; zero if no row is.
func (p Policy) Oldest(ctx context.Context, db *pgxpool.Pool, before time.Time) (oldest time.Time, err error) {
	if p.Table == "" {
		return time.Time{}, nil
	}
	err = db.QueryRow(ctx, p.OldestSQL(), before).Scan(&oldest)
	if errors.Is(err, pgx.ErrNoRows) {
		return time.Time{}, nil
	}
	return oldest, err
}

// DeleteSQL is the statement that removes a batch: $1 the moment up to which rows go, $2 their number.
func (p Policy) DeleteSQL() string {
	return fmt.Sprintf("DELETE FROM %s WHERE ctid = ANY (ARRAY(SELECT ctid FROM %s WHERE %s ORDER BY %s LIMIT $2 FOR UPDATE SKIP LOCKED))",
		p.Table, p.Table, p.condition(), p.Column)
}

// OldestSQL is the statement that finds the oldest row past its time; $1 is the moment up to which rows go.
func (p Policy) OldestSQL() string {
	return fmt.Sprintf("SELECT %s FROM %s WHERE %s ORDER BY %s LIMIT 1", p.Column, p.Table, p.condition(), p.Column)
}

func (p Policy) condition() string {
	condition := p.Column + " <= $1"
	if p.Where != "" {
		condition += " AND (" + p.Where + ")"
	}
	return condition
}
