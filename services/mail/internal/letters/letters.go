// Package letters is what Serein writes to people: which letters there are, what each needs,
// and their words. Every letter is a named template. Free text stands in two alone: that of the contact form goes to ourselves,
// that of an admin is cleaned first.
//
// It refuses addresses and names that could change a message's headers.
package letters

import (
	"errors"
	"net/mail"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/google/uuid"

	errorsv1 "serein.app/proto/gen/serein/errors/v1"
	"serein.app/services/platform/errs"
	"serein.app/services/platform/mailbox"
)

// Data is what a letter tells. It may hold a code or what somebody wrote, so it is erased once the letter has gone
// or was given up, and it is never logged.
type Data struct {
	GivenName string `json:"given_name,omitempty"`
	Code      string `json:"code,omitempty"`
	Username  string `json:"username,omitempty"`
	// Writer is who wrote by the contact form; nil in every other letter.
	Writer *Writer `json:"writer,omitempty"`
	// Order is what a receipt is of, Refund what came back; nil in every other letter.
	Order  *Order  `json:"order,omitempty"`
	Refund *Refund `json:"refund,omitempty"`
	// Membership is what became of one, Invite a friend's invitation, Written what an admin wrote; nil in every other letter.
	Membership *Membership `json:"membership,omitempty"`
	Invite     *Invite     `json:"invite,omitempty"`
	Written    *Written    `json:"written,omitempty"`
	// Address is another address that a member asks for, or has; nil in every other letter.
	Address *Address `json:"address,omitempty"`
	// Deletion is of an account that is to be deleted; nil in every other letter.
	Deletion *Deletion `json:"deletion,omitempty"`
	// Device is a browser that was not known; nil in every other letter.
	Device *Device `json:"device,omitempty"`
}

// Device is a browser that a member has signed in with, At that time; Place is the city of its time zone, empty where it is not known.
type Device struct {
	Name  string    `json:"name"`
	Place string    `json:"place,omitempty"`
	At    time.Time `json:"at"`
}

// check refuses words that could become a header.
func (d *Device) check() error {
	if d == nil {
		return nil
	}
	return checkLines(map[string]string{"device": d.Name, "place": d.Place})
}

// Deletion of an account can be undone until At.
type Deletion struct {
	At time.Time `json:"at"`
}

// part is which of them is there, as the letters' natures name it; two are a letter of nothing.
func (d Data) part() string {
	var there []string
	for part, is := range map[string]bool{
		"writer": d.Writer != nil, "order": d.Order != nil, "refund": d.Refund != nil,
		"membership": d.Membership != nil, "address": d.Address != nil, "invitation": d.Invite != nil, "free": d.Written != nil,
		"deletion": d.Deletion != nil, "device": d.Device != nil,
	} {
		if is {
			there = append(there, part)
		}
	}
	return strings.Join(there, " and ")
}

// Writer is somebody who wrote to us, and what. Answers go to them.
type Writer struct {
	Name    string `json:"name"`
	Email   string `json:"email"`
	Phone   string `json:"phone,omitempty"`
	Message string `json:"message"`
}

// String keeps codes out of logs.
func (Data) String() string { return "[redacted]" }

// GoString keeps codes out of logs.
func (Data) GoString() string { return "[redacted]" }

// Letter is one mail to one person.
type Letter struct {
	ID uuid.UUID
	// Key makes queueing idempotent.
	Key string
	// UID of the member that the letter is about; empty if it is about no member yet.
	UID string
	// To is a bare address.
	To       string
	Template Template
	Data     Data
	// CreatedAt dates the letter, ExpiresAt is when it is of no use any more. It is not sent before NotBefore; zero for at once.
	CreatedAt, ExpiresAt, NotBefore time.Time
	// Topic is what the letter is about where something newer may make it untrue, "payment:<uid>" for example: it is dropped then.
	// Empty for one that stays true. ToldAt is when that of which it tells happened.
	Topic  string
	ToldAt time.Time
}

// The refusals.
var (
	ErrAddress = errs.New(errs.Invalid, errorsv1.Reason_REASON_ADDRESS_INVALID, "That doesn’t look like an email address.")
	ErrOwn     = errs.New(errs.Invalid, errorsv1.Reason_REASON_ADDRESS_INVALID, "That is your own address. The invitation is for a friend.")
	ErrText    = errs.New(errs.Invalid, errorsv1.Reason_REASON_TEXT_INVALID, "That text is too long, or has characters that can’t be sent.")
)

// Limits of SMTP, in octets (RFC 5321 section 4.5.3.1): the path without its brackets, the
// local part.
const (
	maxAddress = 254
	maxLocal   = 64
)

// maxMessage bounds what somebody writes to us, in bytes: 5,000 characters of up to four.
const maxMessage = 20_000

// maxText bounds each word of a letter, in bytes: the longest name has 100 characters of up to four. A header's line,
// which a name without blanks cannot be folded in, has at most 998 (RFC 5322 section 2.1.1).
const maxText = 400

// Check refuses a letter whose address or words could not be sent, or could be taken for
// something else than an address and words.
func (l Letter) Check() error {
	if err := checkAddress(l.To, "to"); err != nil {
		return err
	}
	if err := checkLines(map[string]string{
		"given_name": l.Data.GivenName, "username": l.Data.Username, "code": l.Data.Code, "uid": l.UID,
	}); err != nil {
		return err
	}
	if l.Data.part() != natures[l.Template].part {
		return ErrText.On("template")
	}
	return errors.Join(l.Data.Writer.check(), l.Data.Order.check(), l.Data.Refund.check(),
		l.Data.Membership.check(), l.Data.Invite.check(), l.Data.Written.check(), l.Data.Address.check(), l.Data.Device.check())
}

// check refuses a writer whom nobody could answer, and words that could become a header.
func (w *Writer) check() error {
	if w == nil {
		return nil
	}
	if err := checkAddress(w.Email, "email"); err != nil {
		return err
	}
	if w.Name == "" {
		return ErrText.On("name")
	}
	if w.Message == "" || len(w.Message) > maxMessage || !utf8.ValidString(w.Message) || strings.ContainsFunc(w.Message, unprintable) {
		return ErrText.On("message")
	}
	return checkLines(map[string]string{"name": w.Name, "phone": w.Phone})
}

// CheckMailbox refuses an address that no letter could go to.
func CheckMailbox(address string) error { return checkAddress(address, "to") }

// Printable is a text as it can stand in a letter: lines end in a line feed, and no other control character is left.
func Printable(text string) string {
	text = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(strings.ToValidUTF8(text, "\uFFFD"))
	return strings.Map(func(r rune) rune {
		if unprintable(r) {
			return -1
		}
		return r
	}, text)
}

// unprintable are the control characters that a text of many lines has no use for.
func unprintable(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' }

func checkLines(texts map[string]string) error {
	for field, text := range texts {
		if len(text) > maxText || !utf8.ValidString(text) || strings.ContainsFunc(text, unsendable) {
			return ErrText.On(field)
		}
	}
	return nil
}

func checkAddress(to, field string) error {
	if delivered, err := mailbox.Address(to); err != nil || len(delivered) > maxAddress {
		return ErrAddress.On(field)
	}
	if len(to) > maxAddress || !utf8.ValidString(to) || strings.ContainsFunc(to, func(r rune) bool { return unsendable(r) || unicode.IsSpace(r) }) {
		return ErrAddress.On(field)
	}
	// A bare address reads back as itself: no name, no brackets, no comment, no second one.
	parsed, err := mail.ParseAddress(to)
	if err != nil || parsed.Name != "" || parsed.Address != to || strings.LastIndexByte(to, '@') > maxLocal {
		return ErrAddress.On(field)
	}
	// What is left of a quoted local part or an address literal is for machines, not members.
	if strings.ContainsAny(to, `"\<>()[],;:`) {
		return ErrAddress.On(field)
	}
	return nil
}

// unsendable is what could end a header line, or reorder what a reader sees.
func unsendable(r rune) bool {
	return unicode.IsControl(r) || r == '\u2028' || r == '\u2029' || unicode.Is(unicode.Bidi_Control, r)
}
