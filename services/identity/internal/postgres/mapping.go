package postgres

import (
	"time"

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
		InvitedBy: a.InvitedBy, ResetRequired: a.ResetRequiredAt != nil, DeletesAt: a.DeletesAt,
		PasswordChanges: a.PasswordChanges,
	}
}

func codeOf(c sqlcgen.Code) account.Code {
	return account.Code{
		ID: c.ID, Kind: account.CodeKind(c.Kind), Hash: c.Hash, Tries: int(c.Tries), ExpiresAt: c.ExpiresAt,
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
	uid, inviter := a.Uid.String(), ""
	if a.InvitedBy != nil {
		inviter = a.InvitedBy.String()
	}
	return outbox.Event{
		Aggregate: uid, UID: uid,
		Message: &eventsv1.UserConfirmed{
			Uid: uid, Username: a.Username, Email: a.Email, GivenName: a.GivenName, FamilyName: a.FamilyName,
			MailboxKey: mailboxKey, InvitedBy: inviter,
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

func nameChanged(a sqlcgen.Account) outbox.Event {
	return updated(a, &eventsv1.UserUpdated{Fields: []string{"given_name", "family_name"}, GivenName: a.GivenName, FamilyName: a.FamilyName})
}

func emailChanged(a sqlcgen.Account) outbox.Event {
	return updated(a, &eventsv1.UserUpdated{Fields: []string{"email"}, Email: a.Email})
}

func updated(a sqlcgen.Account, e *eventsv1.UserUpdated) outbox.Event {
	e.Uid, e.Admin = a.Uid.String(), a.Admin
	return outbox.Event{Aggregate: e.GetUid(), UID: e.GetUid(), Message: e}
}

func sessionEnded(uid, sid uuid.UUID) outbox.Event {
	return outbox.Event{
		Aggregate: uid.String(), UID: uid.String(),
		Message: &eventsv1.SessionEnded{Uid: uid.String(), Sid: sid.String()},
	}
}

func deletionScheduled(uid uuid.UUID, deletesAt time.Time) outbox.Event {
	return outbox.Event{
		Aggregate: uid.String(), UID: uid.String(),
		Message: &eventsv1.DeletionScheduled{Uid: uid.String(), DeletesAt: timestamppb.New(deletesAt)},
	}
}

func deletionUndone(uid uuid.UUID) outbox.Event {
	return outbox.Event{Aggregate: uid.String(), UID: uid.String(), Message: &eventsv1.DeletionUndone{Uid: uid.String()}}
}

func userDeleted(uid, deletion uuid.UUID) outbox.Event {
	return outbox.Event{
		Aggregate: uid.String(), UID: uid.String(),
		Message: &eventsv1.UserDeleted{Uid: uid.String(), DeletionId: deletion.String()},
	}
}
