package jobs

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
	"github.com/stretchr/testify/require"

	mailv1 "serein.app/proto/gen/serein/mail/v1"
	"serein.app/services/identity/internal/account"
)

// people are members with what letters say of them; fail is what the database answers instead.
type people struct {
	account.Account
	change  account.AddressChange
	session SignedIn
	fail    error
}

func (p people) ByUID(_ context.Context, uid uuid.UUID) (account.Account, error) {
	if p.fail == nil && uid != p.UID {
		return account.Account{}, account.ErrUserNotFound
	}
	return p.Account, p.fail
}

func (p people) AddressChangeByID(_ context.Context, id uuid.UUID) (account.AddressChange, error) {
	if id != p.change.ID {
		return account.AddressChange{}, account.ErrNoChange
	}
	return p.change, nil
}

func (p people) SignedIn(context.Context, uuid.UUID) (SignedIn, error) {
	if p.session == (SignedIn{}) {
		return SignedIn{}, account.ErrUserNotFound
	}
	return p.session, nil
}

func amara() people {
	return people{Account: account.Account{UID: uuid.New(), Username: "amara", Email: "amara@example.org", GivenName: "Amara"}}
}

func TestALetterOfAChangeIsOneAndIsTriedAgain(t *testing.T) {
	t.Parallel()
	p, id, at := amara(), uuid.New(), time.Now()
	p.change = account.AddressChange{ID: id, Email: "new@example.org", FormerEmail: "former@example.org"}
	p.session = SignedIn{Device: "Mac, Safari", Place: "London"}
	work := func(p people, m *mailer, args AccountMail) error {
		w := &AccountMailWorker{Accounts: p, Mail: m}
		return w.Work(t.Context(), &river.Job[AccountMail]{JobRow: &rivertype.JobRow{CreatedAt: at}, Args: args})
	}
	for letter, of := range map[string]func(*mailv1.SendMailRequest) bool{
		PasswordChanged:  func(r *mailv1.SendMailRequest) bool { return r.GetPasswordChanged() != nil },
		AddressChanged:   func(r *mailv1.SendMailRequest) bool { return r.GetAddressChanged() != nil },
		NewDevice:        func(r *mailv1.SendMailRequest) bool { return r.GetNewDevice() != nil },
		PasskeyAdded:     func(r *mailv1.SendMailRequest) bool { return r.GetPasskeyAdded() != nil },
		PasskeyRemoved:   func(r *mailv1.SendMailRequest) bool { return r.GetPasskeyRemoved() != nil },
		SecondStepOn:     func(r *mailv1.SendMailRequest) bool { return r.GetSecondStepOn() != nil },
		SecondStepOff:    func(r *mailv1.SendMailRequest) bool { return r.GetSecondStepOff() != nil },
		RecoveryCodeUsed: func(r *mailv1.SendMailRequest) bool { return r.GetRecoveryCodeUsed() != nil },
	} {
		m, args := &mailer{fail: errors.New("mail is away")}, AccountMail{ID: id, UID: p.UID, Letter: letter}
		require.Error(t, work(p, m, args), letter)
		m.fail = nil
		require.NoError(t, work(p, m, args), letter)
		require.Len(t, m.sent, 2)
		for _, sent := range m.sent {
			require.True(t, of(sent), letter)
			require.Equal(t, id.String(), sent.GetIdempotencyKey())
			require.Equal(t, p.UID.String(), sent.GetUid())
			require.Equal(t, at.Add(account.NoticeLife).Unix(), sent.GetExpiresAt().GetSeconds(), "an old letter is no news")
		}
		want := "amara@example.org"
		if letter == AddressChanged {
			want = "former@example.org" // a thief of the account reads the new one
		}
		require.Equal(t, want, m.sent[0].GetTo(), letter)
	}

	m := &mailer{}
	require.NoError(t, work(p, m, AccountMail{ID: id, UID: uuid.New(), Letter: PasswordChanged}), "whose account has gone")
	require.NoError(t, work(p, m, AccountMail{ID: uuid.New(), UID: p.UID, Letter: AddressChanged}), "a change that never was")
	require.ErrorContains(t, work(p, m, AccountMail{ID: id, UID: p.UID, Letter: "later"}), `no letter "later"`, "another replica may know it")
	broken := p
	broken.fail = errors.New("the database is away")
	require.ErrorIs(t, work(broken, m, AccountMail{ID: id, UID: p.UID, Letter: PasswordChanged}), broken.fail)
	require.Empty(t, m.sent)
	ended := p
	ended.session = SignedIn{}
	require.NoError(t, work(ended, m, AccountMail{ID: id, UID: p.UID, Letter: NewDevice}))
	require.Equal(t, signedOut.Device, m.sent[0].GetNewDevice().GetDevice())
}

func TestTheReceiptOfAWishToLeaveIsOneAndIsTriedAgain(t *testing.T) {
	t.Parallel()
	p, at := amara(), time.Now().Add(account.DeletionDelay).Truncate(time.Second)
	work := func(p people, m *mailer, args river.JobArgs) error {
		leaving, ok := args.(LeavingMail)
		require.True(t, ok)
		w := &LeavingMailWorker{Accounts: p, Mail: m}
		return w.Work(t.Context(), &river.Job[LeavingMail]{Args: leaving})
	}
	m := &mailer{fail: errors.New("mail is away")}
	require.Error(t, work(p, m, ForLeaving(p.UID, at)))
	m.fail = nil
	require.NoError(t, work(p, m, ForLeaving(p.UID, at)))
	require.NoError(t, work(p, m, ForLeaving(p.UID, at.Add(time.Hour))), "a wish that was undone and came again")
	require.Len(t, m.sent, 3)
	require.Equal(t, m.sent[0].GetIdempotencyKey(), m.sent[1].GetIdempotencyKey())
	require.NotEqual(t, m.sent[0].GetIdempotencyKey(), m.sent[2].GetIdempotencyKey())
	require.Equal(t, "amara@example.org", m.sent[0].GetTo())
	require.True(t, m.sent[0].GetDeletionScheduled().GetDeletesAt().AsTime().Equal(at))
	require.True(t, m.sent[0].GetExpiresAt().AsTime().Equal(at), "after that there is nobody to tell")

	var cancelled *river.JobCancelError
	require.ErrorAs(t, work(p, m, ForLeaving(uuid.New(), at)), &cancelled, "whose account has gone")
	broken := p
	broken.fail = errors.New("the database is away")
	require.ErrorIs(t, work(broken, m, ForLeaving(p.UID, at)), broken.fail)
	require.Len(t, m.sent, 3)
}
