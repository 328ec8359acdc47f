package mail

import (
	"fmt"
	"log/slog"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/metric/noop"
	"google.golang.org/protobuf/types/known/timestamppb"

	"serein.app/services/mail/internal/jobs"
	"serein.app/services/mail/internal/letters"
	store "serein.app/services/mail/internal/postgres"
	"serein.app/services/mail/internal/smtp/smtptest"
	platformjobs "serein.app/services/platform/jobs"
	"serein.app/services/platform/outbox"
	"serein.app/services/testkit"
)

// store queues letters as the service does, of which nothing sends any. River's tables must be there.
func (r *harness) store(t *testing.T) *store.Store {
	t.Helper()
	quiet := slog.New(slog.DiscardHandler)
	queue, err := platformjobs.New(r.Pool, jobs.New(&jobs.Worker{}, &jobs.Sweeper{}), map[string]int{jobs.Queue: 1}, nil, quiet, noop.NewMeterProvider())
	require.NoError(t, err)
	mails := store.New(r.Pool, outbox.New(r.Pool, nil, Name, quiet, time.Now), time.Now, uuid.NewV7)
	mails.SendBy(jobs.Enqueue(queue))
	return mails
}

func TestACodeLeavesNextThoughTheQueueIsFullAndWhatIsOwedAfterIt(t *testing.T) {
	t.Parallel()
	r := setup(t)
	r.start(t)() // River's tables are there; nothing is sent yet
	mails := r.store(t)
	take := func(l letters.Letter) {
		t.Helper()
		_, err := mails.Enqueue(t.Context(), l)
		require.NoError(t, err)
	}
	for i := range 500 {
		take(letters.Letter{
			Key: fmt.Sprint("contact:", i), To: mailbox, Template: letters.Contact, ExpiresAt: time.Now().Add(time.Hour),
			Data: letters.Data{Writer: &letters.Writer{Name: "Zoë", Email: "zoe@example.com", Message: "Again."}},
		})
		optional := reward(uuid.NewString(), i)
		optional.To = "grace@example.com"
		take(optional)
	}
	take(letters.Letter{
		Key: "failed", UID: uuid.NewString(), To: "alan@example.com", Template: letters.PaymentFailed, ExpiresAt: time.Now().Add(time.Hour),
		Data: letters.Data{Membership: &letters.Membership{Plan: "Core", Amount: 799, Currency: "gbp", At: time.Now(), Notice: 1}},
	})
	take(letters.Letter{
		Key: "code", UID: uuid.NewString(), To: "ada@example.com", Template: letters.ConfirmationCode, ExpiresAt: time.Now().Add(time.Hour),
		Data: letters.Data{Code: code, Username: "ada"},
	})
	const together = sending + 1 // the code has its own workers, and is the only one of its kind
	arrived, goOn := make(chan string, together), make(chan struct{})
	t.Cleanup(func() { close(goOn) })
	r.smtp.Silent = func(m smtptest.Message) bool { // nothing is taken, so that what comes is what is handed over first
		arrived <- m.To[0]
		<-goOn
		return false
	}
	r.start(t)
	var first []string
	for range together {
		first = append(first, <-arrived)
	}
	require.Contains(t, first, "ada@example.com", "it is among the first that are handed over together")
	require.Contains(t, first, "alan@example.com")
	require.NotContains(t, first, mailbox, "letters to ourselves wait for all others")
}

func TestACodeIsNotHeldByAServerThatIsSlowToTakeOthers(t *testing.T) {
	t.Parallel()
	r := setup(t)
	arrived, goOn := make(chan struct{}, sending), make(chan struct{})
	t.Cleanup(func() { close(goOn) })
	r.smtp.Silent = func(m smtptest.Message) bool {
		if m.To[0] == mailbox {
			arrived <- struct{}{}
			<-goOn
		}
		return false
	}
	r.start(t)
	for range sending {
		_, err := r.client(t, "gateway").SendContactMessage(t.Context(), contactMessage())
		require.NoError(t, err)
	}
	for range sending {
		<-arrived
	}
	req := confirmation("code")
	req.ExpiresAt = timestamppb.New(time.Now().Add(time.Hour))
	id := r.send(t, req)
	require.Eventually(t, func() bool { return r.row(t, id).State == "sent" }, testkit.Patience, 10*time.Millisecond, "while all other workers wait")
}

// While two releases run side by side, or after a step back to the one before, a letter may be of a kind that a worker does not know.
func TestALetterOfALaterReleaseWaitsForItAndIsNeverLost(t *testing.T) {
	t.Parallel()
	r := setup(t)
	r.start(t)()
	mails := r.store(t)
	id, err := mails.Enqueue(t.Context(), reward(uuid.NewString(), 1))
	require.NoError(t, err)
	set := func(sql string, args ...any) {
		t.Helper()
		_, err := r.Pool.Exec(t.Context(), sql, args...)
		require.NoError(t, err)
	}
	set(`UPDATE mails SET template = 'of_a_later_release'`)
	r.fewAttempts(t)
	set(`INSERT INTO suppressed (address, reason, suppressed_at) VALUES ($1, 'bounce', now())`, letters.AddressHash("ada@example.com"))
	r.start(t)
	require.Eventually(t, func() bool {
		return r.count(t, `SELECT coalesce(sum((metadata ->> 'snoozes')::int), 0) FROM river_job`) >= 4
	}, testkit.Patience, 10*time.Millisecond, "it is looked at again and again")
	require.Equal(t, row{State: "queued"}, r.row(t, id.String()), "this release does not know whom it must not go to either, and nothing was uncertain")
	set(`DELETE FROM suppressed`)
	set(`UPDATE mails SET template = 'reward'`) // the later one is there
	require.Equal(t, row{State: "sent", Erased: true}, r.ends(t, id.String()))
}

func TestALetterThatNoReleaseCameToKnowEndsWhenItIsOfNoUse(t *testing.T) {
	t.Parallel()
	r := setup(t)
	r.start(t)()
	l := reward(uuid.NewString(), 1)
	l.ExpiresAt = time.Now().Add(-time.Second)
	id, err := r.store(t).Enqueue(t.Context(), l)
	require.NoError(t, err)
	_, err = r.Pool.Exec(t.Context(), `UPDATE mails SET template = 'of_a_later_release'`)
	require.NoError(t, err)
	r.start(t)
	require.Equal(t, row{State: "failed", Reason: "expired", Erased: true}, r.ends(t, id.String()))
}
