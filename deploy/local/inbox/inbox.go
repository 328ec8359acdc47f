// Package inbox receives every mail that the product sends on a developer's machine and shows
// them on a page, so that a newcomer finds the confirmation code. Nothing leaves the machine.
package inbox

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/emersion/go-message"
	// Charsets other than UTF-8 are read too.
	_ "github.com/emersion/go-message/charset"
	gomail "github.com/emersion/go-message/mail"
	"github.com/google/uuid"
)

// Message is a received mail.
type Message struct {
	ID        string    `json:"id"`
	MessageID string    `json:"messageId"`
	From      string    `json:"from"`
	To        []string  `json:"to"`
	Subject   string    `json:"subject"`
	Received  time.Time `json:"received"`
	Text      string    `json:"text"`
	HTML      string    `json:"html"`
}

// keepMessages is how many mails are kept; the oldest go first.
const keepMessages = 500

// Box keeps mails as files in a folder, so that they survive a restart.
type Box struct {
	dir string

	mu       sync.Mutex
	messages []Message // newest first
}

// Open reads the mails of earlier runs.
func Open(dir string) (*Box, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	b := &Box{dir: dir}
	for _, entry := range entries {
		id, ok := strings.CutSuffix(entry.Name(), ".eml")
		if !ok {
			continue
		}
		raw, err := os.ReadFile(filepath.Join(dir, entry.Name()))
		if err != nil {
			return nil, err
		}
		if m, err := parse(id, raw); err == nil {
			b.messages = append(b.messages, m)
		}
	}
	slices.SortFunc(b.messages, func(x, y Message) int { return cmp.Compare(y.ID, x.ID) })
	return b, nil
}

// Messages gives all mails, newest first; recipient narrows them where it is not empty.
func (b *Box) Messages(recipient string) []Message {
	b.mu.Lock()
	defer b.mu.Unlock()
	found := []Message{}
	for _, m := range b.messages {
		if recipient == "" || slices.ContainsFunc(m.To, func(to string) bool { return strings.EqualFold(to, recipient) }) {
			found = append(found, m)
		}
	}
	return found
}

// Message gives one mail.
func (b *Box) Message(id string) (Message, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	i := slices.IndexFunc(b.messages, func(m Message) bool { return m.ID == id })
	if i < 0 {
		return Message{}, false
	}
	return b.messages[i], true
}

// Add stores a mail as it came over the wire.
func (b *Box) Add(raw []byte) error {
	id, err := uuid.NewV7() // sorts by time
	if err != nil {
		return err
	}
	m, err := parse(id.String(), raw)
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(b.dir, m.ID+".eml"), raw, 0o600); err != nil {
		return err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.messages = slices.Insert(b.messages, 0, m)
	for len(b.messages) > keepMessages {
		oldest := b.messages[len(b.messages)-1]
		b.messages = b.messages[:len(b.messages)-1]
		_ = os.Remove(filepath.Join(b.dir, oldest.ID+".eml"))
	}
	return nil
}

func parse(id string, raw []byte) (Message, error) {
	reader, err := gomail.CreateReader(bytes.NewReader(raw))
	if err != nil && !message.IsUnknownCharset(err) {
		return Message{}, fmt.Errorf("not a mail: %w", err)
	}
	m := Message{ID: id, Received: receivedAt(id)}
	m.Subject, _ = reader.Header.Subject()
	m.MessageID, _ = reader.Header.MessageID()
	if from, err := reader.Header.AddressList("From"); err == nil && len(from) > 0 {
		m.From = from[0].String()
	}
	if to, err := reader.Header.AddressList("To"); err == nil {
		for _, address := range to {
			m.To = append(m.To, address.Address)
		}
	}
	for {
		part, err := reader.NextPart()
		if errors.Is(err, io.EOF) {
			return m, nil
		}
		if err != nil {
			return Message{}, fmt.Errorf("read the mail's parts: %w", err)
		}
		if err := m.take(part); err != nil {
			return Message{}, err
		}
	}
}

func (m *Message) take(part *gomail.Part) error {
	header, ok := part.Header.(*gomail.InlineHeader)
	if !ok {
		return nil
	}
	body, err := io.ReadAll(part.Body)
	if err != nil {
		return err
	}
	kind, _, _ := header.ContentType()
	switch kind {
	case "text/html":
		m.HTML = string(body)
	case "text/plain", "":
		m.Text = string(body)
	}
	return nil
}

func receivedAt(id string) time.Time {
	parsed, err := uuid.Parse(id)
	if err != nil {
		return time.Time{}
	}
	seconds, nanos := parsed.Time().UnixTime()
	return time.Unix(seconds, nanos).UTC()
}
