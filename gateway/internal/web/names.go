package web

import (
	"context"
	"sync"

	"github.com/google/uuid"
	"golang.org/x/sync/errgroup"

	identityv1 "serein.app/proto/gen/serein/identity/v1"
)

// mostNames are asked for at once.
const mostNames = 8

// namesOf are what members are called, by uid: their given names, or else the addresses that they sign in with. It leaves out uids of no
// member and of former members, and those that identity does not name in time: the rest of the screen does not wait.
func (s *Screens) namesOf(ctx context.Context, actors []string) map[string]string {
	ctx, cancel := context.WithTimeout(ctx, partTime)
	defer cancel()
	var (
		all   errgroup.Group
		mu    sync.Mutex
		names = map[string]string{}
		asked = map[string]bool{}
	)
	all.SetLimit(mostNames)
	for _, uid := range actors {
		if uuid.Validate(uid) != nil || asked[uid] {
			continue
		}
		asked[uid] = true
		all.Go(func() error {
			res, err := s.Clients.Users.GetUser(ctx, &identityv1.GetUserRequest{Uid: uid})
			if err != nil {
				return nil // the uid is shown in its place
			}
			mu.Lock()
			defer mu.Unlock()
			names[uid] = nameOf(res.GetUser())
			return nil
		})
	}
	_ = all.Wait()
	return names
}

func nameOf(u *identityv1.User) string {
	if u.GetGivenName() != "" {
		return u.GetGivenName()
	}
	return u.GetEmail()
}
