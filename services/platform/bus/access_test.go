package bus_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nkeys"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"

	eventsv1 "serein.app/proto/gen/serein/events/v1"
	"serein.app/services/platform/bus"
	"serein.app/services/platform/config"
	"serein.app/services/testkit"
	"serein.app/services/testkit/natstest"
)

// guarded is a broker that knows identity, mail (which may read registrations), billing, and reports, which is no service and may read
// registrations too.
type guarded struct {
	*harness
	seeds map[string]config.Secret
}

func newGuarded(t *testing.T) *guarded {
	t.Helper()
	g := &guarded{harness: &harness{t: t, ack: time.Minute}, seeds: map[string]config.Secret{}}
	members := []bus.Member{
		{Service: service},
		{Service: "mail", Consumes: []proto.Message{&eventsv1.UserRegistered{}}},
		{Service: "billing", Consumes: []proto.Message{&eventsv1.UserConfirmed{}}},
		{Service: "gateway", Follows: []string{service}},
		{Service: "reports", Reader: true, Consumes: []proto.Message{&eventsv1.UserRegistered{}}},
	}
	for i, m := range members {
		pair, err := nkeys.CreateUser()
		require.NoError(t, err)
		seed, err := pair.Seed()
		require.NoError(t, err)
		g.seeds[m.Service] = config.Secret(seed)
		members[i].Key, err = pair.PublicKey()
		require.NoError(t, err)
	}
	access, err := bus.AccessConfig(members)
	require.NoError(t, err)
	g.broker = natstest.Guarded(t, access)
	g.bus = g.member(service)
	_, err = g.bus.EnsureStream(t.Context(), service)
	require.NoError(t, err)
	return g
}

func (g *guarded) member(name string) *bus.Bus {
	g.t.Helper()
	b, err := bus.Connect(g.broker.URL, name, testkit.Logger(g.t), bus.With(bus.Config{NKey: g.seeds[name]}))
	require.NoError(g.t, err)
	g.t.Cleanup(b.Close)
	b.Hurry(200*time.Millisecond, time.Minute)
	return b
}

// raw is a member's connection without our own manners.
func (g *guarded) raw(name string) *nats.Conn {
	g.t.Helper()
	pair, err := nkeys.FromSeed([]byte(g.seeds[name].Reveal()))
	require.NoError(g.t, err)
	public, err := pair.PublicKey()
	require.NoError(g.t, err)
	conn, err := nats.Connect(g.broker.URL, nats.Nkey(public, pair.Sign), nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {}))
	require.NoError(g.t, err)
	g.t.Cleanup(conn.Close)
	return conn
}

// refused says that nobody does what is asked.
func (g *guarded) refused(conn *nats.Conn, subject string, body any) {
	g.t.Helper()
	data, err := json.Marshal(body)
	require.NoError(g.t, err)
	if body == nil {
		data = nil
	}
	if answer, passed := g.answer(conn, subject, data); passed {
		require.Contains(g.t, answer, `"error"`, subject)
	}
}

// answer is that of a question, unless the broker refuses to pass it on, or knows nobody who answers.
func (g *guarded) answer(conn *nats.Conn, subject string, data []byte) (answer string, passed bool) {
	g.t.Helper()
	answers, err := conn.SubscribeSync(conn.NewRespInbox())
	require.NoError(g.t, err)
	defer func() { _ = answers.Unsubscribe() }()
	require.NoError(g.t, conn.PublishRequest(subject, answers.Subject, data))
	for ended := time.Now().Add(patience); ; {
		answer, err := answers.NextMsg(10 * time.Millisecond)
		if err == nil && answer.Header.Get("Status") == "503" {
			return "", false
		}
		if err == nil {
			return string(answer.Data), true
		}
		if last := conn.LastError(); last != nil && strings.Contains(last.Error(), strconv.Quote(subject)) {
			return "", false
		}
		require.True(g.t, time.Now().Before(ended), "%s is neither refused nor answered", subject)
	}
}

// state of identity's stream.
func (g *guarded) state() jetstream.StreamState {
	g.t.Helper()
	js, err := jetstream.New(g.raw(service))
	require.NoError(g.t, err)
	stream, err := js.Stream(g.t.Context(), bus.StreamName(service))
	require.NoError(g.t, err)
	return stream.CachedInfo().State
}

func (g *guarded) readBy(name string, kind proto.Message, handle func(uid string) error) *deliveries {
	g.t.Helper()
	got := &deliveries{}
	named, at, err := bus.ConsumerOf(name, kind)
	require.NoError(g.t, err)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	reader := g.member(name)
	go func() {
		defer close(ended)
		_ = reader.Consume(ctx, bus.Consumer{Name: named, Subject: at, Handle: func(_ context.Context, e *eventsv1.Envelope) error {
			got.add(e.GetUid())
			return handle(e.GetUid())
		}})
	}()
	g.t.Cleanup(func() { cancel(); <-ended })
	return got
}

func TestNobodyIsLetInWithoutAKeyThatTheBrokerKnows(t *testing.T) {
	t.Parallel()
	g := newGuarded(t)
	pair, err := nkeys.CreateUser()
	require.NoError(t, err)
	public, err := pair.PublicKey()
	require.NoError(t, err)
	for name, options := range map[string][]nats.Option{
		"nothing": nil, "a password": {nats.UserInfo("identity", "identity")}, "another key": {nats.Nkey(public, pair.Sign)},
	} {
		_, err := nats.Connect(g.broker.URL, options...)
		require.ErrorIs(t, err, nats.ErrAuthorization, name)
	}
}

func TestEventsReachThoseThatMayReadThemAndTheirDeadLettersAreTheirs(t *testing.T) {
	t.Parallel()
	g := newGuarded(t)
	got := g.readBy("mail", &eventsv1.UserRegistered{}, func(uid string) error {
		if uid == "poison" {
			return errors.New("it cannot be applied")
		}
		return nil
	})
	g.publish("one", "poison", "two")
	g.eventually(func() bool { return got.of("two") == 1 })
	require.Equal(t, 1, got.of("one"))
	js, err := jetstream.New(g.raw("mail"))
	require.NoError(t, err)
	letters, err := js.Stream(t.Context(), bus.DeadStream("mail"))
	require.NoError(t, err)
	require.EqualValues(t, 1, letters.CachedInfo().State.Msgs)
}

func TestAnEventIsBelievedOnlyFromTheServiceThatPublishesItsKind(t *testing.T) {
	t.Parallel()
	g := newGuarded(t)
	got := g.readBy("mail", &eventsv1.UserRegistered{}, func(string) error { return nil })
	g.publish("one")
	g.eventually(func() bool { return got.of("one") == 1 })
	billing := g.raw("billing")
	g.refused(billing, subject, nil)
	// Its own stream is its own to configure, but reaches nobody else's.
	own := jetstream.StreamConfig{
		Name: bus.StreamName("billing"), Subjects: []string{"serein.billing.>"},
		RePublish: &jetstream.RePublish{Source: "serein.billing.credits.granted.v1", Destination: subject},
	}
	js, err := jetstream.New(billing)
	require.NoError(t, err)
	_, err = js.CreateStream(t.Context(), own)
	require.NoError(t, err)
	_, err = js.Publish(t.Context(), "serein.billing.credits.granted.v1", envelope(t, "forged"))
	require.NoError(t, err)
	g.publish("two")
	g.eventually(func() bool { return got.of("two") == 1 })
	require.Equal(t, []string{"one", "two"}, got.list())
	require.EqualValues(t, 2, g.state().Msgs)
}

func TestAFollowerHearsTheServicesItFollowsAndNoOthers(t *testing.T) {
	t.Parallel()
	g := newGuarded(t)
	got := &deliveries{}
	whole := make(chan bool, 100)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	gateway := g.member("gateway")
	go func() {
		defer close(ended)
		_ = gateway.Follow(ctx, bus.Follower{
			Service: service, Handle: func(e *eventsv1.Envelope) { got.add(e.GetUid()) },
			Upto: func(_ time.Time, all bool) { whole <- all },
		})
	}()
	t.Cleanup(func() { cancel(); <-ended })
	mark := bus.Watermark{Run: "run"}
	g.eventually(func() bool { // until it listens
		uid := fmt.Sprint(mark.Sum)
		g.publish(uid)
		mark.Sum.Add("event of " + uid)
		mark.Time = time.Now()
		require.NoError(t, g.bus.Tell(service, mark))
		for {
			select {
			case all := <-whole:
				if all {
					return true
				}
			default:
				return false
			}
		}
	})
	require.NotEmpty(t, got.list())
	for _, stranger := range []string{"billing", "mail"} {
		sub, err := g.raw(stranger).SubscribeSync("serein.identity.>")
		require.NoError(t, err)
		g.publish("unheard by " + stranger)
		_, err = sub.NextMsg(50 * time.Millisecond)
		require.Error(t, err)
	}
	// Nor does another's word of how far identity has come, or of its events, reach the follower.
	require.NoError(t, g.raw("billing").Publish("serein_watermark.identity", nil))
	require.NoError(t, g.raw("billing").Publish(subject, envelope(t, "forged")))
	g.publish("last")
	g.eventually(func() bool { return got.of("last") == 1 })
	require.Zero(t, got.of("forged"))
}

func TestAServiceChangesNothingOfAnothersStream(t *testing.T) {
	t.Parallel()
	g := newGuarded(t)
	g.publish("one")
	for _, thief := range []string{"mail", "billing"} {
		conn := g.raw(thief)
		for _, api := range []string{"$JS.API.", "serein_api.identity."} {
			for _, call := range []string{"STREAM.DELETE.", "STREAM.PURGE.", "STREAM.UPDATE.", "STREAM.MSG.DELETE.", "STREAM.SNAPSHOT."} {
				g.refused(conn, api+call+bus.StreamName(service), nil)
			}
		}
	}
	for n := range 20 {
		g.publish(fmt.Sprint(n))
	}
	require.EqualValues(t, 21, g.state().Msgs)
	require.EqualValues(t, 1, g.state().FirstSeq)
}

func TestAServiceReadsOnlyTheEventsThatItsListNames(t *testing.T) {
	t.Parallel()
	g := newGuarded(t)
	got := g.readBy("mail", &eventsv1.UserRegistered{}, func(string) error { return nil })
	g.publish("one")
	g.eventually(func() bool { return got.of("one") == 1 })
	thief := g.raw("billing")
	stream, mails := bus.StreamName(service), bus.StreamName(service)+".mail-user-registered"
	for _, api := range []string{"$JS.API.", "serein_api.identity."} {
		for _, call := range []string{
			"CONSUMER.MSG.NEXT." + mails, "CONSUMER.INFO." + mails, "CONSUMER.DELETE." + mails, "CONSUMER.CREATE." + mails + "." + subject,
			"STREAM.MSG.GET." + stream, "DIRECT.GET." + stream, "CONSUMER.CREATE." + stream, "CONSUMER.LIST." + stream,
		} {
			g.refused(thief, api+call, map[string]any{"seq": 1, "batch": 1})
		}
	}
	// Not even by its own consumer's name, nor by a copy of the stream.
	own := stream + ".billing-user-confirmed."
	g.refused(thief, "serein_api.identity.CONSUMER.CREATE."+own+subject, map[string]any{"stream_name": stream, "config": map[string]any{
		"name": "billing-user-confirmed", "filter_subject": subject, "ack_policy": "explicit",
	}})
	g.refused(thief, "serein_api.identity.CONSUMER.CREATE."+own+"serein.identity.user.confirmed.v1", map[string]any{"stream_name": stream, "config": map[string]any{
		"name": "billing-user-confirmed", "filter_subject": subject, "ack_policy": "explicit",
	}})
	js, err := jetstream.New(thief)
	require.NoError(t, err)
	copied, err := js.CreateStream(t.Context(), jetstream.StreamConfig{
		Name: bus.StreamName("billing"), Subjects: []string{"serein.billing.>"}, Sources: []*jetstream.StreamSource{{Name: stream}},
	})
	if err == nil {
		_, err = js.Publish(t.Context(), "serein.billing.credits.granted.v1", nil)
		require.NoError(t, err)
		info, err := copied.Info(t.Context())
		require.NoError(t, err)
		require.EqualValues(t, 1, info.State.Msgs, "only its own")
	}
}

func TestAKeyThatIsNoneIsRefusedAndNeverPrinted(t *testing.T) {
	t.Parallel()
	account, err := nkeys.CreateAccount()
	require.NoError(t, err)
	seed, err := account.Seed()
	require.NoError(t, err)
	var out bytes.Buffer
	for _, key := range []string{"hunter2", string(seed)} {
		cfg := bus.Config{NKey: config.Secret(key)}
		_, err := bus.Connect("nats://127.0.0.1:1", "mail", slog.New(slog.NewTextHandler(&out, nil)), bus.With(cfg))
		require.ErrorContains(t, err, "NATS_NKEY")
		require.NotContains(t, err.Error(), key)
		require.ErrorContains(t, cfg.Validate(), "NATS_NKEY")
		slog.New(slog.NewTextHandler(&out, nil)).Info("configured", "bus", cfg)
		require.NotContains(t, out.String(), key)
	}
}

func TestTheListOfMembersIsWhole(t *testing.T) {
	t.Parallel()
	registered := []proto.Message{&eventsv1.UserRegistered{}}
	for fault, members := range map[string][]bus.Member{
		"no other service of the list publishes it":     {{Service: "mail", Consumes: registered}},
		"identity cannot consume":                       {{Service: service, Consumes: registered}},
		"Envelope is not an event":                      {{Service: service}, {Service: "mail", Consumes: []proto.Message{&eventsv1.Envelope{}}}},
		"gateway cannot follow":                         {{Service: "gateway", Follows: []string{service}}},
		"identity cannot follow":                        {{Service: service, Follows: []string{service}}},
		"mail cannot consume":                           {{Service: "billing"}, {Service: service, Reader: true, Consumes: []proto.Message{&eventsv1.CreditsSpent{}}}, {Service: "mail", Consumes: registered}},
		"reports reads events by consumers alone":       {{Service: service}, {Service: "reports", Reader: true}},
		"auditor reads events by consumers alone":       {{Service: service}, {Service: "auditor", Reader: true, Consumes: registered, Follows: []string{service}}},
		"identity stands twice":                         {{Service: service}, {Service: service, Reader: true, Consumes: registered}},
		`"mail-user" is not small letters and digits`:   {{Service: service}, {Service: "mail-user", Reader: true, Consumes: registered}},
		`"a { } b" is not small letters and digits`:     {{Service: service}, {Service: "a { } b", Reader: true, Consumes: registered}},
		`"" is not small letters and digits`:            {{Service: service}, {Reader: true, Consumes: registered}},
		`keyless has no public key of a user: U and 55`: {{Service: service}, {Service: "keyless", Reader: true, Consumes: registered}},
	} {
		for i := range members {
			if members[i].Service != "keyless" {
				members[i].Key = userKey(t)
			}
		}
		_, err := bus.AccessConfig(members)
		require.ErrorContains(t, err, fault)
	}
}

// userKey is the public half of a new key.
func userKey(t *testing.T) string {
	t.Helper()
	pair, err := nkeys.CreateUser()
	require.NoError(t, err)
	public, err := pair.PublicKey()
	require.NoError(t, err)
	return public
}

func TestAnEventIsFoundByTheNameThatItsContractHas(t *testing.T) {
	t.Parallel()
	event, err := bus.EventNamed("UserRegistered")
	require.NoError(t, err)
	require.True(t, proto.Equal(&eventsv1.UserRegistered{}, event))
	for _, name := range []string{"", "Nothing", "serein.events.v1.UserRegistered", "..", "user registered"} {
		_, err := bus.EventNamed(name)
		require.ErrorContains(t, err, "is none of the events", name)
	}
}

func TestAReaderReadsWhatItConsumesAndNothingElse(t *testing.T) {
	t.Parallel()
	g := newGuarded(t)
	got := g.readBy("reports", &eventsv1.UserRegistered{}, func(string) error { return nil })
	g.publish("one")
	g.eventually(func() bool { return got.of("one") == 1 })
	conn := g.raw("reports")
	stream := bus.StreamName(service)
	for _, api := range []string{"$JS.API.", "serein_api.identity."} {
		for _, call := range []string{
			"STREAM.MSG.GET." + stream, "STREAM.PURGE." + stream, "CONSUMER.LIST." + stream, "CONSUMER.DELETE." + stream + ".reports-user-registered",
			"CONSUMER.MSG.NEXT." + stream + ".mail-user-registered", "CONSUMER.CREATE." + stream + ".reports-user-confirmed.serein.identity.user.confirmed.v1",
		} {
			g.refused(conn, api+call, map[string]any{"seq": 1, "batch": 1})
		}
	}
	confirmed := "serein_consumer.identity.reports-user-confirmed.serein.identity.user.confirmed.v1"
	_, err := conn.Request(confirmed, []byte(`{"in_hand":1,"ack_wait":1000000000}`), 100*time.Millisecond)
	require.Error(t, err, "an event that it does not consume")
}

func TestAReaderPublishesAndKeepsNothing(t *testing.T) {
	t.Parallel()
	g := newGuarded(t)
	conn := g.raw("reports")
	g.refused(conn, subject, nil)
	g.refused(conn, "$JS.API.INFO", nil)
	for _, name := range []string{"reports", "dead_reports", "identity"} {
		g.refused(conn, "$JS.API.STREAM.CREATE.serein_"+name, map[string]any{"name": "serein_" + name, "subjects": []string{"serein." + name + ".>"}})
	}
	require.Zero(t, g.state().Msgs)
}

// A consumer that pushes has the broker publish in its publisher's account, on any subject.
func TestAConsumerIsDeclaredByItsPublisherAloneAndAsksForNothingElse(t *testing.T) {
	t.Parallel()
	g := newGuarded(t)
	for reader, kind := range map[string]proto.Message{"mail": &eventsv1.UserRegistered{}, "billing": &eventsv1.UserConfirmed{}} {
		conn := g.raw(reader)
		name, at, err := bus.ConsumerOf(reader, kind)
		require.NoError(t, err)
		push := map[string]any{"name": name, "durable_name": name, "filter_subject": at, "deliver_subject": "serein_dead.identity.any", "ack_policy": "none"}
		for _, api := range []string{"$JS.API.", "serein_api.identity."} {
			for _, call := range []string{"CONSUMER.CREATE.serein_identity." + name + "." + at, "CONSUMER.CREATE.serein_identity", "CONSUMER.DURABLE.CREATE.serein_identity." + name} {
				g.refused(conn, api+call, map[string]any{"stream_name": "serein_identity", "config": push})
			}
		}
		declare := func(ask string, body any) string {
			data, err := json.Marshal(body)
			require.NoError(t, err)
			answer, passed := g.answer(conn, ask, data)
			require.True(t, passed, ask)
			return answer
		}
		ask := "serein_consumer.identity." + name + "." + at
		for _, body := range []any{
			"nonsense", map[string]any{"in_hand": 1_000_000, "ack_wait": time.Second}, map[string]any{"in_hand": 1, "ack_wait": time.Hour}, map[string]any{"in_hand": 0, "ack_wait": time.Second},
		} {
			require.NotEmpty(t, declare(ask, body))
		}
		push["in_hand"], push["ack_wait"], push["config"] = 1, time.Second, map[string]any{"deliver_subject": "serein_dead.identity.any"}
		require.Empty(t, declare(ask, push), "what else it says is not heard")
		for _, other := range []string{
			"serein_consumer.identity.other." + at, "serein_consumer.identity." + name + ".serein.identity.>", "serein_consumer.identity." + name + ".serein.identity.session.ended.v1",
		} {
			if answer, passed := g.answer(conn, other, []byte(`{"in_hand":1,"ack_wait":1000000000}`)); passed {
				require.NotEmpty(t, answer, other)
			}
		}
	}
	js, err := jetstream.New(g.raw(service))
	require.NoError(t, err)
	stream, err := js.Stream(t.Context(), bus.StreamName(service))
	require.NoError(t, err)
	var names []string
	listed := stream.ListConsumers(t.Context())
	for info := range listed.Info() {
		names = append(names, info.Name)
		require.Empty(t, info.Config.DeliverSubject)
		require.Equal(t, jetstream.AckExplicitPolicy, info.Config.AckPolicy)
	}
	require.NoError(t, listed.Err())
	require.ElementsMatch(t, []string{"billing-user-confirmed", "mail-user-registered"}, names)
}

// Its publisher may be away for long, and what it has published is read all the same.
func TestAConsumerThatIsDeclaredReadsWhileItsPublisherIsAway(t *testing.T) {
	t.Parallel()
	g := newGuarded(t)
	stop, ended := context.WithCancel(context.Background())
	first, name := g.member("mail"), "mail-user-registered"
	handled := make(chan string, 10)
	read := bus.Consumer{Name: name, Subject: subject, Handle: func(_ context.Context, e *eventsv1.Envelope) error { handled <- e.GetUid(); return nil }}
	done := make(chan struct{})
	go func() { defer close(done); _ = first.Consume(stop, read) }()
	g.publish("one")
	require.Equal(t, "one", <-handled)
	ended()
	<-done
	g.publish("two")
	g.bus.Close()
	again, end := context.WithCancel(context.Background())
	done = make(chan struct{})
	second := g.member("mail")
	go func() { defer close(done); _ = second.Consume(again, read) }()
	require.Equal(t, "two", <-handled)
	end()
	<-done
}

// What a deleted account asks for, with the permissions that a service has.
func TestAServiceTakesAMembersEventsOutOfItsOwnStreamAndItsDeadLettersAlone(t *testing.T) {
	t.Parallel()
	g := newGuarded(t)
	for _, uid := range []string{"leaves", "stays", "leaves"} {
		g.publish(uid)
	}
	require.NoError(t, g.bus.EnsureDeadLetters(t.Context()))
	require.NoError(t, g.bus.Redact(t.Context(), bus.StreamName(service), []string{"leaves"}))
	require.NoError(t, g.bus.Redact(t.Context(), bus.DeadStream(service), []string{"leaves"}))
	require.EqualValues(t, 1, g.state().Msgs)
	require.Error(t, g.member("billing").Redact(t.Context(), bus.StreamName(service), []string{"stays"}))
	require.EqualValues(t, 1, g.state().Msgs)
	missed, err := g.bus.Missed(t.Context(), time.Now())
	require.NoError(t, err)
	require.Empty(t, missed, "who read it for that is nobody's to repair")
}
