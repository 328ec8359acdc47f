package account

import (
	"crypto/hmac"
	"crypto/sha256"

	"serein.app/services/platform/mailbox"
)

// Mailboxes makes a key of each mailbox, so that billing can recognise one that has had a trial. Billing keeps the keys for good and
// knows no address. The secret serves only this and never changes: keys that were made with another value cannot be recomputed, least of
// all those of former members, and every mailbox would get one more trial.
type Mailboxes struct{ secret []byte }

// NewMailboxes takes MAILBOX_SECRET.
func NewMailboxes(secret string) *Mailboxes { return &Mailboxes{secret: []byte(secret)} }

// Key is the same 32 bytes for all addresses of a mailbox. Without the secret nobody can find the mailbox by its key, or compare a given
// one with it.
func (b *Mailboxes) Key(email string) []byte {
	m := hmac.New(sha256.New, b.secret)
	m.Write([]byte("mailbox\x00" + mailbox.Of(email)))
	return m.Sum(nil)
}
