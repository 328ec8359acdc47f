package account

import (
	"context"
	"crypto/hmac"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"strconv"
	"time"

	"github.com/google/uuid"
)

// proofBytes of a proof: the uid, its end in seconds since 1970, and the code of both under CODE_SECRET.
const proofBytes = 16 + 8 + 32

// proof is what the browser keeps that signed up: a browser that brings it has given the account's password. It is good for as long as the
// account may wait.
func (c *Codes) proof(uid uuid.UUID, now time.Time) string {
	until := now.Add(UnconfirmedLife).Unix()
	raw := binary.BigEndian.AppendUint64(uid[:], uint64(until))
	return base64.RawURLEncoding.EncodeToString(append(raw, proofMAC(c.secret, uid, until)...))
}

func proofMAC(secret []byte, uid uuid.UUID, until int64) []byte {
	return mac(secret, "sign-up proof", uid, strconv.FormatInt(until, 10))
}

// proved reads a proof; not ok: nobody of ours made it, or it is too old.
func (c *Codes) proved(proof string, now time.Time) (uid uuid.UUID, ok bool) {
	raw, err := base64.RawURLEncoding.DecodeString(proof)
	if err != nil || len(raw) != proofBytes {
		return uuid.Nil, false
	}
	uid = uuid.UUID(raw[:16])
	until := int64(binary.BigEndian.Uint64(raw[16:24]))
	for _, secret := range [][]byte{c.secret, c.previous} {
		if len(secret) > 0 && hmac.Equal(raw[24:], proofMAC(secret, uid, until)) {
			return uid, now.Unix() < until
		}
	}
	return uuid.Nil, false
}

// SignedUpHere finds the account of a username whose proof the browser has. Its tries and letters are those of somebody who has given the
// password (ConfirmProved, ResendProved). Not here: the proof is none, too old, or another account's.
func (s *Service) SignedUpHere(ctx context.Context, username, proof string) (a Account, here bool, err error) {
	uid, ok := s.codes.proved(proof, s.now())
	if !ok {
		return Account{}, false, nil
	}
	a, err = s.store.ByUsername(ctx, UsernameKey(username), s.now())
	if errors.Is(err, ErrUserNotFound) {
		return Account{}, false, nil
	}
	return a, err == nil && a.UID == uid, err
}
