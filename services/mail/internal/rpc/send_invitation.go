package rpc

import (
	"context"
	"encoding/hex"
	"errors"

	"github.com/google/uuid"

	mailv1 "serein.app/proto/gen/serein/mail/v1"
	"serein.app/services/mail/internal/letters"
	store "serein.app/services/mail/internal/postgres"
	"serein.app/services/platform/auth"
	"serein.app/services/platform/errs"
	"serein.app/services/platform/rpc"
	"serein.app/services/platform/typed"
)

// SendInvitation queues a friend's invitation. The answer says nothing of the friend: neither that they have an account, nor that
// they were invited before or want no letters.
func (h *Handler) SendInvitation(ctx context.Context, req *mailv1.SendInvitationRequest) (*mailv1.SendInvitationResponse, error) {
	uid, err := auth.MemberID(ctx)
	if err != nil {
		return nil, err
	}
	key, err := uuid.Parse(req.GetIdempotencyKey())
	if err != nil {
		return nil, rpc.ErrInvalid.On("idempotency_key").Because(err)
	}
	if err := letters.CheckMailbox(req.GetEmail()); err != nil {
		return nil, letters.ErrAddress.On("email").Because(err)
	}
	// Another friend under the same key is another invitation: somebody went on inviting after an answer that was lost.
	key = uuid.NewSHA1(key, letters.MailboxHash(req.GetEmail()))
	l := letters.Letter{
		Key: "invitation:" + hex.EncodeToString(letters.MailboxHash(req.GetEmail())), To: req.GetEmail(), Template: letters.Invitation,
		Data: letters.Data{Invite: &letters.Invite{
			Friend: typed.Name(req.GetFriendName()), Code: req.GetCode(), TrialDays: req.GetTrialDays(),
		}},
		ExpiresAt: h.now().Add(defaultLife),
	}
	if err := l.Check(); err != nil {
		return nil, err
	}
	err = h.mails.EnqueueInvitation(ctx, store.Invitation{UID: uid, Key: key, Letter: l, Most: invitationsOfOne, MostOfAll: h.invitations})
	switch {
	case errors.Is(err, letters.ErrUnknown): // their own letters are under way
		return nil, errs.ErrUnavailable.Because(err)
	case errors.Is(err, letters.ErrDeparted):
		return nil, auth.ErrUnauthenticated.Because(err)
	case err != nil:
		return nil, refusal(err)
	}
	return &mailv1.SendInvitationResponse{}, nil
}
