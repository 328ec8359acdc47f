package mail

import (
	"fmt"
	"sync"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	errorsv1 "serein.app/proto/gen/serein/errors/v1"
	"serein.app/services/mail/internal/letters"
	"serein.app/services/platform/errs"
)

func TestAFriendIsOnePersonUnderEverySpellingOfTheirMailbox(t *testing.T) {
	t.Parallel()
	r := setup(t)
	r.start(t)
	ada := uuid.NewString()
	r.remember(t, ada)
	_, err := r.Pool.Exec(t.Context(), `INSERT INTO invited (address, invited_at) VALUES ($1, now())`, letters.AddressHash("alan+a@example.com")) // by a release of before
	require.NoError(t, err)
	for _, email := range []string{
		"grace+1@example.com", "Grace+2@example.com", "grace@example.com", "g.race@gmail.com", "grace+x@googlemail.com", "gr.ace@example.com", "Alan+a@example.com",
	} {
		r.invite(t, ada, invitation(email))
	}
	require.Len(t, r.went(t, "grace+1@example.com"), 1)
	require.Len(t, r.went(t, "g.race@gmail.com"), 1, "it goes to the address as it was written")
	require.Len(t, r.went(t, "gr.ace@example.com"), 1, "dots make another person's address elsewhere")
	require.Len(t, r.smtp.Accepted(), 3)
}

func TestADomainIsOneInBothItsForms(t *testing.T) {
	t.Parallel()
	r := setup(t)
	r.start(t)
	ada := uuid.NewString()
	r.remember(t, ada)
	require.NoError(t, r.store(t).Decline(t.Context(), letters.Reader{Kind: letters.Invitations, Address: letters.AddressHash("alan@xn--exmple-cua.org")}))
	for _, email := range []string{"grace@exämple.org", "grace@xn--exmple-cua.org", "grace@EXÄMPLE.org", "grace+1@exämple。org", "alan@exämple.org"} {
		r.invite(t, ada, invitation(email))
	}
	require.Len(t, r.went(t, "grace@xn--exmple-cua.org"), 1)
	require.Len(t, r.smtp.Accepted(), 1)
	for _, email := range []string{"grace@example.com\u200b", "grace@exam\u00adple.com", "\u2060grace@example.com", "\uff47race@example.com"} {
		_, err := r.gateway(t).SendInvitation(as(t, ada), invitation(email))
		require.True(t, errs.Has(err, errorsv1.Reason_REASON_ADDRESS_INVALID), "%q", email)
	}
}

func TestAnotherFriendUnderTheSameKeyIsAnotherInvitation(t *testing.T) {
	t.Parallel()
	r := setup(t)
	r.start(t)
	ada := uuid.NewString()
	r.remember(t, ada)
	first, second := invitation("grace@example.com"), invitation("alan@example.com")
	second.IdempotencyKey = first.GetIdempotencyKey()
	for range 8 { // a request that is repeated asks once: sixteen would be more than a day's
		r.invite(t, ada, first)
		r.invite(t, ada, second)
	}
	require.Len(t, r.went(t, "grace@example.com"), 1)
	require.Len(t, r.went(t, "alan@example.com"), 1)
	require.Equal(t, 2, r.count(t, `SELECT count(*) FROM invitations`))
}

func TestNobodyInvitesThemselves(t *testing.T) {
	t.Parallel()
	r := setup(t)
	r.start(t)
	ada := uuid.NewString()
	r.remember(t, ada)
	for _, email := range []string{"ada@example.com", "ada+friend@example.com", "ADA@Example.com"} {
		_, err := r.gateway(t).SendInvitation(as(t, ada), invitation(email))
		require.ErrorContains(t, err, "That is your own address.")
		require.True(t, errs.Has(err, errorsv1.Reason_REASON_ADDRESS_INVALID))
	}
	r.invite(t, ada, invitation("grace@example.com"))
	require.Len(t, r.went(t, "grace@example.com"), 1)
	require.Len(t, r.smtp.Accepted(), 1)
}

// inviteAtOnce asks for so many invitations by each member, in two replicas at the same time, and gives how many were taken.
func (r *harness) inviteAtOnce(t *testing.T, each int, members ...string) (taken int) {
	t.Helper()
	replicas := make([]gateway, 2)
	for i := range replicas {
		r.start(t)
		replicas[i] = r.gateway(t)
	}
	var wg sync.WaitGroup
	var mu sync.Mutex
	for _, uid := range members {
		for i := range each {
			wg.Go(func() {
				_, err := replicas[i%2].SendInvitation(as(t, uid), invitation(fmt.Sprintf("friend%d@%s.example.com", i, uid)))
				mu.Lock()
				defer mu.Unlock()
				switch {
				case err == nil:
					taken++
				case !errs.Has(err, errorsv1.Reason_REASON_LETTERS_LIMIT):
					t.Errorf("invite: %v", err)
				}
			})
		}
	}
	wg.Wait()
	return taken
}

func TestInvitationsThatAMemberAsksForAtOnceAreTenInAllReplicasTogether(t *testing.T) {
	t.Parallel()
	r := setup(t)
	ada := uuid.NewString()
	r.remember(t, ada)
	require.Equal(t, 10, r.inviteAtOnce(t, 24, ada))
	require.Equal(t, 10, r.count(t, `SELECT count(*) FROM mails WHERE template = 'invitation'`))
}

func TestInvitationsOfAllMembersTogetherAreBounded(t *testing.T) {
	t.Parallel()
	r := setup(t)
	r.invitations = 7
	ada, eve, grace := uuid.NewString(), uuid.NewString(), uuid.NewString()
	for _, uid := range []string{ada, eve, grace} {
		r.remember(t, uid)
	}
	require.Equal(t, 7, r.inviteAtOnce(t, 5, ada, eve, grace))
	refused := func(email string) {
		t.Helper()
		_, err := r.gateway(t).SendInvitation(as(t, grace), invitation(email))
		requireReason(t, err, errorsv1.Reason_REASON_LETTERS_LIMIT)
	}
	_, err := r.Pool.Exec(t.Context(), `DELETE FROM invitations`) // their accounts are gone
	require.NoError(t, err)
	var known string
	require.NoError(t, r.Pool.QueryRow(t.Context(), `SELECT recipient FROM mails LIMIT 1`).Scan(&known))
	refused("one.more@example.com")
	refused(known) // who was invited before: nobody learns that
	require.Regexp(t, `serein_mail_limited[a-z_]*\{.*limit="invitations".*\} [0-9]`, r.metrics(t))

	_, err = r.Pool.Exec(t.Context(), `UPDATE invited SET invited_at = invited_at - interval '25 hours'`)
	require.NoError(t, err)
	r.invite(t, grace, invitation("one.more@example.com"))
}
