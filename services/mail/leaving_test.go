package mail

import (
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	eventsv1 "serein.app/proto/gen/serein/events/v1"
	mailv1 "serein.app/proto/gen/serein/mail/v1"
)

func TestWhoLeavesGetsNoLettersButTheReceiptUntilTheyStayAfterAll(t *testing.T) {
	t.Parallel()
	r := setup(t)
	r.start(t)
	o, uid := r.teller(t), uuid.NewString()
	o.confirms(uid, "ada@example.com")
	r.heard(t, 1)
	before := r.went(t, "ada@example.com")
	o.tell("identity", uid, &eventsv1.DeletionScheduled{Uid: uid}, 1)
	r.heard(t, 2)
	o.tell("billing", uid, order(uid, "S-10001"), 1)
	r.heard(t, 3)
	require.Equal(t, before, r.went(t, "ada@example.com"))
	o.tell("identity", uid, &eventsv1.DeletionUndone{Uid: uid}, 1)
	r.heard(t, 4)
	o.tell("billing", uid, order(uid, "S-10002"), 1)
	r.heard(t, 5)
	require.Equal(t, append(before, "Your receipt from Serein, order S-10002"), r.went(t, "ada@example.com"))
}

// A deleted account leaves no letter behind, and the last one no address.
func TestADeletedAccountsLettersAreGoneAndTheLastOneLeavesNoAddress(t *testing.T) {
	t.Parallel()
	r := setup(t)
	r.start(t)
	o, uid := r.teller(t), uuid.NewString()
	o.confirms(uid, "ada@example.com")
	r.heard(t, 1)
	o.tell("billing", uid, order(uid, "S-10001"), 1)
	o.tell("billing", uid, &eventsv1.TrialStarted{Uid: uid}, 1) // a letter to ourselves, which stays
	r.heard(t, 3)
	r.went(t, "ada@example.com")
	r.went(t, company)
	require.NotZero(t, r.count(t, `SELECT count(*) FROM mails WHERE mails::text LIKE '%`+uid+`%'`))
	o.tell("identity", uid, &eventsv1.UserDeleted{Uid: uid, DeletionId: uuid.NewString()}, 1)
	r.heard(t, 4)
	require.Zero(t, r.count(t, `SELECT count(*) FROM mails WHERE mails::text LIKE '%`+uid+`%'`))
	require.Equal(t, 1, r.count(t, `SELECT count(*) FROM mails WHERE template = 'trial_started'`))
	last := r.send(t, &mailv1.SendMailRequest{
		IdempotencyKey: "deleted:1", To: "ada@example.com", GivenName: "Ada",
		Template: &mailv1.SendMailRequest_AccountDeleted{AccountDeleted: &mailv1.AccountDeleted{}},
	})
	require.Equal(t, "sent", r.ends(t, last).State)
	require.Zero(t, r.count(t, `SELECT count(*) FROM mails WHERE recipient = 'ada@example.com'`))
	require.Contains(t, r.went(t, "ada@example.com"), "Your account is deleted")
}

// A letter that is written while the account is forgotten is either written before, and goes with it, or not at all.
func TestALetterThatComesWhileAnAccountIsForgottenDoesNotOutliveIt(t *testing.T) {
	t.Parallel()
	r := setup(t)
	r.start(t)
	o := r.teller(t)
	const members = 30
	for range members {
		uid := uuid.NewString()
		r.remember(t, uid)
		o.tell("identity", uid, &eventsv1.UserDeleted{Uid: uid, DeletionId: uuid.NewString()}, 1)
		for range 4 {
			o.tell("billing", uid, &eventsv1.ReferralRewarded{Uid: uid, Credits: 5}, 1)
		}
	}
	r.heard(t, 5*members)
	require.Zero(t, r.count(t, `SELECT count(*) FROM mails WHERE uid <> ''`))
}
