package mail

import (
	"context"
	"mime"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"connectrpc.com/connect"
	gosmtp "github.com/emersion/go-smtp"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/types/known/timestamppb"

	eventsv1 "serein.app/proto/gen/serein/events/v1"
	mailv1 "serein.app/proto/gen/serein/mail/v1"
	mailrpc "serein.app/services/mail/internal/rpc"
	"serein.app/services/mail/internal/smtp/smtptest"
	"serein.app/services/platform/auth"
	"serein.app/services/platform/errs"
	"serein.app/services/platform/rpc"
	"serein.app/services/testkit"
)

const code = "730451"

func TestAMailIsSentOnceHoweverOftenItIsAskedFor(t *testing.T) {
	t.Parallel()
	r := setup(t)
	r.start(t)
	req := confirmation("code 1")
	ids := make([]string, 8)
	var wg sync.WaitGroup
	for i := range ids {
		wg.Go(func() {
			res, err := r.client(t, "identity").SendMail(t.Context(), req)
			if err != nil {
				t.Errorf("send: %v", err)
			}
			ids[i] = res.GetMailId()
		})
	}
	wg.Wait()
	for _, id := range ids {
		require.Equal(t, ids[0], id)
	}
	r.requireSent(t, ids[0], req.GetUid(), "confirmation_code")
	require.Equal(t, ids[0], r.send(t, req), "also after it was sent")
	require.Len(t, r.smtp.Accepted(), 1)
	message := r.smtp.Accepted()[0]
	require.Equal(t, []string{"ada@example.com"}, message.To)
	require.Equal(t, "<"+ids[0]+"@serein.example>", message.Parse(t).Header.Get("Message-Id"))
	require.Contains(t, message.Raw, code)
	require.Contains(t, message.Raw, "/signup/confirm?username=3Dada", "quoted-printable")
}

func TestLettersFollowAMemberToTheirNewAddress(t *testing.T) {
	t.Parallel()
	r := setup(t)
	r.start(t)
	o, uid := r.teller(t), uuid.NewString()
	o.tell("identity", uid, &eventsv1.UserConfirmed{Uid: uid, Username: "ada", Email: "ada@example.com", GivenName: "Ada"}, 1)
	require.Eventually(t, func() bool { return len(r.smtp.Accepted()) == 1 }, testkit.Patience, 10*time.Millisecond)
	o.tell("identity", uid, &eventsv1.UserUpdated{Uid: uid, Fields: []string{"admin"}, Admin: true}, 1)
	o.tell("identity", uid, &eventsv1.UserUpdated{Uid: uid, Fields: []string{"email"}, Email: "ada@new.example"}, 2)
	require.Eventually(t, func() bool {
		var email string
		return r.Pool.QueryRow(t.Context(), `SELECT email FROM members WHERE uid = $1`, uid).Scan(&email) == nil && email == "ada@new.example"
	}, testkit.Patience, 10*time.Millisecond)
}

func TestAConfirmedMemberIsWelcomedOnceHoweverOftenTheEventComes(t *testing.T) {
	t.Parallel()
	r := setup(t)
	r.start(t)
	o, uid := r.teller(t), uuid.NewString()
	publish := func(uid, email string, times int) {
		o.tell("identity", uid, &eventsv1.UserConfirmed{Uid: uid, Username: "ada", Email: email, GivenName: "Ada"}, times)
	}
	publish(uid, "ada@example.com", 3) // one event, delivered three times
	publish(uid, "ada@example.com", 1) // told again by another event
	publish(uuid.NewString(), "grace@example.com", 1)
	require.Eventually(t, func() bool { return len(r.smtp.Accepted()) >= 2 && len(r.events(t)) >= 2 }, testkit.Patience, 10*time.Millisecond)
	var to []string
	for _, m := range r.smtp.Accepted() {
		to = append(to, m.To...)
		require.Contains(t, m.Raw, "Subject: Welcome to Serein")
	}
	require.ElementsMatch(t, []string{"ada@example.com", "grace@example.com"}, to)
	var seen int
	require.NoError(t, r.Pool.QueryRow(t.Context(), `SELECT count(*) FROM inbox`).Scan(&seen))
	require.Equal(t, 3, seen, "three events, of which one came three times")
}

func TestAServerThatIsNotReadyIsAskedAgain(t *testing.T) {
	t.Parallel()
	r := setup(t)
	var tries atomic.Int64
	r.smtp.Fail = func(smtptest.Message) error {
		if tries.Add(1) < 4 {
			return &gosmtp.SMTPError{Code: 451, Message: "later"}
		}
		return nil
	}
	r.start(t)
	req := confirmation("code")
	id := r.send(t, req)
	r.requireSent(t, id, req.GetUid(), "confirmation_code")
	require.EqualValues(t, 4, tries.Load())
	require.Len(t, r.smtp.Accepted(), 1)
}

// Mails wait for hours: some were queued by the release before, under the job's former name.
func TestAMailQueuedUnderTheJobsFormerNameIsStillSent(t *testing.T) {
	t.Parallel()
	r := setup(t)
	var renamed atomic.Bool
	r.smtp.Fail = func(smtptest.Message) error {
		if !renamed.Load() {
			return &gosmtp.SMTPError{Code: 451, Message: "later"}
		}
		return nil
	}
	r.start(t)
	req := confirmation("code")
	id := r.send(t, req)
	n, err := r.Pool.Exec(t.Context(), `UPDATE river_job SET kind = 'send_mail' WHERE kind = 'mail.delivery'`)
	require.NoError(t, err)
	require.EqualValues(t, 1, n.RowsAffected())
	renamed.Store(true)
	r.requireSent(t, id, req.GetUid(), "confirmation_code")
}

func TestARefusalForGoodEndsTheMail(t *testing.T) {
	t.Parallel()
	r := setup(t)
	var tries atomic.Int64
	r.smtp.Fail = func(smtptest.Message) error {
		tries.Add(1)
		return &gosmtp.SMTPError{Code: 550, Message: "no such person"}
	}
	r.start(t)
	id := r.send(t, confirmation("code"))
	require.Equal(t, row{State: "failed", Reason: "rejected", Erased: true}, r.ends(t, id))
	require.EqualValues(t, 1, tries.Load())
	r.requireFailed(t, "rejected")
}

// fewAttempts are two instead of all, which would last.
func (r *harness) fewAttempts(t *testing.T) {
	t.Helper()
	_, err := r.Pool.Exec(t.Context(), `UPDATE river_job SET max_attempts = 2 WHERE kind = 'mail.delivery'`)
	require.NoError(t, err)
}

// A night without a server, or with a password that it does not take, loses no letter (M2).
func TestAMailWaitsForAServerForAsLongAsItIsOfUse(t *testing.T) {
	t.Parallel()
	r := setup(t)
	var takes atomic.Bool
	r.smtp.Fail = func(smtptest.Message) error {
		if takes.Load() {
			return nil
		}
		return &gosmtp.SMTPError{Code: 450, Message: "not tonight"}
	}
	r.start(t)
	useful, useless := confirmation("useful"), confirmation("useless")
	id, other := r.send(t, useful), r.send(t, useless)
	r.fewAttempts(t)
	require.Eventually(t, func() bool {
		return r.count(t, `SELECT count(*) FROM river_job WHERE (metadata ->> 'snoozes')::int >= 3`) == 2
	}, testkit.Patience, 10*time.Millisecond, "they are tried again and again")
	require.Equal(t, "queued", r.row(t, id).State)
	_, err := r.Pool.Exec(t.Context(), `UPDATE mails SET expires_at = now() WHERE id = $1`, other)
	require.NoError(t, err)
	require.Equal(t, row{State: "failed", Reason: "expired", Erased: true}, r.ends(t, other))
	takes.Store(true)
	require.Equal(t, row{State: "sent", Erased: true}, r.ends(t, id))
}

func TestAMailThatIsOfNoUseAnyMoreIsNotSent(t *testing.T) {
	t.Parallel()
	r := setup(t)
	r.start(t)
	req := confirmation("code")
	req.ExpiresAt = timestamppb.New(time.Now().Add(-time.Second))
	id := r.send(t, req)
	require.Equal(t, row{State: "failed", Reason: "expired", Erased: true}, r.ends(t, id))
	require.Empty(t, r.smtp.Accepted())
	r.requireFailed(t, "expired")
}

func (r *harness) requireFailed(t *testing.T, reason string) {
	t.Helper()
	events := r.events(t)
	require.Len(t, events, 1)
	failed, ok := events[0].(*eventsv1.MailFailed)
	require.True(t, ok)
	require.Equal(t, reason, failed.GetReason())
}

// The last attempt may die before it writes anything down, and the queue gives its job up.
func TestAMailWhoseJobIsGoneEndsAndIsErasedWhenItIsOfNoUse(t *testing.T) {
	t.Parallel()
	r := setup(t)
	insert := func(expires, sending string) (id string) {
		t.Helper()
		require.NoError(t, r.Pool.QueryRow(t.Context(), `INSERT INTO mails (id, idempotency_key, uid, recipient, template, data, created_at, expires_at, sending_since)
			VALUES (gen_random_uuid(), gen_random_uuid(), 'u', 'ada@example.com', 'confirmation_code', '{}', now() - interval '1 day',
			now() + $1::interval, now() - $2::interval) RETURNING id`, expires, sending).Scan(&id))
		return id
	}
	gone, dead, useful, sending := insert("-1 hour", "1 year"), insert("-1 hour", "10 minutes"), insert("1 hour", "1 year"), insert("-1 second", "10 seconds")
	r.start(t)
	for _, id := range []string{gone, dead} {
		require.Equal(t, row{State: "failed", Reason: "expired", Erased: true}, r.ends(t, id))
	}
	require.Equal(t, "queued", r.row(t, useful).State)
	require.Equal(t, "queued", r.row(t, sending).State, "its attempt may be under way")
	require.Len(t, r.events(t), 2)
}

// A server that falls silent after it had the message may have accepted it.
func TestASilentServerMayGetTheSameMailTwice(t *testing.T) {
	t.Parallel()
	r := setup(t)
	var messages atomic.Int64
	r.smtp.Silent = func(smtptest.Message) bool { return messages.Add(1) == 1 }
	r.start(t)
	r.requireSentTwice(t, r.send(t, confirmation("code")))
}

func TestAMailThatMayHaveArrivedOftenEnoughIsGivenUp(t *testing.T) {
	t.Parallel()
	r := setup(t)
	var messages atomic.Int64
	r.smtp.Silent = func(smtptest.Message) bool { messages.Add(1); return true }
	r.start(t)
	id := r.send(t, confirmation("code"))
	r.fewAttempts(t)
	require.Equal(t, row{State: "failed", Reason: "exhausted", Erased: true, Uncertain: 1}, r.ends(t, id))
	require.EqualValues(t, 2, messages.Load())
	r.requireFailed(t, "exhausted")
}

// The database is lost to the service between the server's acceptance and the mark, as if
// the process had died there.
func TestAMailThatWasSentButNotMarkedIsSentAgainWithTheSameMessageID(t *testing.T) {
	t.Parallel()
	r := setup(t)
	owner, err := pgx.Connect(t.Context(), r.OwnerURL)
	require.NoError(t, err)
	t.Cleanup(func() { _ = owner.Close(context.Background()) })
	var messages atomic.Int64
	r.smtp.Silent = func(smtptest.Message) bool {
		if messages.Add(1) == 1 {
			if _, err := owner.Exec(context.Background(), `REVOKE UPDATE ON mails FROM mail`); err != nil {
				t.Errorf("revoke: %v", err)
			}
		}
		return false
	}
	r.start(t)
	id := r.send(t, confirmation("code"))
	require.Eventually(t, func() bool {
		var failures int
		err := r.Pool.QueryRow(t.Context(), `SELECT coalesce(sum(cardinality(errors)), 0) FROM river_job WHERE kind = 'mail.delivery'`).Scan(&failures)
		return err == nil && failures > 0
	}, testkit.Patience, 10*time.Millisecond, "the mark must fail")
	_, err = owner.Exec(t.Context(), `GRANT UPDATE ON mails TO mail`)
	require.NoError(t, err)
	r.requireSentTwice(t, id)
}

func (r *harness) requireSentTwice(t *testing.T, id string) {
	t.Helper()
	require.Equal(t, row{State: "sent", Erased: true, Uncertain: 1}, r.ends(t, id), "the uncertain attempt is counted")
	accepted := r.smtp.Accepted()
	require.Len(t, accepted, 2)
	for _, m := range accepted {
		require.Equal(t, "<"+id+"@serein.example>", m.Parse(t).Header.Get("Message-Id"))
	}
	require.Len(t, r.events(t), 1, "and reported by one event")
}

func TestCodesLeaveNoTrace(t *testing.T) {
	t.Parallel()
	r := setup(t)
	var tries atomic.Int64
	r.smtp.Fail = func(smtptest.Message) error {
		if tries.Add(1) == 1 {
			return &gosmtp.SMTPError{Code: 451, Message: "later"}
		}
		return nil
	}
	stop := r.start(t)
	id := r.send(t, confirmation("code"))
	r.ends(t, id)
	stop()
	require.NotContains(t, r.log.String(), code)
	for _, table := range []string{"mails", "outbox", "inbox", "river_job"} {
		var found int
		require.NoError(t, r.Pool.QueryRow(t.Context(), `SELECT count(*) FROM `+table+` AS x WHERE position($1 IN x::text) > 0`, code).Scan(&found))
		require.Zero(t, found, table)
	}
}

func TestAQueuedMailSurvivesARestart(t *testing.T) {
	t.Parallel()
	r := setup(t)
	var down atomic.Bool
	down.Store(true)
	r.smtp.Fail = func(smtptest.Message) error {
		if down.Load() {
			return &gosmtp.SMTPError{Code: 421, Message: "resting"}
		}
		return nil
	}
	stop := r.start(t)
	req := confirmation("code")
	id := r.send(t, req)
	stop()
	down.Store(false)
	r.start(t)
	r.requireSent(t, id, req.GetUid(), "confirmation_code")
}

func TestBadRequestsAreRefusedAndQueueNothing(t *testing.T) {
	t.Parallel()
	r := setup(t)
	r.start(t)
	for what, change := range map[string]func(*mailv1.SendMailRequest){
		"no key":               func(m *mailv1.SendMailRequest) { m.IdempotencyKey = "" },
		"no address":           func(m *mailv1.SendMailRequest) { m.To = "" },
		"two addresses":        func(m *mailv1.SendMailRequest) { m.To = "a@example.com,b@example.com" },
		"a header in address":  func(m *mailv1.SendMailRequest) { m.To = "a@example.com\r\nBcc: b@example.com" },
		"a header in name":     func(m *mailv1.SendMailRequest) { m.GivenName = "Ada\r\nBcc: b@example.com" },
		"a name too long":      func(m *mailv1.SendMailRequest) { m.GivenName = strings.Repeat("a", 257) },
		"no template":          func(m *mailv1.SendMailRequest) { m.Template = nil },
		"a code that is words": func(m *mailv1.SendMailRequest) { m.GetConfirmationCode().Code = "<b>hi</b>" },
		"a time that is none":  func(m *mailv1.SendMailRequest) { m.ExpiresAt = &timestamppb.Timestamp{Nanos: -1} },
	} {
		req := confirmation("key")
		change(req)
		_, err := r.client(t, "identity").SendMail(t.Context(), req)
		require.Error(t, err, what)
		require.Equal(t, errs.Invalid, errs.KindOf(err), what)
	}
	var n int
	require.NoError(t, r.Pool.QueryRow(t.Context(), `SELECT count(*) FROM mails`).Scan(&n))
	require.Zero(t, n)
}

func TestOnlyIdentityMayAskForMailsAndOnlyTheGatewayMayWriteToUs(t *testing.T) {
	t.Parallel()
	r := setup(t)
	r.start(t)
	services := mailv1.File_serein_mail_v1_mail_proto.Services()
	methods := 0
	for i := range services.Len() {
		methods += services.Get(i).Methods().Len()
		require.Empty(t, rpc.Missing(mailrpc.Policy(), services.Get(i)))
	}
	require.Equal(t, 9, methods, "a new method needs its row here or in letters_test.go")
	require.Empty(t, testkit.Delegated(mailrpc.Policy()), "nobody mails in a member's stead")
	for _, as := range testkit.Services() {
		_, mail := r.client(t, as).SendMail(t.Context(), confirmation("by "+as))
		_, contact := r.client(t, as).SendContactMessage(t.Context(), contactMessage())
		for only, err := range map[string]error{"identity": mail, "gateway": contact} {
			if as == only {
				require.NoError(t, err)
				continue
			}
			require.ErrorIs(t, err, auth.ErrForbidden, as)
		}
	}
	for procedure := range mailrpc.Policy() {
		res, err := http.Post(r.url+procedure, "application/json", strings.NewReader("{}"))
		require.NoError(t, err)
		require.NoError(t, res.Body.Close())
		require.Equal(t, http.StatusUnauthorized, res.StatusCode, "nobody")
	}
}

func contactMessage() *mailv1.SendContactMessageRequest {
	return &mailv1.SendContactMessageRequest{
		IdempotencyKey: uuid.NewString(), Name: " Zoë Lovelace ", Email: "zoe@example.com", Phone: "+44 20 7946 0000",
		Message: "\nMay I keep the same words?\r\nFor the train.\x00\n",
	}
}

func TestWhatSomebodyWritesReachesOurMailboxOnceHoweverOftenItIsSent(t *testing.T) {
	t.Parallel()
	r := setup(t)
	stop := r.start(t)
	req := contactMessage()
	ids := make([]string, 8)
	var wg sync.WaitGroup
	for i := range ids {
		wg.Go(func() {
			res, err := r.client(t, "gateway").SendContactMessage(t.Context(), req)
			if err != nil {
				t.Errorf("send: %v", err)
			}
			ids[i] = res.GetMailId()
		})
	}
	wg.Wait()
	for _, id := range ids {
		require.Equal(t, ids[0], id)
	}
	r.requireSent(t, ids[0], "", "contact")
	res, err := r.client(t, "gateway").SendContactMessage(t.Context(), req)
	require.NoError(t, err)
	require.Equal(t, ids[0], res.GetMailId(), "also after it was sent")
	require.Len(t, r.smtp.Accepted(), 1)
	message := r.smtp.Accepted()[0]
	require.Equal(t, []string{mailbox}, message.To)
	header := message.Parse(t).Header
	subject, err := new(mime.WordDecoder).DecodeHeader(header.Get("Subject"))
	require.NoError(t, err)
	require.Equal(t, "New message from Zoë Lovelace: zoe@example.com via the contact form", subject)
	replyTo, err := header.AddressList("Reply-To")
	require.NoError(t, err)
	require.Equal(t, "zoe@example.com", replyTo[0].Address)
	require.Contains(t, message.Raw, "May I keep the same words?\r\nFor the train.\r\n")
	stop()
	require.NotContains(t, r.log.String(), "the train")
	require.NotContains(t, r.log.String(), "zoe@example.com")
}

func TestOtherWordsUnderTheSameKeyAreAnotherLetter(t *testing.T) {
	t.Parallel()
	r := setup(t)
	r.start(t)
	first, second := contactMessage(), contactMessage()
	second.IdempotencyKey, second.Message = first.GetIdempotencyKey(), "I have found it since. Thank you!"
	second.Name = "\u200fZoë Lovelace\u200f"
	ids := map[string]bool{}
	for _, req := range []*mailv1.SendContactMessageRequest{first, second, first, second} {
		res, err := r.client(t, "gateway").SendContactMessage(t.Context(), req)
		require.NoError(t, err)
		ids[res.GetMailId()] = true
	}
	require.Len(t, ids, 2, "no letter is lost, and none comes twice")
}

func TestAMessageThatNobodyCouldAnswerIsRefusedAndQueuesNothing(t *testing.T) {
	t.Parallel()
	r := setup(t)
	r.start(t)
	for what, change := range map[string]func(*mailv1.SendContactMessageRequest){
		"no key":               func(m *mailv1.SendContactMessageRequest) { m.IdempotencyKey = "" },
		"no name":              func(m *mailv1.SendContactMessageRequest) { m.Name = "" },
		"a header in the name": func(m *mailv1.SendContactMessageRequest) { m.Name = "Ada\r\nBcc: b@example.com" },
		"a name too long":      func(m *mailv1.SendContactMessageRequest) { m.Name = strings.Repeat("a", 101) },
		"two addresses":        func(m *mailv1.SendContactMessageRequest) { m.Email = "a@example.com,b@example.com" },
		"a header in address":  func(m *mailv1.SendContactMessageRequest) { m.Email = "a@example.com\r\nBcc: b@example.com" },
		"a header in phone":    func(m *mailv1.SendContactMessageRequest) { m.Phone = "1\nBcc: b@example.com" },
		"no message":           func(m *mailv1.SendContactMessageRequest) { m.Message = "" },
		"a message too long":   func(m *mailv1.SendContactMessageRequest) { m.Message = strings.Repeat("a", 5001) },
	} {
		req := contactMessage()
		change(req)
		_, err := r.client(t, "gateway").SendContactMessage(t.Context(), req)
		require.Error(t, err, what)
		require.Equal(t, errs.Invalid, errs.KindOf(err), what)
	}
	var n int
	require.NoError(t, r.Pool.QueryRow(t.Context(), `SELECT count(*) FROM mails`).Scan(&n))
	require.Zero(t, n)
}

func TestTheInternalListenerAnswersOperatorsAndEveryProcedure(t *testing.T) {
	t.Parallel()
	r := setup(t)
	r.start(t)
	testkit.RequireInternal(t, r.url, mailrpc.Policy())
}

func TestThreeHundredLettersToUsAreTakenInAnHour(t *testing.T) {
	t.Parallel()
	r := setup(t)
	r.start(t)
	_, err := r.Pool.Exec(t.Context(), `INSERT INTO mails (id, idempotency_key, uid, recipient, template, state, created_at, expires_at, ended_at)
		SELECT md5(n::text)::uuid, 'contact:' || n, '', 'us@example.org', 'contact', 'sent', now() - interval '50 minutes', now(), now() FROM generate_series(1, 299) n`)
	require.NoError(t, err)
	req := contactMessage()
	taken, err := r.client(t, "gateway").SendContactMessage(t.Context(), req)
	require.NoError(t, err)
	other := contactMessage()
	other.IdempotencyKey = uuid.NewString()
	_, err = r.client(t, "gateway").SendContactMessage(t.Context(), other)
	require.Equal(t, connect.CodeResourceExhausted, connect.CodeOf(err))
	require.ErrorContains(t, err, mailbox)
	var refusal *errs.Error
	require.ErrorAs(t, err, &refusal)
	require.InDelta(t, 10*time.Minute, refusal.RetryAfter, float64(time.Minute))
	again, err := r.client(t, "gateway").SendContactMessage(t.Context(), req)
	require.NoError(t, err)
	require.Equal(t, taken.GetMailId(), again.GetMailId(), "one that was taken is not refused")

	_, err = r.Pool.Exec(t.Context(), `UPDATE mails SET created_at = created_at - interval '11 minutes'`)
	require.NoError(t, err)
	_, err = r.client(t, "gateway").SendContactMessage(t.Context(), other)
	require.NoError(t, err)
	require.NotEqual(t, req.GetIdempotencyKey(), other.GetIdempotencyKey())
	r.send(t, confirmation("code")) // codes are not counted
}
