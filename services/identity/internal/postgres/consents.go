package postgres

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"serein.app/services/identity/internal/account"
	"serein.app/services/identity/internal/postgres/sqlcgen"
)

// Consents are the kinds as they stand.
func (s *Store) Consents(ctx context.Context, uid uuid.UUID) ([]account.Consent, error) {
	return s.consents(ctx, s.db, uid)
}

func (s *Store) consents(ctx context.Context, db sqlcgen.DBTX, uid uuid.UUID) ([]account.Consent, error) {
	rows, err := s.queries.Consents(ctx, db, uid)
	if err != nil {
		return nil, translate(err)
	}
	consents := make([]account.Consent, len(rows))
	for i, r := range rows {
		consents[i] = account.Consent{
			ConsentAnswer: account.ConsentAnswer{Kind: account.ConsentKind(r.Kind), Given: r.Given, Version: r.Version}, At: r.GivenAt,
		}
	}
	return consents, nil
}

// RecordConsents decides under the account's lock, so that answers side by side are one after the
// other.
func (s *Store) RecordConsents(ctx context.Context, uid uuid.UUID, since time.Time,
	decide func([]account.Consent, int) ([]account.Consent, error),
) (after []account.Consent, err error) {
	err = s.inTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		if _, err := s.queries.LockAccount(ctx, tx, uid); err != nil {
			return missing(err, account.ErrUserNotFound)
		}
		if err := s.addConsents(ctx, tx, uid, since, decide); err != nil {
			return err
		}
		after, err = s.consents(ctx, tx, uid)
		return err
	})
	return after, err
}

func (s *Store) addConsents(ctx context.Context, tx pgx.Tx, uid uuid.UUID, since time.Time,
	decide func([]account.Consent, int) ([]account.Consent, error),
) error {
	current, err := s.consents(ctx, tx, uid)
	if err != nil {
		return err
	}
	recent, err := s.queries.ConsentsSince(ctx, tx, sqlcgen.ConsentsSinceParams{Uid: uid, Since: since})
	if err != nil {
		return err
	}
	rows, err := decide(current, int(recent))
	if err != nil || len(rows) == 0 {
		return err
	}
	for _, c := range rows {
		if err := s.queries.InsertConsent(ctx, tx, insertConsent(uid, c)); err != nil {
			return err
		}
	}
	return s.outbox.Add(ctx, tx, consentsChanged(uid, rows))
}

func insertConsent(uid uuid.UUID, c account.Consent) sqlcgen.InsertConsentParams {
	return sqlcgen.InsertConsentParams{Uid: uid, Kind: string(c.Kind), Given: c.Given, Version: c.Version, GivenAt: c.At}
}
