package postgres

import (
	"github.com/google/uuid"
	"google.golang.org/protobuf/types/known/timestamppb"

	eventsv1 "serein.app/proto/gen/serein/events/v1"
	"serein.app/services/identity/internal/account"
	"serein.app/services/identity/internal/postgres/sqlcgen"
	"serein.app/services/platform/outbox"
)

func accountOf(a sqlcgen.Account) account.Account {
	return account.Account{
		UID: a.Uid, Username: a.Username, Email: a.Email, GivenName: a.GivenName, FamilyName: a.FamilyName,
		Admin: a.Admin, ReferralCode: a.ReferralCode, PasswordHash: a.PasswordHash, Confirmed: a.ConfirmedAt != nil,
	}
}

func codeOf(c sqlcgen.Code) account.Code {
	return account.Code{
		ID: c.ID, Hash: c.Hash, Tries: int(c.Tries), ExpiresAt: c.ExpiresAt,
		Used: c.UsedAt != nil, Replaced: c.ReplacedAt != nil,
	}
}

func registered(r account.Registration) outbox.Event {
	uid := r.UID.String()
	return outbox.Event{
		Aggregate: uid, UID: uid,
		Message: &eventsv1.UserRegistered{Uid: uid, Username: r.Username},
	}
}

func confirmed(a sqlcgen.Account, mailboxKey []byte) outbox.Event {
	uid := a.Uid.String()
	return outbox.Event{
		Aggregate: uid, UID: uid,
		Message: &eventsv1.UserConfirmed{
			Uid: uid, Username: a.Username, Email: a.Email, GivenName: a.GivenName, FamilyName: a.FamilyName,
			MailboxKey: mailboxKey,
		},
	}
}

func consentsChanged(uid uuid.UUID, rows []account.Consent) outbox.Event {
	changed := make([]*eventsv1.Consent, len(rows))
	for i, c := range rows {
		changed[i] = &eventsv1.Consent{Kind: string(c.Kind), Given: c.Given, Version: c.Version, Time: timestamppb.New(c.At)}
	}
	return outbox.Event{
		Aggregate: uid.String(), UID: uid.String(),
		Message: &eventsv1.ConsentsChanged{Uid: uid.String(), Consents: changed},
	}
}

func adminChanged(uid uuid.UUID, granted bool) outbox.Event {
	return outbox.Event{
		Aggregate: uid.String(), UID: uid.String(),
		Message: &eventsv1.UserUpdated{Uid: uid.String(), Fields: []string{"admin"}, Admin: granted},
	}
}

func sessionEnded(uid, sid uuid.UUID) outbox.Event {
	return outbox.Event{
		Aggregate: uid.String(), UID: uid.String(),
		Message: &eventsv1.SessionEnded{Uid: uid.String(), Sid: sid.String()},
	}
}
