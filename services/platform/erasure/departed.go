package erasure

import (
	"context"
	"crypto/sha256"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"serein.app/services/platform/retention"
)

// A service that must not keep anything again of a member whose account is deleted has this table in its migrations:
//
//	CREATE TABLE departed (
//	    member      bytea       PRIMARY KEY,
//	    departed_at timestamptz NOT NULL
//	);
//	CREATE INDEX departed_at ON departed (departed_at);
//
// Its statements may ask the table themselves, by the member's Fingerprint.

// Fingerprint is the SHA-256 of a uid, for rows that are kept longer than the account. In SQL it is sha256(uuid_send(uid)).
func Fingerprint(uid uuid.UUID) []byte {
	sum := sha256.Sum256(uid[:])
	return sum[:]
}

// Depart notes that the member's account is deleted. Noting it again changes nothing. The caller holds the lock under which
// it asks HasDeparted, or another change of the member could be under way.
func Depart(ctx context.Context, tx pgx.Tx, uid uuid.UUID, at time.Time) error {
	_, err := tx.Exec(ctx, `INSERT INTO departed (member, departed_at) VALUES ($1, $2) ON CONFLICT DO NOTHING`, Fingerprint(uid), at)
	return err
}

// HasDeparted says whether the member's account was deleted in the last 90 days.
func HasDeparted(ctx context.Context, tx pgx.Tx, uid uuid.UUID) (departed bool, err error) {
	err = tx.QueryRow(ctx, `SELECT EXISTS (SELECT FROM departed WHERE member = $1)`, Fingerprint(uid)).Scan(&departed)
	return departed, err
}

// DepartedPolicy removes what Depart has noted.
func DepartedPolicy() retention.Policy {
	return retention.Policy{
		Name: "departed", Table: "departed", Column: "departed_at", Keep: 90 * retention.Day,
		Reason: "An event of before, which may come again for 60 days, must not keep or give anything for a deleted account. A fingerprint of the uid stands here, not the uid.",
	}
}
