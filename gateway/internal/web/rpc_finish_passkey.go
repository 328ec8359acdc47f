package web

import (
	"context"
	"unicode/utf8"

	identityv1 "serein.app/proto/gen/serein/identity/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// maxUserAgent bounds what a browser says of itself, in bytes.
const maxUserAgent = 1024

// FinishPasskey adds the passkey that the browser has made.
func (s *Screens) FinishPasskey(ctx context.Context, req *webv1.FinishPasskeyRequest) (*webv1.FinishPasskeyResponse, error) {
	sid, err := s.sid(ctx)
	if err != nil {
		return nil, err
	}
	userAgent := headerOf(ctx).Get("User-Agent")
	if len(userAgent) > maxUserAgent || !utf8.ValidString(userAgent) {
		userAgent = ""
	}
	res, err := s.Clients.Passkeys.FinishPasskey(ctx, &identityv1.FinishPasskeyRequest{
		Ceremony: req.GetCeremony(), Credential: req.GetCredential(), Name: req.GetName(), UserAgent: userAgent, Sid: sid,
	})
	if err != nil {
		return nil, err
	}
	return &webv1.FinishPasskeyResponse{Passkeys: each(res.GetPasskeys(), passkey)}, nil
}
