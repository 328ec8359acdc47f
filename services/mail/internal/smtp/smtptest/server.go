// Package smtptest is a mail server inside the test: it keeps what it accepts and can be told
// to fail. Production code must not import it.
package smtptest

import (
	"io"
	"mime"
	"net"
	"net/mail"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/emersion/go-smtp"
)

// Message is what the server accepted.
type Message struct {
	From string
	// To is every recipient of the envelope.
	To  []string
	Raw string
}

// Subject is a message's subject as its reader sees it.
func (m Message) Subject(tb testing.TB) string {
	tb.Helper()
	subject, err := new(mime.WordDecoder).DecodeHeader(m.Parse(tb).Header.Get("Subject"))
	if err != nil {
		tb.Fatal(err)
	}
	return subject
}

// Parse reads the message as a mail program would.
func (m Message) Parse(tb testing.TB) *mail.Message {
	tb.Helper()
	parsed, err := mail.ReadMessage(strings.NewReader(m.Raw))
	if err != nil {
		tb.Fatalf("not a message: %v", err)
	}
	return parsed
}

// Server is a running mail server.
type Server struct {
	// URL is smtp://host:port.
	URL string
	// Fail is asked before a message is accepted; its error is the answer.
	Fail func(Message) error
	// Silent is asked once the message is kept; true cuts the connection instead of an answer.
	Silent func(Message) bool

	mu       sync.Mutex
	accepted []Message
}

// New starts the server and stops it after the test.
func New(tb testing.TB) *Server {
	tb.Helper()
	s := &Server{}
	listener, err := net.Listen("tcp", "127.0.0.1:0") //nolint:noctx // nothing to cancel
	if err != nil {
		tb.Fatal(err)
	}
	server := smtp.NewServer(smtp.BackendFunc(func(c *smtp.Conn) (smtp.Session, error) { return &session{server: s, conn: c}, nil }))
	server.Domain = "inbox.test"
	server.ReadTimeout, server.WriteTimeout = 10*time.Second, 10*time.Second
	server.EnableSMTPUTF8 = true
	server.ErrorLog = quiet{}
	go func() { _ = server.Serve(listener) }()
	tb.Cleanup(func() { _ = server.Close() })
	s.URL = "smtp://" + listener.Addr().String()
	return s
}

// Accepted lists the messages so far.
func (s *Server) Accepted() []Message {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Message{}, s.accepted...)
}

func (s *Server) receive(m Message) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.Fail != nil {
		if err := s.Fail(m); err != nil {
			return err
		}
	}
	s.accepted = append(s.accepted, m)
	return nil
}

type session struct {
	server *Server
	conn   *smtp.Conn
	from   string
	to     []string
}

func (s *session) Reset()                                      { s.from, s.to = "", nil }
func (s *session) Logout() error                               { return nil }
func (s *session) Mail(from string, _ *smtp.MailOptions) error { s.from = from; return nil }
func (s *session) Rcpt(to string, _ *smtp.RcptOptions) error   { s.to = append(s.to, to); return nil }

func (s *session) Data(r io.Reader) error {
	raw, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	m := Message{From: s.from, To: s.to, Raw: string(raw)}
	if err := s.server.receive(m); err != nil {
		return err
	}
	if s.server.Silent != nil && s.server.Silent(m) {
		return s.conn.Conn().Close()
	}
	return nil
}

type quiet struct{}

func (quiet) Printf(string, ...any) {}
func (quiet) Println(...any)        {}
