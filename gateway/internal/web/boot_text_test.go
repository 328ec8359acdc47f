package web

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"

	webv1 "serein.app/proto/gen/serein/web/v1"
)

func TestABootBlockSaysTheAnswerWithItsOwnTimeWhoeverAskedBefore(t *testing.T) {
	t.Parallel()
	texts := newBootTexts(time.Now)
	amara := &webv1.Member{Uid: "amara", GivenName: "Amara </script>", Credits: &webv1.Credits{Plan: 3}}
	spent := proto.CloneOf(amara)
	spent.Credits.Plan = 2
	began := time.Date(2026, 11, 22, 8, 0, 0, 5_000_000, time.UTC)
	written := map[*byte]bool{}
	for i, member := range []*webv1.Member{nil, amara, spent, amara, nil, {Uid: "ben"}} {
		answer := &webv1.GetSessionResponse{Member: member, ServerTime: timestamppb.New(began.Add(time.Duration(i) * time.Minute))}
		want := proto.CloneOf(answer)
		text, err := texts.of(answer)
		require.NoError(t, err)
		read := new(webv1.GetSessionResponse)
		require.NoError(t, protojson.Unmarshal(text, read))
		require.True(t, proto.Equal(want, read), "%s", text)
		require.True(t, proto.Equal(want, answer), "the answer is as it was")
		kept, err := texts.timeless(answer)
		require.NoError(t, err)
		written[&kept[0]] = true
	}
	require.Len(t, written, 4, "what was said before is not written again")
}
