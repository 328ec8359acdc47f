package pagetoken_test

import (
	"encoding/base64"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	errorsv1 "serein.app/proto/gen/serein/errors/v1"
	"serein.app/services/platform/errs"
	"serein.app/services/platform/pagetoken"
)

type place struct {
	At     pagetoken.Time
	ID     uuid.UUID
	Name   string
	Number int64
}

var (
	at    = time.Date(2026, 11, 21, 3, 4, 5, 678901000, time.UTC)
	id    = uuid.MustParse("01a1fc32-6def-7867-a724-f88c427cd082")
	some  = place{pagetoken.Time{Time: at}, id, "a.b", -20}
	first = place{Number: math.MaxInt64}
)

func TestAPlaceComesBackAsItWas(t *testing.T) {
	t.Parallel()
	for _, p := range []place{{}, some, first} {
		token := pagetoken.Encode(p)
		require.Less(t, len(token), pagetoken.MaxLen)
		got, err := pagetoken.Decode(token, some)
		require.NoError(t, err)
		require.Equal(t, p, got)
	}
	got, err := pagetoken.Decode("", first)
	require.NoError(t, err)
	require.Equal(t, first, got)
	number, err := pagetoken.Decode(pagetoken.Encode(int64(7)), int64(0))
	require.NoError(t, err)
	require.EqualValues(t, 7, number)
}

func TestAMomentHasOneTokenInEveryZone(t *testing.T) {
	t.Parallel()
	there := some
	there.At = pagetoken.Time{Time: at.In(time.FixedZone("there", 3600))}
	require.Equal(t, pagetoken.Encode(some), pagetoken.Encode(there))
}

// wrong are refused: no tokens, other spellings of one, and places of another list.
func wrong() map[string]string {
	spelled := func(text string) string { return base64.RawURLEncoding.EncodeToString([]byte(text)) }
	text := `{"At":"2026-11-21T03:04:05.678901Z","ID":"` + id.String() + `","Name":"a.b","Number":-20}`
	token := spelled(text)
	changed := func(from, to string) string { return spelled(strings.Replace(text, from, to, 1)) }
	return map[string]string{
		"no base64":             "%%%",
		"no JSON":               spelled("nonsense"),
		"null":                  spelled("null"),
		"padding":               token + "=",
		"a line break":          token[:4] + "\n" + token[4:],
		"a space":               changed(`,`, `, `),
		"another field":         changed(`{`, `{"More":1,`),
		"a field twice":         changed(`{`, `{"Number":1,`),
		"another order":         changed(`"Name":"a.b","Number":-20`, `"Number":-20,"Name":"a.b"`),
		"another case":          changed(`"Name"`, `"name"`),
		"an escape":             changed(`a.b`, `\u0061.b`),
		"a number's exponent":   changed(`-20`, `-2e1`),
		"a field missing":       changed(`,"Number":-20`, ``),
		"a zone":                changed(`03:04:05.678901Z`, `04:04:05.678901+01:00`),
		"another zone of UTC":   changed(`678901Z`, `678901+00:00`),
		"a year of five digits": changed(`2026-11-21T03:04:05.678901Z`, `9999-12-31T23:59:59-23:59`),
		"another UUID form":     changed(id.String(), id.URN()),
		"too long":              changed(`a.b`, strings.Repeat("a", pagetoken.MaxLen)),
		"another list's place":  pagetoken.Encode(struct{ Number int64 }{-20}),
	}
}

func TestEveryOtherTokenIsRefusedWithOneReason(t *testing.T) {
	t.Parallel()
	for name, token := range wrong() {
		got, err := pagetoken.Decode(token, first)
		require.ErrorIs(t, err, pagetoken.ErrInvalid, name)
		require.True(t, errs.Has(err, errorsv1.Reason_REASON_PAGE_TOKEN_INVALID), name)
		require.Equal(t, first, got, name)
	}
	// "MQ" is the number 1; "MR" has other bits behind its end, which base64 passes over.
	_, err := pagetoken.Decode("MR", int64(0))
	require.ErrorIs(t, err, pagetoken.ErrInvalid)
}

// FuzzATokenIsAPlaceOrRefused: whatever is sent as a token is refused, or is the token of the place that it names.
func FuzzATokenIsAPlaceOrRefused(f *testing.F) {
	f.Add(pagetoken.Encode(some))
	for _, token := range wrong() {
		f.Add(token)
	}
	f.Fuzz(func(t *testing.T, token string) {
		got, err := pagetoken.Decode(token, first)
		switch {
		case err != nil:
			require.ErrorIs(t, err, pagetoken.ErrInvalid)
		case token == "":
			require.Equal(t, first, got)
		default:
			require.Equal(t, token, pagetoken.Encode(got))
			require.LessOrEqual(t, len(token), pagetoken.MaxLen)
		}
	})
}
