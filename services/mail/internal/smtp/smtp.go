// Package smtp hands letters to a mail server. It writes the envelope and the headers itself,
// from checked addresses and names, so that nobody's words can add to them.
package smtp

import (
	"context"
	"errors"
	"fmt"
	netmail "net/mail"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/google/uuid"
	"github.com/wneessen/go-mail"

	"serein.app/services/mail/internal/letters"
	"serein.app/services/platform/config"
)

// timeout of connecting and of each answer of the server.
const timeout = 20 * time.Second

// Where servers take mail from programs: with STARTTLS (RFC 6409), and in TLS (RFC 8314).
const (
	submissionPort  = 587
	submissionsPort = 465
)

// What an attempt can come to, besides success and a failure worth another attempt.
var (
	// ErrRejected is a server's refusal for good (a 5xx reply): another attempt is of no use.
	ErrRejected = errors.New("rejected for good")
	// ErrNobody is an ErrRejected that says of the address that nobody is there.
	ErrNobody = fmt.Errorf("%w: nobody is there", ErrRejected)
	// ErrUncertain is a server that fell silent after it had the whole message: it may have
	// accepted. Another attempt can make a second copy.
	ErrUncertain = errors.New("the server did not say whether it accepted")
)

// Sender sends through one server, a connection a message.
type Sender struct {
	host    string
	from    *netmail.Address
	domain  string
	options []mail.Option
}

// New reads the addresses: smtp://[user:password@]host[:port][?tls=required|opportunistic] or
// smtps://…, which is TLS from the first byte, and "Name <address>". With required nothing is sent
// to a server that does not offer STARTTLS, or whose offer somebody took away; this is the default
// but for a server on this machine. A password is never sent without TLS, except to this machine.
func New(server, from string) (*Sender, error) {
	u, err := url.Parse(server)
	if err != nil || u.Hostname() == "" || strings.Trim(u.Path, "/") != "" {
		return nil, errAddress
	}
	security, port, err := securityOf(u)
	if err != nil {
		return nil, err
	}
	sender, err := netmail.ParseAddress(from)
	if err != nil {
		return nil, fmt.Errorf("MAIL_FROM: %w", err)
	}
	if u.Port() != "" {
		if port, err = strconv.Atoi(u.Port()); err != nil {
			return nil, errors.New("SMTP_URL: the port is not a number")
		}
	}
	domain := sender.Address[strings.LastIndexByte(sender.Address, '@')+1:]
	options := []mail.Option{
		mail.WithPort(port), mail.WithTimeout(timeout), mail.WithHELO(domain), security,
		// A reset after the server has accepted could fail, and look as if it had not.
		mail.WithoutNoop(), mail.WithoutRset(),
	}
	if u.User != nil {
		password, _ := u.User.Password()
		options = append(options, mail.WithSMTPAuth(mail.SMTPAuthAutoDiscover), mail.WithUsername(u.User.Username()), mail.WithPassword(password))
	}
	return &Sender{host: u.Hostname(), from: sender, domain: domain, options: options}, nil
}

// errAddress does not name the address: there may be a password in it.
var errAddress = errors.New("SMTP_URL is not smtp[s]://[user:password@]host[:port][?tls=required|opportunistic]")

// securityOf is how the server's address wants mail to travel, and the port where it names none.
func securityOf(u *url.URL) (mail.Option, int, error) {
	wanted := u.Query().Get("tls")
	switch {
	case u.Scheme == "smtps" && wanted == "":
		return mail.WithSSL(), submissionsPort, nil
	case u.Scheme != "smtp":
	case wanted == "required", wanted == "" && !config.Loopback(u.Hostname()):
		return mail.WithTLSPolicy(mail.TLSMandatory), submissionPort, nil
	case wanted == "opportunistic", wanted == "":
		return mail.WithTLSPolicy(mail.TLSOpportunistic), submissionPort, nil
	}
	return nil, 0, errAddress
}

// MessageID is the same for every attempt, so that a mail that arrives twice can be merged.
func (s *Sender) MessageID(id uuid.UUID) string { return id.String() + "@" + s.domain }

// Send hands the letter over. Every error but ErrRejected is worth another attempt.
func (s *Sender) Send(ctx context.Context, l letters.Letter, c letters.Content) error {
	msg, err := s.message(l, c)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrRejected, err)
	}
	client, err := mail.NewClient(s.host, s.options...)
	if err != nil {
		return fmt.Errorf("mail client: %w", err)
	}
	if err := client.DialWithContext(ctx); err != nil {
		return fmt.Errorf("reach the mail server: %w", err)
	}
	// The server has answered by then; how the farewell goes matters to nobody.
	defer func() { _ = client.Close() }()
	return outcome(client.Send(msg))
}

// nobody are the statuses by which a server says for good that there is no such mailbox (RFC 3463, RFC 7505): bad mailbox, domain
// or syntax, moved without an address, a domain that takes no mail, a mailbox that is closed. A refusal by policy, for our address or
// for what we wrote, does not say that the mailbox is gone, nor does a 550 without a status.
var nobody = map[string]bool{"5.1.1": true, "5.1.2": true, "5.1.3": true, "5.1.6": true, "5.1.10": true, "5.2.1": true}

// outcome is what an attempt came to. The library's own error names the reader's address, as servers' replies do, and errors are logged:
// what was answered is said by its codes (RFC 5321, RFC 3463).
func outcome(err error) error {
	var refused *mail.SendError
	switch {
	case err == nil:
		return nil
	case !errors.As(err, &refused):
		return fmt.Errorf("send: %w", err)
	}
	said := fmt.Errorf("%s: the server said %d %s", refused.Reason, refused.ErrorCode(), refused.EnhancedStatusCode())
	switch {
	case refused.ErrorCode() >= 500 && nobody[refused.EnhancedStatusCode()]:
		return fmt.Errorf("%w: %w", ErrNobody, said)
	case refused.ErrorCode() >= 500:
		return fmt.Errorf("%w: %w", ErrRejected, said)
	case refused.Reason == mail.ErrSMTPDataClose && refused.ErrorCode() == 0:
		return fmt.Errorf("%w: %w", ErrUncertain, said)
	}
	return fmt.Errorf("send: %w", said)
}

func (s *Sender) message(l letters.Letter, c letters.Content) (*mail.Msg, error) {
	if err := l.Check(); err != nil {
		return nil, err
	}
	msg := mail.NewMsg(mail.WithNoDefaultUserAgent())
	msg.FromMailAddress(s.from)
	msg.ToMailAddress(&netmail.Address{Name: displayName(l.Data.GivenName), Address: l.To})
	if w := l.Data.Writer; w != nil {
		msg.ReplyToMailAddress(&netmail.Address{Name: displayName(w.Name), Address: w.Email})
	}
	// Written by somebody else it could look like an encoded word (RFC 2047), which readers would decode.
	msg.Subject(strings.ReplaceAll(c.Subject, "=?", "= ?"))
	msg.SetMessageIDWithValue(s.MessageID(l.ID))
	msg.SetDateWithValue(l.CreatedAt)
	// Machines must not answer (RFC 3834).
	msg.SetGenHeader("Auto-Submitted", "auto-generated")
	if c.Unsubscribe != "" {
		// One click in the mail program ends such letters (RFC 8058).
		msg.SetGenHeader(mail.HeaderListUnsubscribe, "<"+c.Unsubscribe+">")
		msg.SetGenHeader(mail.HeaderListUnsubscribePost, "List-Unsubscribe=One-Click")
	}
	msg.SetBodyString(mail.TypeTextPlain, c.Text)
	msg.AddAlternativeString(mail.TypeTextHTML, c.HTML)
	return msg, nil
}

var spaces = regexp.MustCompile(` +`)

// displayName is a name as a header can carry it. net/mail leaves a backslash bare in an encoded word, where RFC 2047
// (5.3) forbids it and readers do not find the address any more: beside letters that must be encoded it becomes its
// full-width twin. A long header is folded at its spaces, and of two side by side readers get one.
func displayName(name string) string {
	name = spaces.ReplaceAllString(strings.TrimSpace(name), " ")
	if strings.ContainsFunc(name, func(r rune) bool { return r > unicode.MaxASCII }) {
		name = strings.ReplaceAll(name, `\`, "＼")
	}
	return name
}
