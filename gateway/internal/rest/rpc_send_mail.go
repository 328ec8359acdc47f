package rest

import (
	"context"

	mailv1 "serein.app/proto/gen/serein/mail/v1"
	restv1 "serein.app/proto/gen/serein/rest/v1"
)

// SendMail queues one letter with a free recipient, for an admin or a service account, whom mail hears itself. The same
// Idempotency-Key of a sender is the same letter. Errors: those of mail's SendFreeLetter.
func (a *API) SendMail(ctx context.Context, req *restv1.SendMailRequest) (*restv1.SendMailResponse, error) {
	if err := valid(req); err != nil {
		return nil, err
	}
	key, err := keyOrNew(ctx)
	if err != nil {
		return nil, err
	}
	if _, err := a.Clients.Letters.SendFreeLetter(asCaller(ctx), &mailv1.SendFreeLetterRequest{
		IdempotencyKey: key, To: req.GetTo(), Cc: req.GetCc(), Subject: req.GetSubject(), Html: req.GetHtml(),
	}); err != nil {
		return nil, err
	}
	return &restv1.SendMailResponse{}, nil
}
