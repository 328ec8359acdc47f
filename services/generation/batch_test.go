package generation

import (
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	generationv1 "serein.app/proto/gen/serein/generation/v1"
	"serein.app/services/generation/internal/meditation"
	store "serein.app/services/generation/internal/postgres"
	"serein.app/services/platform/auth"
	"serein.app/services/platform/errs"
	"serein.app/services/platform/outbox"
)

func TestSeveralMeditationsAreReadAtOnceAndOnlyTheMembersOwn(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	h.recorder.hook(newGate(0).before)
	url, _ := h.service(h.fakes())
	c := client(t, "gateway", url)
	uid, other := h.member(8).String(), h.member(8).String()
	ctx := auth.WithMember(t.Context(), uid)
	create := func(uid string) string {
		created, err := c.CreateMeditation(auth.WithMember(t.Context(), uid), createRequest())
		require.NoError(t, err)
		return created.GetMeditation().GetId()
	}
	mine, stopped, theirs := create(uid), create(uid), create(other)
	_, err := c.CancelMeditation(ctx, &generationv1.CancelMeditationRequest{Id: stopped})
	require.NoError(t, err)

	res, err := c.BatchGetMeditations(ctx, &generationv1.BatchGetMeditationsRequest{
		Ids: []string{theirs, stopped, mine, uuid.NewString(), "", "nothing", "' OR 1=1 --", mine},
	})
	require.NoError(t, err)
	titles, ids := map[string]string{}, []string{}
	for _, m := range res.GetMeditations() {
		titles[m.GetId()], ids = m.GetTitle(), append(ids, m.GetId())
	}
	want := []string{mine, stopped}
	slices.Sort(ids)
	slices.Sort(want)
	require.Equal(t, want, ids)
	require.Equal(t, "A quiet evening", titles[mine])

	for _, ids := range [][]string{nil, slices.Repeat([]string{mine}, 101), {string(make([]byte, 65))}} {
		_, err := c.BatchGetMeditations(ctx, &generationv1.BatchGetMeditationsRequest{Ids: ids})
		require.Equal(t, errs.Invalid, errs.KindOf(err))
	}
	_, err = client(t, "content", url).BatchGetMeditations(ctx, &generationv1.BatchGetMeditationsRequest{Ids: []string{mine}})
	require.ErrorIs(t, err, auth.ErrForbidden)
	_, err = c.BatchGetMeditations(t.Context(), &generationv1.BatchGetMeditationsRequest{Ids: []string{mine}})
	require.ErrorIs(t, err, auth.ErrUnauthenticated)
}

func TestAHundredMeditationsAreOneRoundTripToTheDatabase(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	pool, trips := h.db.CountRoundTrips(t)
	p := h.start(0, time.Minute, func(ports *meditation.Ports) {
		ports.Store = store.New(pool, outbox.New(pool, h.broker, Name, ports.Log, time.Now))
	})
	uid := h.member(2)
	ids := []string{h.create(p, uid).ID.String()}
	for range 99 {
		ids = append(ids, uuid.NewString())
	}
	require.Equal(t, int64(1), trips.Least(func() {
		own, err := p.Own(t.Context(), uid, ids)
		require.NoError(t, err)
		require.Len(t, own, 1)
	}))
}
