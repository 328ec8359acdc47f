package letters

import (
	"crypto/sha256"
	"errors"
	"strings"

	"github.com/google/uuid"

	"serein.app/services/platform/mailbox"
)

// Delivered is an address as letters go to it; one that is refused stays as it is.
func Delivered(address string) string {
	if delivered, err := mailbox.Address(address); err == nil {
		return delivered
	}
	return address
}

// AddressHash is how it is noted that an address gets no letters, or has had one, without the address: SHA-256 of it as letters go to
// it, in small letters. It has no key: one that is replaced would forget who wants no letters.
func AddressHash(address string) []byte {
	sum := sha256.Sum256([]byte("serein mail address\x00" + strings.ToLower(Delivered(strings.TrimSpace(address)))))
	return sum[:]
}

// MailboxHash is AddressHash of the mailbox that an address reaches.
func MailboxHash(address string) []byte { return AddressHash(mailbox.Of(address)) }

// Reader is whom a kind of letters goes to, and who may do without it: a member, or for invitations an address by its hash.
type Reader struct {
	Kind    Kind
	UID     uuid.UUID
	Address []byte
}

// Reader of a letter that people may do without.
func (l Letter) Reader() (Reader, error) {
	switch kind := l.Template.Kind(); kind {
	case "":
		return Reader{}, errors.New("nobody may do without a letter " + string(l.Template))
	case Invitations:
		return Reader{Kind: kind, Address: AddressHash(l.To)}, nil
	default:
		uid, err := uuid.Parse(l.UID)
		return Reader{Kind: kind, UID: uid}, err
	}
}
