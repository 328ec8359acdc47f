package web

import (
	"context"

	identityv1 "serein.app/proto/gen/serein/identity/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// mostPasskeys is how many identity lets a member have.
const mostPasskeys = 10

// ListPasskeys answers the member's passkeys.
func (s *Screens) ListPasskeys(ctx context.Context, _ *webv1.ListPasskeysRequest) (*webv1.ListPasskeysResponse, error) {
	res, err := s.Clients.Passkeys.ListPasskeys(ctx, &identityv1.ListPasskeysRequest{})
	if err != nil {
		return nil, err
	}
	return &webv1.ListPasskeysResponse{Passkeys: each(res.GetPasskeys(), passkey), Most: mostPasskeys}, nil
}

func passkey(p *identityv1.Passkey) *webv1.Passkey {
	return &webv1.Passkey{Id: p.GetId(), Name: p.GetName(), AddedAt: p.GetAddedAt(), UsedAt: p.GetUsedAt()}
}
