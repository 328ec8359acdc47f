package web

import (
	"context"

	mailv1 "serein.app/proto/gen/serein/mail/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// letters are which letters the member wishes; nil where mail does not say soon.
func (s *Screens) letters(ctx context.Context) *webv1.Letters {
	ctx, cancel := context.WithTimeout(ctx, partTime)
	defer cancel()
	res, err := s.Clients.Preferences.GetPreferences(ctx, &mailv1.GetPreferencesRequest{})
	if err != nil {
		s.without(ctx, "which letters are wished", err)
		return nil
	}
	out := wished(res.GetPreferences())
	out.Suppressed = res.GetSuppressed()
	return out
}

func wished(p *mailv1.Preferences) *webv1.Letters {
	return &webv1.Letters{Reminders: p.GetReminders(), Rewards: p.GetRewards()}
}
