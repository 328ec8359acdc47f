package rpc_test

import (
	"encoding/base64"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	errorsv1 "serein.app/proto/gen/serein/errors/v1"
	"serein.app/services/content/internal/reading"
	"serein.app/services/content/internal/rpc"
)

func TestAPlaceIsReadAsItWasWrittenAndInNoOtherWay(t *testing.T) {
	t.Parallel()
	for _, p := range []reading.Place{{Place: 0, ID: "a"}, {Place: -20, ID: "A.b-c_1"}, {Place: math.MinInt64, ID: "x"}} {
		got, err := rpc.ParsePlace(rpc.PlaceToken(p))
		require.NoError(t, err)
		require.Equal(t, p, got)
	}
	first, err := rpc.ParsePlace("")
	require.NoError(t, err)
	require.Equal(t, reading.First, first)
	wrong := []string{"x", "!", rpc.PlaceToken(reading.Place{Place: 1, ID: "a"}) + "A", rpc.PlaceToken(reading.Place{ID: "a\x00"})}
	for _, text := range []string{
		"null", "{}", "1", `{"Place":1}`, `{"ID":"a","Place":1}`, `{"Place":1,"ID":"a"} `, `{"Place":1,"ID":"a","More":2}`, `{"Place":1e3,"ID":"a"}`, "{\"Place\":1,\"ID\":\"\xff\"}",
	} {
		wrong = append(wrong, base64.RawURLEncoding.EncodeToString([]byte(text)))
	}
	for _, token := range wrong {
		_, err := rpc.ParsePlace(token)
		require.Equal(t, errorsv1.Reason_REASON_PAGE_TOKEN_INVALID, reasonOf(err), token)
	}
}
