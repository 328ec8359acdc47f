package secondstep

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/pquerna/otp"
	"github.com/pquerna/otp/hotp"
	"github.com/pquerna/otp/totp"

	"serein.app/services/platform/typed"
)

const (
	// period of a code, in seconds; digits, and SHA-1: what every app does, and some alone (RFC 6238, 4).
	period = 30
	// skew is how many periods a phone's clock may be off, and a person slow (RFC 6238, 5.2).
	skew = 1
	// recoveryChars of base32 are 120 bits: nobody guesses them, so that their hash needs no salt and no time (ASVS 5.0, V6.5.2).
	recoveryChars = 24
	recoveryGroup = 4
)

var options = hotp.ValidateOpts{Digits: otp.DigitsSix, Algorithm: otp.AlgorithmSHA1}

// newKey is a fresh secret of 160 bits (RFC 4226, 4, R6) for an app that calls the account so.
func newKey(username string) (*otp.Key, error) {
	return totp.Generate(totp.GenerateOpts{
		Issuer: issuer, AccountName: username, Period: period, Digits: options.Digits, Algorithm: options.Algorithm,
	})
}

// step is the period that a moment is in, counted since 1970.
func step(at time.Time) int64 { return at.Unix() / period }

// matching finds the step whose code it is, the latest of several; not ok: none near now. Every step is compared, in constant time.
func matching(secret, code string, now time.Time) (at int64, ok bool, err error) {
	for s := step(now) - skew; s <= step(now)+skew; s++ {
		right, err := hotp.GenerateCodeCustom(secret, uint64(s), options)
		if err != nil {
			return 0, false, err
		}
		if hmac.Equal([]byte(right), []byte(code)) {
			at, ok = s, true
		}
	}
	return at, ok, nil
}

// newRecoveryCodes are codes for the member, in groups that can be read aloud, and what is kept of them.
func newRecoveryCodes(uid uuid.UUID) (codes []string, hashes [][]byte) {
	for range RecoveryCodes {
		plain := strings.ToLower(rand.Text()[:recoveryChars])
		groups := make([]string, 0, recoveryChars/recoveryGroup)
		for at := 0; at < recoveryChars; at += recoveryGroup {
			groups = append(groups, plain[at:at+recoveryGroup])
		}
		codes, hashes = append(codes, strings.Join(groups, "-")), append(hashes, recoveryHash(uid, plain))
	}
	return codes, hashes
}

// recoveryHash is what is kept of a code; the uid makes one of two members different.
func recoveryHash(uid uuid.UUID, plain string) []byte {
	sum := sha256.Sum256([]byte("serein recovery code\x00" + uid.String() + "\x00" + plain))
	return sum[:]
}

// plain is a code as it was made: capitals, spaces and signs do not count, nor the script of its digits.
func plain(code string) string { return strings.ToLower(typed.LettersAndDigits(code)) }
