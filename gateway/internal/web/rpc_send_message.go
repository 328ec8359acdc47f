package web

import (
	"context"

	mailv1 "serein.app/proto/gen/serein/mail/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// SendMessage passes what anybody writes to us on to our mailbox, once for each idempotency key.
func (s *Screens) SendMessage(ctx context.Context, req *webv1.SendMessageRequest) (*webv1.SendMessageResponse, error) {
	_, err := s.Clients.Mail.SendContactMessage(ctx, &mailv1.SendContactMessageRequest{
		IdempotencyKey: req.GetIdempotencyKey(), Name: req.GetName(), Email: req.GetEmail(), Phone: req.GetPhone(), Message: req.GetMessage(),
	})
	if err != nil {
		return nil, err
	}
	return &webv1.SendMessageResponse{}, nil
}
