// Package unsubscribe makes and reads the links at the end of letters that people may do without. A link names whom the letter
// went to and its kind, sealed: nobody reads it but we, nobody makes one but we, and it does not lapse, since letters lie in
// mailboxes for years.
package unsubscribe

import (
	"encoding/base64"

	"github.com/google/uuid"

	errorsv1 "serein.app/proto/gen/serein/errors/v1"
	"serein.app/services/mail/internal/letters"
	"serein.app/services/platform/config"
	"serein.app/services/platform/errs"
	"serein.app/services/platform/seal"
)

// ErrInvalid is a link that we have not made.
var ErrInvalid = errs.New(errs.Invalid, errorsv1.Reason_REASON_UNSUBSCRIBE_INVALID,
	"That link is incomplete. Please open it from the email again.")

// place keeps what is sealed here apart from everything else.
const place = "unsubscribe"

// Links makes and reads them.
type Links struct{ sealer *seal.Sealer }

// New takes UNSUBSCRIBE_KEY and the one before it, whose links are still read; empty for none.
func New(key, previous config.Secret) (*Links, error) {
	sealer, err := seal.New(key, previous, "mail unsubscribe")
	return &Links{sealer}, err
}

type content struct {
	Kind    letters.Kind `json:"k"`
	UID     uuid.UUID    `json:"u,omitzero"`
	Address []byte       `json:"a,omitempty"`
}

// Token of a letter's link.
func (l *Links) Token(letter letters.Letter) (string, error) {
	reader, err := letter.Reader()
	if err != nil {
		return "", err
	}
	sealed, err := l.sealer.Seal(place, content(reader))
	return base64.RawURLEncoding.EncodeToString(sealed), err
}

// Read says what a link would end. Errors: ErrInvalid.
func (l *Links) Read(token string) (letters.Reader, error) {
	sealed, err := base64.RawURLEncoding.Strict().DecodeString(token)
	if err != nil {
		return letters.Reader{}, ErrInvalid.Because(err)
	}
	var c content
	if err := l.sealer.Open(place, sealed, &c); err != nil {
		return letters.Reader{}, ErrInvalid.Because(err)
	}
	return letters.Reader(c), nil
}
