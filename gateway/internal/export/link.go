package export

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"

	"serein.app/services/platform/errs"
)

// Path is where the links lead.
const Path = "/media/exports/{id}"

// Link is one download.
type Link struct {
	Path     string
	FileName string
	// Bytes that it will be, as long as nothing is added until then.
	Bytes     int64
	ExpiresAt time.Time
}

// Make measures a member's copy, which proves that it can be made, and links to it; a link of before ends. Errors: UNAVAILABLE while a
// service that keeps a part of it is away, or so many copies are being made that this one would not be soon.
func (e *Exports) Make(ctx context.Context, uid, sid string) (Link, error) {
	all, err := e.copyOf(ctx, uid, sid)
	if err != nil {
		return Link{}, err
	}
	size, err := all.size()
	if err != nil {
		return Link{}, err
	}
	id := uuid.NewString()
	if err := e.Redis.Set(ctx, key(uid), id, linkLife).Err(); err != nil {
		return Link{}, errs.ErrUnavailable.Because(err)
	}
	return Link{Path: "/media/exports/" + id, FileName: all.fileName(), Bytes: size, ExpiresAt: e.Now().Add(linkLife)}, nil
}

// key of a member's one link, which is its id.
func key(uid string) string { return "export:" + uid }

// leads says whether a link is the member's one. It stays good.
func (e *Exports) leads(ctx context.Context, uid, id string) (bool, error) {
	kept, err := e.Redis.Get(ctx, key(uid)).Result()
	if err != nil && !errors.Is(err, redis.Nil) {
		return false, errs.ErrUnavailable.Because(err)
	}
	return kept == id, nil
}

// taken uses a link up, if it is the one.
var taken = redis.NewScript(`if redis.call("GET", KEYS[1]) == ARGV[1] then return redis.call("DEL", KEYS[1]) end return 0`)

func (e *Exports) take(ctx context.Context, uid, id string) (bool, error) {
	n, err := taken.Run(ctx, e.Redis, []string{key(uid)}, id).Int()
	if err != nil {
		return false, errs.ErrUnavailable.Because(err)
	}
	return n == 1, nil
}
