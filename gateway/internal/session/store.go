package session

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/redis/go-redis/v9"

	"serein.app/services/platform/seal"
)

// store is the Redis side: one string a session, sealed, one lock a renewal, and for each member and each session at
// the provider the hashes of theirs.
type store struct {
	redis redis.UniversalClient
	seal  *seal.Sealer
}

func recordKey(hash string) string { return "serein:session:" + hash }
func lockKey(hash string) string   { return "serein:session:" + hash + ":renew" }

// A provider's session is named by its hash too: the name is in ID tokens, which others may have seen.
func providedKey(sid string) string { return "serein:provided:" + Hash(sid) }
func overKey(sid string) string     { return "serein:provided:" + Hash(sid) + ":over" }

// away is the lock's value while the provider is known not to answer.
const away = "away"

// A member's sessions are found by the hash of who they are at the provider.
func memberKey(uid string) string     { return "serein:member:" + Hash(uid) }
func memberOverKey(uid string) string { return "serein:member:" + Hash(uid) + ":over" }

// putScript writes a record, notes whose it is and of which provider's session it came, and says whether either is over.
var putScript = redis.NewScript(`
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', ARGV[4])
redis.call('ZADD', KEYS[2], ARGV[5], ARGV[3])
redis.call('PEXPIREAT', KEYS[2], ARGV[5])
local over = redis.call('GET', KEYS[3])
if over and tonumber(over) >= tonumber(ARGV[6]) then return 1 end
if #KEYS == 3 then return 0 end
redis.call('SADD', KEYS[4], ARGV[3])
redis.call('PEXPIREAT', KEYS[4], ARGV[5])
return redis.call('EXISTS', KEYS[5])`)

// put writes a new record. over: its member's sessions, or those of its provider's session, have ended meanwhile, so
// that it is worth nothing.
func (s *store) put(ctx context.Context, hash string, r record, idle time.Duration, now time.Time) (over bool, err error) {
	sealed, err := s.seal.Seal(recordKey(hash), r)
	if err != nil {
		return false, err
	}
	keys := []string{recordKey(hash), memberKey(r.Member.UID), memberOverKey(r.Member.UID)}
	if r.SID != "" {
		keys = append(keys, providedKey(r.SID), overKey(r.SID))
	}
	return putScript.Run(ctx, s.redis, keys,
		sealed, idle.Milliseconds(), hash, now.UnixMilli(), r.EndsAt.UnixMilli(), r.IssuedAt.Unix()).Bool()
}

// memberScript notes until when a member's sessions are over, never less than before, and gives those that are known.
var memberScript = redis.NewScript(`
local over = redis.call('GET', KEYS[1])
if not over or tonumber(over) < tonumber(ARGV[1]) then redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2]) end
return redis.call('ZRANGE', KEYS[2], 0, -1)`)

// ofMember gives the hashes of a member's sessions, and notes first that those up to that time are over.
func (s *store) ofMember(ctx context.Context, uid string, until time.Time, life time.Duration) ([]string, error) {
	return memberScript.Run(ctx, s.redis, []string{memberOverKey(uid), memberKey(uid)}, until.Unix(), life.Milliseconds()).StringSlice()
}

// providedScript notes that a provider's session is over and gives what came of it.
var providedScript = redis.NewScript(`
redis.call('SET', KEYS[1], 1, 'PX', ARGV[1])
return redis.call('SMEMBERS', KEYS[2])`)

// provided gives the hashes of the sessions that came of a provider's session, and notes first that
// it is over: one that is being made now finds that. Both are one script: of a transaction that Redis refuses half way
// the client leaves answers unread on its connection, which the next question may take for its own.
func (s *store) provided(ctx context.Context, sid string, life time.Duration) ([]string, error) {
	return providedScript.Run(ctx, s.redis, []string{overKey(sid), providedKey(sid)}, life.Milliseconds()).StringSlice()
}

// touch reads a record and restarts its idle time, in one round trip.
func (s *store) touch(ctx context.Context, hash string, idle time.Duration) (record, []byte, error) {
	return s.open(hash, s.redis.GetEx(ctx, recordKey(hash), idle))
}

func (s *store) read(ctx context.Context, hash string) (record, []byte, error) {
	return s.open(hash, s.redis.Get(ctx, recordKey(hash)))
}

// take removes a record and gives what it held.
func (s *store) take(ctx context.Context, hash string) (record, error) {
	r, _, err := s.open(hash, s.redis.GetDel(ctx, recordKey(hash)))
	return r, err
}

func (s *store) open(hash string, answer *redis.StringCmd) (record, []byte, error) {
	sealed, err := answer.Bytes()
	if errors.Is(err, redis.Nil) {
		return record{}, nil, ErrNone
	}
	if err != nil {
		return record{}, nil, ErrUnsure.Because(fmt.Errorf("redis: %w", err))
	}
	var r record
	if err := s.seal.Open(recordKey(hash), sealed, &r); err != nil {
		// Sealed with another secret (it was changed) or damaged: nobody can use it again.
		return record{}, nil, ErrNone.Because(err)
	}
	return r, sealed, nil
}

// replaceScript writes a renewed record only over the one it came from: never over a sign-out,
// never over another renewal. Where the renewed record stands already it
// answers 1 as well: the first answer was lost on its way, and the script ran a second time.
var replaceScript = redis.NewScript(`
local now = redis.call('GET', KEYS[1])
if now == ARGV[2] then return 1 end
if now ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[2], 'KEEPTTL')
return 1`)

func (s *store) replace(ctx context.Context, hash string, old []byte, r record) (bool, error) {
	sealed, err := s.seal.Seal(recordKey(hash), r)
	if err != nil {
		return false, err
	}
	return replaceScript.Run(ctx, s.redis, []string{recordKey(hash)}, old, sealed).Bool()
}

// dropScript removes a record only while it is the one that was refused.
var dropScript = redis.NewScript(`
if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end
return 0`)

func (s *store) drop(ctx context.Context, hash string, old []byte) error {
	return dropScript.Run(ctx, s.redis, []string{recordKey(hash)}, old).Err()
}

func (s *store) lock(ctx context.Context, hash, token string, life time.Duration) (bool, error) {
	return s.redis.SetNX(ctx, lockKey(hash), token, life).Result()
}

func (s *store) lockHolder(ctx context.Context, hash string) (string, error) {
	holder, err := s.redis.Get(ctx, lockKey(hash)).Result()
	if errors.Is(err, redis.Nil) {
		return "", nil
	}
	return holder, err
}

func (s *store) markAway(ctx context.Context, hash string, life time.Duration) error {
	return s.redis.Set(ctx, lockKey(hash), away, life).Err()
}

func (s *store) unlock(ctx context.Context, hash, token string) error {
	return dropScript.Run(ctx, s.redis, []string{lockKey(hash)}, token).Err()
}
