// Package grants knows whether the grant behind an access token still stands, by identity's word: a
// token's signature outlives its revocation by up to a quarter of an hour.
//
// It owns one short memory, for calls that only read. It refuses to guess: what cannot be asked is
// refused as unavailable.
package grants

import (
	"context"
	"errors"
	"fmt"
	"time"

	identityv1 "serein.app/proto/gen/serein/identity/v1"
	"serein.app/proto/gen/serein/identity/v1/identityv1connect"
	"serein.app/services/platform/auth"
	"serein.app/services/platform/cached"
	"serein.app/services/platform/deadline"
	"serein.app/services/platform/errs"
)

// life is how long identity's word that a grant stands is used by calls that read, also while
// identity is away.
const life = 5 * time.Second

// size bounds the memory, in tokens.
const size = 10_000

// askTime bounds one question.
var askTime = deadline.Of(2 * time.Second)

// Grants asks and remembers. One a process.
type Grants struct {
	identity identityv1connect.GrantServiceClient
	now      func() time.Time
	standing *cached.Map[string, struct{}] // by token id: grants that stand
}

// New makes Grants.
func New(identity identityv1connect.GrantServiceClient, now func() time.Time) *Grants {
	return &Grants{identity: identity, now: now, standing: cached.NewMap[string, struct{}](size, now)}
}

// Check refuses a token whose grant has ended; tokenID is its jti. A call that writes is asked about
// each time, so a revocation counts for it at once; one that reads may go on for life. Errors:
// auth.ErrUnauthenticated, errs.ErrUnavailable.
func (g *Grants) Check(ctx context.Context, tokenID string, writes bool) error {
	if tokenID == "" {
		return auth.ErrUnauthenticated.Because(errors.New("the token has no id"))
	}
	if _, stands := g.standing.Get(tokenID); stands && !writes {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	asked := g.now()
	res, err := g.identity.GetGrant(ctx, &identityv1.GetGrantRequest{TokenId: tokenID})
	if err != nil {
		return errs.ErrUnavailable.Because(fmt.Errorf("identity on a grant: %w", err))
	}
	if !res.GetStands() {
		g.standing.Drop(tokenID)
		return auth.ErrUnauthenticated.Because(errors.New("the token's grant has ended"))
	}
	g.standing.Put(tokenID, struct{}{}, asked.Add(life))
	return nil
}
