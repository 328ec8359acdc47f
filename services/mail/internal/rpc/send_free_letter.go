package rpc

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"

	errorsv1 "serein.app/proto/gen/serein/errors/v1"
	mailv1 "serein.app/proto/gen/serein/mail/v1"
	"serein.app/services/mail/internal/letters"
	store "serein.app/services/mail/internal/postgres"
	"serein.app/services/platform/auth"
	"serein.app/services/platform/errs"
)

// Free letters of everybody, and of one sender, in a day: what a small house writes by hand, and no more than a nuisance where
// somebody has got hold of an account.
const (
	freeLettersADay    = 500
	freeLettersOfOne   = 100
	invitationsOfOne   = 10
	lettersLimitPublic = "That’s all the emails we can send for today. Please try again in "
)

var (
	errLimit  = errs.New(errs.Exhausted, errorsv1.Reason_REASON_LETTERS_LIMIT, lettersLimitPublic+"a day.")
	errReused = errs.New(errs.Conflict, errorsv1.Reason_REASON_IDEMPOTENCY_KEY_REUSED, "That key was used for another email.")
)

// SendFreeLetter queues a letter in the caller's own words, with nothing in it that could act by itself.
func (h *Handler) SendFreeLetter(ctx context.Context, req *mailv1.SendFreeLetterRequest) (*mailv1.SendFreeLetterResponse, error) {
	written, err := letters.Write(req.GetSubject(), req.GetHtml())
	if err != nil {
		return nil, err
	}
	sender := senderOf(ctx)
	f := store.FreeLetters{
		Sender: sender, Digest: digest(req.GetTo(), req.GetCc(), req.GetSubject(), req.GetHtml()),
		MostOfAll: freeLettersADay, MostOfSender: freeLettersOfOne,
	}
	key := fmt.Sprintf("free:%s:%s", sender, req.GetIdempotencyKey())
	for i, to := range []string{req.GetTo(), req.GetCc()} {
		field := [...]string{"to", "cc"}[i]
		if field == "cc" && to == "" {
			continue
		}
		if err := letters.CheckMailbox(to); err != nil {
			return nil, letters.ErrAddress.On(field).Because(err)
		}
		l := letters.Letter{
			Key: key + ":" + field, To: to, Template: letters.Free,
			Data: letters.Data{Written: written}, ExpiresAt: h.now().Add(defaultLife),
		}
		if err := l.Check(); err != nil {
			return nil, err
		}
		f.Copies = append(f.Copies, l)
	}
	id, err := h.mails.EnqueueFree(ctx, f)
	if err != nil {
		return nil, refusal(err)
	}
	return &mailv1.SendFreeLetterResponse{MailId: id.String()}, nil
}

// senderOf is who writes: an admin by uid, or a service account.
func senderOf(ctx context.Context) string {
	caller, _ := auth.CallerFrom(ctx)
	if caller.IsAccount() {
		return caller.Service
	}
	return caller.Subject.UID
}

// digest tells one request from another.
func digest(words ...string) []byte {
	h := sha256.New()
	for _, word := range words {
		_, _ = fmt.Fprintf(h, "%d:%s", len(word), word)
	}
	return h.Sum(nil)
}

// refusal is a store's as callers hear it.
func refusal(err error) error {
	if full, ok := errors.AsType[store.TooManyError](err); ok {
		refused := errLimit.After(full.After)
		refused.Public = lettersLimitPublic + errs.About(full.After) + "."
		return refused
	}
	if errors.Is(err, store.ErrReused) {
		return errReused
	}
	return err
}
