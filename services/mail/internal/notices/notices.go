// Package notices reads the sending server's notices of letters that bounced or that their readers marked as unwanted. It accepts
// signed and recent notices alone: an attacker who could forge a notice could end somebody's letters.
package notices

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	errorsv1 "serein.app/proto/gen/serein/errors/v1"
	"serein.app/services/mail/internal/letters"
	"serein.app/services/platform/config"
	"serein.app/services/platform/errs"
)

// ErrInvalid is a notice that the sending server has not signed, or that cannot be read.
var ErrInvalid = errs.New(errs.Invalid, errorsv1.Reason_REASON_WEBHOOK_INVALID, "That is not a message of the sending server.")

// tolerance is how far the time of a notice may be from ours.
const tolerance = 5 * time.Minute

// Notice is one address that gets no letters, or fewer.
type Notice struct {
	Address string
	Why     letters.Suppression
}

// Reader reads notices that are signed with one of its secrets.
type Reader struct {
	secrets []config.Secret
	now     func() time.Time
}

// New takes the secrets of MAIL_NOTICE_SECRET; with none every notice is refused.
func New(secrets []config.Secret, now func() time.Time) *Reader { return &Reader{secrets, now} }

// CheckSecrets refuses secrets that could be guessed.
func CheckSecrets(secrets []config.Secret) error {
	for _, secret := range secrets {
		if len(secret.Reveal()) < config.MinSecret {
			return fmt.Errorf("MAIL_NOTICE_SECRET: a secret needs at least %d characters", config.MinSecret)
		}
	}
	return nil
}

// Read checks the signature, "t=<seconds>,v1=<hex HMAC-SHA-256 of <seconds>.<payload>>", and gives what is to be acted upon: that a
// mailbox was full for a day is not. Errors: ErrInvalid.
func (r *Reader) Read(payload []byte, signature string) ([]Notice, error) {
	if err := r.verify(payload, signature); err != nil {
		return nil, ErrInvalid.Because(err)
	}
	var told struct {
		Events []struct {
			Type      string `json:"type"`
			Permanent bool   `json:"permanent"`
			Address   string `json:"address"`
		} `json:"events"`
	}
	if err := json.Unmarshal(payload, &told); err != nil {
		return nil, ErrInvalid.Because(err)
	}
	var notices []Notice
	for _, e := range told.Events {
		switch {
		case letters.CheckMailbox(e.Address) != nil: // of no letter of ours
		case e.Type == "complaint":
			notices = append(notices, Notice{e.Address, letters.Complaint})
		case e.Type == "bounce" && e.Permanent:
			notices = append(notices, Notice{e.Address, letters.Bounce})
		}
	}
	return notices, nil
}

func (r *Reader) verify(payload []byte, signature string) error {
	if len(r.secrets) == 0 {
		return errors.New("MAIL_NOTICE_SECRET is not set")
	}
	at, proofs, err := parse(signature)
	if err != nil {
		return err
	}
	if r.now().Sub(time.Unix(at, 0)).Abs() > tolerance {
		return errors.New("too old or too new")
	}
	for _, secret := range r.secrets {
		want := sign(payload, at, secret)
		for _, proof := range proofs {
			if hmac.Equal(want, proof) {
				return nil
			}
		}
	}
	return errors.New("not signed by the sending server")
}

// parse reads a signature of one time and one or more proofs.
func parse(signature string) (at int64, proofs [][]byte, err error) {
	times := 0
	for part := range strings.SplitSeq(signature, ",") {
		name, value, _ := strings.Cut(part, "=")
		switch name {
		case "t":
			times++
			if at, err = strconv.ParseInt(value, 10, 64); err != nil {
				return 0, nil, err
			}
		case "v1":
			proof, err := hex.DecodeString(value)
			if err != nil {
				return 0, nil, err
			}
			proofs = append(proofs, proof)
		}
	}
	if times != 1 || len(proofs) == 0 {
		return 0, nil, errors.New("not a signature")
	}
	return at, proofs, nil
}

func sign(payload []byte, at int64, secret config.Secret) []byte {
	m := hmac.New(sha256.New, []byte(secret.Reveal()))
	_, _ = fmt.Fprintf(m, "%d.", at)
	m.Write(payload)
	return m.Sum(nil)
}

// Sign makes the signature that Read believes, for tests.
func Sign(payload []byte, at time.Time, secret config.Secret) string {
	return fmt.Sprintf("t=%d,v1=%x", at.Unix(), sign(payload, at.Unix(), secret))
}
