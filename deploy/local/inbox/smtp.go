package inbox

import (
	"io"
	"log"
	"time"

	"github.com/emersion/go-smtp"
)

// maxMail is the largest mail accepted, in bytes.
const maxMail = 1 << 20

// SMTP is a server that accepts every mail into the box, on loopback only.
func SMTP(box *Box, addr string) *smtp.Server {
	s := smtp.NewServer(backend{box})
	s.Addr = addr
	s.Domain = "localhost"
	s.MaxMessageBytes = maxMail
	s.MaxRecipients = 10
	s.ReadTimeout, s.WriteTimeout = 10*time.Second, 10*time.Second
	s.ErrorLog = log.New(io.Discard, "", 0)
	return s
}

type backend struct{ box *Box }

func (b backend) NewSession(*smtp.Conn) (smtp.Session, error) { return &session{box: b.box}, nil }

type session struct{ box *Box }

func (s *session) Mail(string, *smtp.MailOptions) error { return nil }
func (s *session) Rcpt(string, *smtp.RcptOptions) error { return nil }
func (s *session) Reset()                               {}
func (s *session) Logout() error                        { return nil }

func (s *session) Data(r io.Reader) error {
	raw, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	return s.box.Add(raw)
}
