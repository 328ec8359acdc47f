package web

import (
	"context"

	mailv1 "serein.app/proto/gen/serein/mail/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// SetLetters says which letters the member wishes. That their address is suppressed is mail's to say, and is answered as it was
// sent: nothing here changes it.
func (s *Screens) SetLetters(ctx context.Context, req *webv1.SetLettersRequest) (*webv1.SetLettersResponse, error) {
	wish := req.GetLetters()
	res, err := s.Clients.Preferences.SetPreferences(ctx, &mailv1.SetPreferencesRequest{
		Preferences: &mailv1.Preferences{Reminders: wish.GetReminders(), Rewards: wish.GetRewards()},
	})
	if err != nil {
		return nil, err
	}
	out := wished(res.GetPreferences())
	out.Suppressed = wish.GetSuppressed()
	return &webv1.SetLettersResponse{Letters: out}, nil
}
