package rpc

import (
	"context"
	"slices"

	mailv1 "serein.app/proto/gen/serein/mail/v1"
	"serein.app/services/mail/internal/letters"
	store "serein.app/services/mail/internal/postgres"
	"serein.app/services/platform/auth"
)

// GetPreferences says which letters the member wishes.
func (h *Handler) GetPreferences(ctx context.Context, _ *mailv1.GetPreferencesRequest) (*mailv1.GetPreferencesResponse, error) {
	uid, err := auth.MemberID(ctx)
	if err != nil {
		return nil, err
	}
	w, err := h.mails.Wishes(ctx, uid)
	if err != nil {
		return nil, err
	}
	return &mailv1.GetPreferencesResponse{Preferences: preferences(w), Suppressed: w.Suppressed}, nil
}

// SetPreferences keeps which letters the member wishes.
func (h *Handler) SetPreferences(ctx context.Context, req *mailv1.SetPreferencesRequest) (*mailv1.SetPreferencesResponse, error) {
	uid, err := auth.MemberID(ctx)
	if err != nil {
		return nil, err
	}
	var declined []letters.Kind
	if !req.GetPreferences().GetReminders() {
		declined = append(declined, letters.Reminders)
	}
	if !req.GetPreferences().GetRewards() {
		declined = append(declined, letters.Rewards)
	}
	w, err := h.mails.SetWishes(ctx, uid, declined)
	if err != nil {
		return nil, err
	}
	return &mailv1.SetPreferencesResponse{Preferences: preferences(w)}, nil
}

func preferences(w store.Wishes) *mailv1.Preferences {
	return &mailv1.Preferences{
		Reminders: !slices.Contains(w.Declined, letters.Reminders), Rewards: !slices.Contains(w.Declined, letters.Rewards),
	}
}
