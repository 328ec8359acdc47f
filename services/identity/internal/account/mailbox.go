package account

import (
	"crypto/hmac"
	"crypto/sha256"

	"serein.app/services/platform/mailbox"
)

// Mailboxes tell the mailboxes that have had a trial from others, for billing, which keeps their keys for good and
// knows no address of them. Its secret is its own and stays: what is kept under another value cannot be made anew,
// least of all that of members who have left, and every mailbox would have one more trial.
type Mailboxes struct{ secret []byte }

// NewMailboxes takes MAILBOX_SECRET.
func NewMailboxes(secret string) *Mailboxes { return &Mailboxes{secret: []byte(secret)} }

// Key is the same 32 bytes for all addresses of a mailbox. Whoever has no secret cannot tell from it
// which mailbox it is, nor whether it is a given one.
func (b *Mailboxes) Key(email string) []byte {
	m := hmac.New(sha256.New, b.secret)
	m.Write([]byte("mailbox\x00" + mailbox.Of(email)))
	return m.Sum(nil)
}
