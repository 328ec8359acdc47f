package session_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/gateway/internal/session"
)

// weight is the length of all keys and values in Redis, without what a Redis adds to each.
func (b *bundle) weight(tb testing.TB) (bytes int) {
	tb.Helper()
	for _, key := range b.redis.Keys() {
		bytes += len(key)
		var values []string
		var err error
		switch kind := b.redis.Type(key); kind {
		case "string":
			var value string
			value, err = b.redis.Get(key)
			values = []string{value}
		case "set":
			values, err = b.redis.Members(key)
		case "zset":
			values, err = b.redis.ZMembers(key)
		default:
			tb.Fatalf("%s is a %s", key, kind)
		}
		require.NoError(tb, err)
		for _, value := range values {
			bytes += len(value)
		}
	}
	return bytes
}

// BenchmarkCheck is what each call of a member pays: Known within a second of the last look at Redis, Read with a look at it. Both among
// 10,000 sessions; the keys and values of one are weighed with Known.
func BenchmarkCheck(b *testing.B) {
	s := setup(b)
	const sessions = 10_000
	ids := make([]string, sessions)
	for i := range ids {
		grant := s.grant(strings.Repeat("r", 43))
		grant.Member = session.Member{
			UID: fmt.Sprintf("0192f0c1-0000-7000-8000-%012d", i), Username: fmt.Sprint("member", i), GivenName: "Amara", FamilyName: "Lindqvist",
			Email: fmt.Sprintf("member%d@example.org", i),
		}
		grant.SID = fmt.Sprintf("0192f0c1-0000-7000-9000-%012d", i)
		id, _, err := s.here.Create(b.Context(), grant)
		require.NoError(b, err)
		ids[i] = id
	}
	b.Run("Known", func(b *testing.B) {
		for b.Loop() {
			if _, err := s.there.Check(b.Context(), ids[0]); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(s.weight(b))/sessions, "bytes/session")
	})
	b.Run("Read", func(b *testing.B) {
		for n := 0; b.Loop(); n++ {
			if n%sessions == 0 {
				s.clock.Move(2 * time.Second) // what was read before counts no more
			}
			if _, err := s.there.Check(b.Context(), ids[n%sessions]); err != nil {
				b.Fatal(err)
			}
		}
	})
}
