package mail

import (
	"bytes"
	"cmp"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"

	eventsv1 "serein.app/proto/gen/serein/events/v1"
	mailv1 "serein.app/proto/gen/serein/mail/v1"
	"serein.app/proto/gen/serein/mail/v1/mailv1connect"
	mailrpc "serein.app/services/mail/internal/rpc"
	"serein.app/services/mail/internal/smtp/smtptest"
	"serein.app/services/platform/config"
	"serein.app/services/platform/postgres"
	"serein.app/services/platform/server"
	"serein.app/services/platform/service"
	"serein.app/services/platform/telemetry"
	"serein.app/services/testkit"
	"serein.app/services/testkit/natstest"
)

// harness is the whole service on its own database, broker and mail server.
type harness struct {
	testkit.DB
	broker *natstest.Server
	smtp   *smtptest.Server
	url    string
	log    *log
	// preview shows samples of all letters.
	preview bool
	// invitations of all members are sent in a day.
	invitations int
}

// log keeps what the service writes.
type log struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *log) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *log) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

func setup(t *testing.T) *harness {
	t.Helper()
	return &harness{DB: testkit.Postgres(t, Name, Migrate), broker: natstest.New(t), smtp: smtptest.New(t), log: &log{}}
}

// start runs the service until the test ends or the answer is called.
func (r *harness) start(t *testing.T) (stop func()) {
	t.Helper()
	tel, err := telemetry.SetupTo(t.Context(), Name, r.log)
	require.NoError(t, err)
	cfg := Config{
		Config: service.Config{
			Server:   server.Config{Addr: "127.0.0.1:0"},
			Database: postgres.Config{URL: config.URL(r.URL), MaxConns: 8},
			Auth:     testkit.Auth(t, Name), NATSURL: config.URL(r.broker.URL),
		},
		SMTPURL: config.URL(r.smtp.URL), From: "Serein <hello@serein.example>", ContactMailbox: mailbox, CompanyMailbox: company, PublicURL: "https://serein.example",
		UnsubscribeKey: unsubscribeKey, NoticeSecrets: []config.Secret{noticeSecret}, Preview: r.preview, InvitationsADay: cmp.Or(r.invitations, 1000),
		wait: func(int) time.Duration { return time.Millisecond },
	}
	s, err := service.Start(t.Context(), Name, cfg.Config, mailrpc.Policy(), tel)
	require.NoError(t, err)
	require.NoError(t, build(s, cfg))
	r.url, stop = testkit.Serve(t, s)
	return stop
}

func (r *harness) client(t *testing.T, as string) mailv1connect.MailServiceClient {
	t.Helper()
	c, url, options := testkit.Dialer(t, as).To(Name, r.url)
	return mailv1connect.NewMailServiceClient(c, url, options)
}

const (
	// mailbox is where people write to us, company where we hear of the shop.
	mailbox = "connect@serein.example"
	company = "shop@serein.example"

	unsubscribeKey = config.Secret("0123456789abcdef0123456789abcdef")
	noticeSecret   = config.Secret("fedcba9876543210fedcba9876543210")
)

func confirmation(key string) *mailv1.SendMailRequest {
	return &mailv1.SendMailRequest{
		IdempotencyKey: key, Uid: uuid.NewString(), To: "ada@example.com", GivenName: "Ada",
		ExpiresAt: timestamppb.New(time.Now().Add(15 * time.Minute)),
		Template:  &mailv1.SendMailRequest_ConfirmationCode{ConfirmationCode: &mailv1.ConfirmationCode{Code: code, Username: "ada"}},
	}
}

func (r *harness) send(t *testing.T, req *mailv1.SendMailRequest) string {
	t.Helper()
	res, err := r.client(t, "identity").SendMail(t.Context(), req)
	require.NoError(t, err)
	return res.GetMailId()
}

// row is a mail in the queue.
type row struct {
	State, Reason string
	Erased        bool
	Uncertain     int
}

func (r *harness) row(t *testing.T, id string) row {
	t.Helper()
	rows, err := r.Pool.Query(t.Context(), `SELECT state::text, reason, data IS NULL, uncertain FROM mails WHERE id = $1`, id)
	require.NoError(t, err)
	found, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByPos[row])
	require.NoError(t, err)
	return found
}

func (r *harness) ends(t *testing.T, id string) row {
	t.Helper()
	require.Eventually(t, func() bool { return r.row(t, id).State != "queued" }, testkit.Patience, 10*time.Millisecond)
	return r.row(t, id)
}

// events lists the outbox in order.
func (r *harness) events(t *testing.T) []proto.Message {
	t.Helper()
	rows, err := r.Pool.Query(t.Context(), `SELECT payload FROM outbox ORDER BY seq`)
	require.NoError(t, err)
	payloads, err := pgx.CollectRows(rows, pgx.RowTo[[]byte])
	require.NoError(t, err)
	var events []proto.Message
	for _, payload := range payloads {
		var envelope eventsv1.Envelope
		require.NoError(t, proto.Unmarshal(payload, &envelope))
		event, err := envelope.GetPayload().UnmarshalNew()
		require.NoError(t, err)
		events = append(events, event)
	}
	return events
}

func (r *harness) requireSent(t *testing.T, id, uid, template string) {
	t.Helper()
	require.Equal(t, row{State: "sent", Erased: true}, r.ends(t, id))
	events := r.events(t)
	require.Len(t, events, 1)
	require.True(t, proto.Equal(&eventsv1.MailSent{MailId: id, Uid: uid, Template: template}, events[0]), "%v", events[0])
}
