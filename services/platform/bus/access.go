package bus

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nkeys"
	"google.golang.org/protobuf/proto"
)

// Member is a service as the broker knows it.
type Member struct {
	// Service is its name: small letters and digits.
	Service string
	// Reader: it is no service of the product. It may read what it consumes, and publishes and keeps nothing here.
	Reader bool
	// Key is the public half of its NATS_NKEY: U and 55 more characters.
	Key string
	// Consumes are the events of other services that it handles, empty messages of each kind.
	Consumes []proto.Message
	// Follows are the services whose events it hears as they are published (Follow).
	Follows []string
}

// apiOf is the subject prefix under which a service finds those parts of another's stream that it may use.
// Each service has a separate account at the broker, so that everything a service does there, also by the
// configuration of its stream (sources, republishing), stays within its account.
func apiOf(service string) string { return "serein_api." + service }

// grant is one subject of a service's account that another may call.
type grant struct {
	to string
	// subject in the account that owns it, and as the other finds it.
	subject, as string
	// answers: more than one comes.
	answers bool
	// heard: what is published there, instead of called.
	heard bool
}

func (g grant) export() string {
	if g.heard {
		return fmt.Sprintf("{ stream: %q, accounts: [%s] }", g.subject, g.to)
	}
	if g.answers {
		return fmt.Sprintf("{ service: %q, accounts: [%s], response_type: stream }", g.subject, g.to)
	}
	return fmt.Sprintf("{ service: %q, accounts: [%s] }", g.subject, g.to)
}

func (g grant) imported(owner string) string {
	if g.heard {
		return fmt.Sprintf("{ stream: { account: %s, subject: %q } }", owner, g.subject)
	}
	return fmt.Sprintf("{ service: { account: %s, subject: %q }, to: %q }", owner, g.subject, g.as)
}

// AccessConfig is the part of a nats-server's configuration that says who may do what: who may
// publish which events, and read which of the others'. A client that is none of the members is
// refused.
func AccessConfig(members []Member) (string, error) {
	if err := whole(members); err != nil {
		return "", err
	}
	grants, err := grantsOf(members)
	if err != nil {
		return "", err
	}
	var out strings.Builder
	out.WriteString("accounts {\n")
	for _, m := range members {
		m.write(&out, grants)
	}
	out.WriteString("}\n")
	return out.String(), nil
}

// memberName is what an account at the broker may be called. Without a hyphen no two members' consumers have one name (ConsumerOf).
var memberName = regexp.MustCompile(`^[a-z][a-z0-9]*$`)

// whole finds what may not stand in the broker's configuration: a list of readers is written by hand.
func whole(members []Member) error {
	names := map[string]bool{}
	for _, m := range members {
		switch {
		case !memberName.MatchString(m.Service):
			return fmt.Errorf("%q is not small letters and digits", m.Service)
		case names[m.Service]:
			return fmt.Errorf("%s stands twice in the list", m.Service)
		case !nkeys.IsValidPublicUserKey(m.Key):
			return fmt.Errorf("%s has no public key of a user: U and 55 more characters", m.Service)
		case m.Reader && (len(m.Consumes) == 0 || len(m.Follows) > 0):
			return fmt.Errorf("%s reads events by consumers alone, at least one", m.Service)
		}
		names[m.Service] = true
	}
	return nil
}

// grantsOf gives what each service lets others use of its stream.
func grantsOf(members []Member) (map[string][]grant, error) {
	grants := map[string][]grant{}
	for _, m := range members {
		if !m.Reader {
			grants[m.Service] = nil
		}
	}
	for _, m := range members {
		for _, event := range m.Consumes {
			name, subject, err := ConsumerOf(m.Service, event)
			if err != nil {
				return nil, err
			}
			owner, err := Publisher(subject)
			if err != nil {
				return nil, err
			}
			if _, known := grants[owner]; !known || owner == m.Service {
				return nil, fmt.Errorf("%s cannot consume %s: no other service of the list publishes it", m.Service, subject)
			}
			grants[owner] = append(grants[owner], consumerGrants(m.Service, owner, name, subject)...)
		}
		for _, owner := range m.Follows {
			if _, known := grants[owner]; !known || owner == m.Service {
				return nil, fmt.Errorf("%s cannot follow %s: it is no other service of the list", m.Service, owner)
			}
			for _, subject := range []string{eventsOf(owner), watermarkOf(owner)} {
				grants[owner] = append(grants[owner], grant{to: m.Service, subject: subject, heard: true})
			}
		}
	}
	return grants, nil
}

// consumerGrants are to ask for one consumer, to fetch from it and to acknowledge. It is its publisher
// that declares it (declare.go).
func consumerGrants(to, owner, name, subject string) []grant {
	consumer := StreamName(owner) + "." + name
	next := apiGrant(to, owner, "CONSUMER.MSG.NEXT."+consumer)
	next.answers = true
	ack := "$JS.ACK." + consumer + ".>"
	ask := declarationsOf(owner) + "." + name + "." + subject
	return []grant{
		{to: to, subject: ask, as: ask},
		apiGrant(to, owner, "CONSUMER.INFO."+consumer),
		next,
		{to: to, subject: ack, as: ack},
	}
}

func apiGrant(to, owner, call string) grant {
	return grant{to: to, subject: "$JS.API." + call, as: apiOf(owner) + "." + call}
}

func (m Member) write(out *strings.Builder, grants map[string][]grant) {
	publish, subscribe := m.own(), []string{"_INBOX.>"}
	keeps, answers := "", ""
	if !m.Reader {
		subscribe = append(subscribe, declarationsOf(m.Service)+".>")
		keeps, answers = "    jetstream: enabled\n", "      allow_responses: true\n"
	}
	var imports, exports []string
	for _, owner := range slices.Sorted(maps.Keys(grants)) {
		for _, g := range grants[owner] {
			switch {
			case g.to != m.Service:
				continue
			case g.heard:
				subscribe = append(subscribe, g.subject)
			default:
				publish = append(publish, g.as)
			}
			imports = append(imports, g.imported(owner))
		}
	}
	for _, g := range grants[m.Service] {
		exports = append(exports, g.export())
	}
	fmt.Fprintf(out, "  %s {\n%s    users: [ { nkey: %s, permissions: {\n", m.Service, keeps, m.Key)
	list(out, "      ", "publish", quoted(publish))
	list(out, "      ", "subscribe", quoted(subscribe))
	out.WriteString(answers + "    } } ]\n")
	list(out, "    ", "exports", exports)
	list(out, "    ", "imports", imports)
	out.WriteString("  }\n")
}

// own lists the subjects on which a service may publish in its own account: its events, its dead letters, and the
// declarations of the two streams that keep them and of the consumers of its events. The service may delete single messages of
// its streams, as the deletion of an account requires (redact.go). No account may delete or purge a stream, and a reader may
// publish nothing here.
func (m Member) own() []string {
	if m.Reader {
		return nil
	}
	subjects := []string{eventsOf(m.Service), watermarkOf(m.Service), deadLettersOf(m.Service)}
	for _, stream := range []string{StreamName(m.Service), DeadStream(m.Service)} {
		for _, call := range []string{"CREATE", "UPDATE", "INFO", "MSG.DELETE"} {
			subjects = append(subjects, "$JS.API.STREAM."+call+"."+stream)
		}
		subjects = append(subjects, "$JS.API.CONSUMER.CREATE."+stream+".*.>", "$JS.API.CONSUMER.MSG.NEXT."+stream+".*")
	}
	stream := StreamName(m.Service)
	return append(subjects, "$JS.API.CONSUMER.LIST."+stream, "$JS.API.CONSUMER.INFO."+stream+".*")
}

func quoted(subjects []string) []string {
	out := make([]string, len(subjects))
	for i, subject := range subjects {
		out[i] = strconv.Quote(subject)
	}
	return out
}

func list(out *strings.Builder, indent, name string, lines []string) {
	if len(lines) == 0 {
		return
	}
	fmt.Fprintf(out, "%s%s: [\n", indent, name)
	for _, line := range lines {
		fmt.Fprintf(out, "%s  %s\n", indent, line)
	}
	fmt.Fprintf(out, "%s]\n", indent)
}

// of is JetStream as its owner lets this service use it. A broker without keys is one account for
// all, as in most tests.
func (b *Bus) of(owner string) (jetstream.JetStream, error) {
	if b.cfg.NKey == "" || owner == b.service {
		return b.js, nil
	}
	return jetstream.NewWithAPIPrefix(b.conn, apiOf(owner))
}
