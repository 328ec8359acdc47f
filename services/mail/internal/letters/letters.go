// Package letters is what Serein writes to people: which letters there are, what each needs,
// and their words. Every letter is a named template. The one with free text, of the contact form, goes to ourselves.
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
)

// Template names a letter.
type Template string

// The letters.
const (
	ConfirmationCode Template = "confirmation_code"
	AccountExists    Template = "account_exists"
	Welcome          Template = "welcome"
	// Contact is what somebody wrote to us.
	Contact Template = "contact"
	// Receipt is of an order that was paid.
	Receipt Template = "receipt"
	// RefundSent is of money that we gave back.
	RefundSent Template = "refund"
	// PaymentReturned is of a second payment for a membership, of which nothing was given.
	PaymentReturned Template = "payment_returned"
)

// Templates lists them all.
var Templates = []Template{ConfirmationCode, AccountExists, Welcome, Contact, Receipt, RefundSent, PaymentReturned}

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
	// UID of the member it is about; empty where there is none yet.
	UID string
	// To is a bare address.
	To       string
	Template Template
	Data     Data
	// CreatedAt dates the letter, ExpiresAt is when it is of no use any more.
	CreatedAt, ExpiresAt time.Time
}

// The refusals.
var (
	ErrAddress = errs.New(errs.Invalid, errorsv1.Reason_REASON_ADDRESS_INVALID, "That does not look like an e-mail address.")
	ErrText    = errs.New(errs.Invalid, errorsv1.Reason_REASON_TEXT_INVALID, "That text is too long, or holds characters that cannot be sent.")
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
	refund := l.Template == RefundSent || l.Template == PaymentReturned
	if (l.Template == Contact) != (l.Data.Writer != nil) || (l.Template == Receipt) != (l.Data.Order != nil) || refund != (l.Data.Refund != nil) {
		return ErrText.On("template")
	}
	return errors.Join(l.Data.Writer.check(), l.Data.Order.check(), l.Data.Refund.check())
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
