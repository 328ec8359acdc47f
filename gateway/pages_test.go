package gateway

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	generationv1 "serein.app/proto/gen/serein/generation/v1"
	"serein.app/proto/gen/serein/generation/v1/generationv1connect"
	"serein.app/services/platform/deadline"
)

func TestMembersAreNotLedHomeWhileRedisIsAway(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.member(t)
	require.True(t, b.opens(t, "/journey"))
	s.redis.Close()
	s.clock.Move(2 * time.Second) // the session's own memory is over
	require.True(t, b.opens(t, "/journey"))
	require.True(t, b.opens(t, "/admin"), "a page holds nothing that its calls do not guard")
}

func TestAPageDoesNotWaitForAServiceThatHangs(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	s.services.give(s.uid(), meditation(mine, generationv1.Stage_STAGE_READY))
	b := s.member(t)
	const get = generationv1connect.MeditationServiceGetMeditationProcedure
	s.services.hanging(get)
	require.True(t, b.opens(t, "/journey/"+mine))
	require.Equal(t, 1, s.services.asks(get))
	require.NotZero(t, s.services.limitOf(get))
	require.LessOrEqual(t, s.services.limitOf(get), deadline.Of(time.Second))
}
