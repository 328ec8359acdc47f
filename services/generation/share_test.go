package generation

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/anypb"
	"google.golang.org/protobuf/types/known/timestamppb"

	eventsv1 "serein.app/proto/gen/serein/events/v1"
	generationv1 "serein.app/proto/gen/serein/generation/v1"
	"serein.app/proto/gen/serein/generation/v1/generationv1connect"
	"serein.app/services/generation/internal/media"
	"serein.app/services/generation/internal/meditation"
	store "serein.app/services/generation/internal/postgres"
	"serein.app/services/platform/auth"
	"serein.app/services/platform/errs"
	"serein.app/services/platform/outbox"
	"serein.app/services/platform/pagetoken"
	"serein.app/services/platform/seal"
	"serein.app/services/testkit"
)

// shared makes a link.
func (h *harness) shared(p *process, uid, id uuid.UUID, name string) meditation.Share {
	h.t.Helper()
	share, err := p.Share(h.t.Context(), uid, id, name)
	require.NoError(h.t, err)
	return share
}

// opens says whether a link leads anywhere, to words and to sound alike.
func (h *harness) opens(p *process, token string) bool {
	h.t.Helper()
	_, _, _, words := p.OpenShare(h.t.Context(), token)
	file, sound := p.OpenSharedAudio(h.t.Context(), token)
	if words == nil {
		require.NoError(h.t, sound)
		require.NoError(h.t, file.Close())
		return true
	}
	require.ErrorIs(h.t, words, meditation.ErrShareNotFound)
	require.ErrorIs(h.t, sound, meditation.ErrShareNotFound)
	return false
}

func TestALinkPlaysForEverybodyUntilItsOwnerEndsIt(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	p := h.start(1, time.Minute)
	uid := h.member(8)
	m, other := h.ready(p, uid), h.ready(p, uid)
	_, err := p.ShareOf(t.Context(), uid, m.ID)
	require.ErrorIs(t, err, meditation.ErrShareNotFound)

	share := h.shared(p, uid, m.ID, "")
	require.Regexp(t, `^[A-Za-z0-9_-]{32}$`, share.Token, "192 bits")
	again := h.shared(p, uid, m.ID, "Amara")
	require.Equal(t, share.Token, again.Token, "one runs at a time, and a link that was sent goes on")
	require.NotEqual(t, share.Token, h.shared(p, uid, other.ID, "").Token)

	opened, found, segments, err := p.OpenShare(t.Context(), share.Token)
	require.NoError(t, err)
	require.Equal(t, m.ID, opened.ID)
	require.Equal(t, "Amara", found.ShownName, "the name is as it was said last")
	require.Len(t, segments, passages)
	file, err := p.OpenSharedAudio(t.Context(), share.Token)
	require.NoError(t, err)
	sound, err := io.ReadAll(file)
	require.NoError(t, errors.Join(err, file.Close()))
	require.Equal(t, wholeSound(m.ID.String()), sound)

	require.NoError(t, p.EndShare(t.Context(), uid, m.ID))
	require.NoError(t, p.EndShare(t.Context(), uid, m.ID), "again changes nothing")
	require.False(t, h.opens(p, share.Token))
	fresh := h.shared(p, uid, m.ID, "")
	require.NotEqual(t, share.Token, fresh.Token, "a link that was ended never comes back")
	require.False(t, h.opens(p, share.Token))
	require.True(t, h.opens(p, fresh.Token))
	for _, token := range []string{"", "x", share.Token[1:], fresh.Token + "A", "\x00"} {
		require.False(t, h.opens(p, token), token)
	}
}

func TestOnlyTheOwnerSharesAndOnlyWhatIsWhole(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	p := h.start(0, time.Minute)
	soon, past := h.clock().Add(time.Minute), h.clock().Add(-time.Minute)
	for _, c := range []struct {
		state     string
		deletesAt *time.Time
		want      error
	}{
		{"queued", nil, meditation.ErrUnshareable},
		{"writing", nil, meditation.ErrUnshareable},
		{"narrating", nil, meditation.ErrUnshareable},
		{"finishing", nil, meditation.ErrUnshareable},
		{"failed", nil, meditation.ErrUnshareable},
		{"cancelled", nil, meditation.ErrUnshareable},
		{"refunded", nil, meditation.ErrUnshareable},
		{"ready", &soon, meditation.ErrMarked},
		{"ready", &past, meditation.ErrDeleted},
		{"deleted", &past, meditation.ErrDeleted},
		{"ready", nil, nil},
	} {
		uid, stranger := h.member(0), h.member(0)
		id := h.has(uid, c.state, c.deletesAt)
		_, err := p.Share(t.Context(), stranger, id, "")
		require.ErrorIs(t, err, meditation.ErrNotFound, c.state)
		_, err = p.Share(t.Context(), uid, id, "")
		require.ErrorIs(t, err, c.want, c.state)
		_, err = p.ShareOf(t.Context(), stranger, id)
		require.ErrorIs(t, err, meditation.ErrNotFound, c.state)
		require.ErrorIs(t, p.EndShare(t.Context(), stranger, id), meditation.ErrNotFound, c.state)
	}
	require.Equal(t, 1, h.count(`SELECT count(*) FROM shares`), "and nobody else has ended it")
	require.ErrorIs(t, p.EndShare(t.Context(), h.member(0), uuid.New()), meditation.ErrNotFound)
}

func TestWhatIsMarkedDeletedIsSharedNoMoreAndARecoveryBringsNoLinkBack(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	p := h.start(0, time.Minute)
	uid := h.member(0)
	id := h.has(uid, "ready", nil)
	share := h.shared(p, uid, id, "")
	_, err := p.MarkDeleted(t.Context(), uid, id)
	require.NoError(t, err)
	_, _, _, err = p.OpenShare(t.Context(), share.Token)
	require.ErrorIs(t, err, meditation.ErrShareNotFound)
	_, err = p.Recover(t.Context(), uid, id)
	require.NoError(t, err)
	_, _, _, err = p.OpenShare(t.Context(), share.Token)
	require.ErrorIs(t, err, meditation.ErrShareNotFound)
	_, err = p.ShareOf(t.Context(), uid, id)
	require.ErrorIs(t, err, meditation.ErrShareNotFound)
}

// TestOfManyAtOnceOneLinkRunsAndNoneOutlivesAMark has links made and ended, and the meditation marked, at the same time.
func TestOfManyAtOnceOneLinkRunsAndNoneOutlivesAMark(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	p := h.start(0, time.Minute)
	uid := h.member(0)
	id := h.has(uid, "ready", nil)
	at := make(chan struct{})
	tokens := make(chan string, 20)
	var all sync.WaitGroup
	for range cap(tokens) {
		all.Go(func() {
			<-at
			share, err := p.Share(t.Context(), uid, id, "")
			if err == nil {
				tokens <- share.Token
			}
		})
	}
	close(at)
	all.Wait()
	close(tokens)
	running, err := p.ShareOf(t.Context(), uid, id)
	require.NoError(t, err)
	for token := range tokens {
		require.Equal(t, running.Token, token, "who made it at the same time has the same link")
	}

	at = make(chan struct{})
	for range 10 {
		all.Go(func() { <-at; require.NoError(t, p.EndShare(t.Context(), uid, id)) })
		all.Go(func() {
			<-at
			if _, err := p.Share(t.Context(), uid, id, ""); err != nil {
				require.ErrorIs(t, err, meditation.ErrMarked)
			}
		})
	}
	all.Go(func() { <-at; _, err := p.MarkDeleted(t.Context(), uid, id); require.NoError(t, err) })
	close(at)
	all.Wait()
	require.Zero(t, h.count(`SELECT count(*) FROM shares`), "whatever came last, what is marked has no link")
}

func TestALinkIsReadInNoCopyOfTheDatabaseAndRunsOnWhenTheKeyIsReplaced(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	p := h.start(0, time.Minute)
	uid := h.member(0)
	id := h.has(uid, "ready", nil)
	share := h.shared(p, uid, id, "")
	var row string
	require.NoError(t, h.db.Pool.QueryRow(t.Context(), `SELECT shares::text FROM shares`).Scan(&row))
	require.NotContains(t, row, share.Token)

	fresh, err := seal.New("another key of at least 32 characters", "", "generation links")
	require.NoError(t, err)
	next := h.start(0, time.Minute, func(ports *meditation.Ports) { ports.Sealer = fresh })
	kept, err := next.ShareOf(t.Context(), uid, id)
	require.NoError(t, err)
	require.Empty(t, kept.Token, "it cannot be shown again")
	_, _, _, err = next.OpenShare(t.Context(), share.Token)
	require.NoError(t, err, "and runs")
	require.NoError(t, next.EndShare(t.Context(), uid, id))
	require.NotEmpty(t, h.shared(next, uid, id, "").Token)
}

func TestAMemberWhoLeavesSharesNothingMore(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	p := h.start(0, time.Minute)
	uid, other := h.member(0), h.member(0)
	h.shared(p, uid, h.has(uid, "ready", nil), "")
	h.shared(p, other, h.has(other, "ready", nil), "")
	consumers, err := membersLeave(h.db.Pool, store.New(h.db.Pool, outbox.New(h.db.Pool, h.broker, Name, testkit.Logger(t), time.Now)))
	require.NoError(t, err)
	hear := func(i int, message proto.Message, at time.Time) {
		payload, err := anypb.New(message)
		require.NoError(t, err)
		require.NoError(t, consumers[i].Handle(t.Context(), &eventsv1.Envelope{
			Id: uuid.NewString(), Time: timestamppb.New(at), Uid: uid.String(), Payload: payload,
		}))
	}
	left := func() int { return h.count(`SELECT count(*) FROM shares WHERE uid = $1`, uid) }

	hear(0, &eventsv1.DeletionScheduled{Uid: uid.String()}, h.clock())
	require.Zero(t, left())
	h.pass(time.Second)
	_, err = p.Share(t.Context(), uid, h.has(uid, "ready", nil), "")
	require.ErrorIs(t, err, meditation.ErrNotFound, "a request that was under way")
	require.Zero(t, left())
	h.pass(time.Minute)
	h.shared(p, uid, h.has(uid, "ready", nil), "")
	hear(0, &eventsv1.DeletionScheduled{Uid: uid.String()}, h.clock().Add(-time.Minute))
	require.Equal(t, 1, left(), "word that comes late ends no link that was made afterwards")
	hear(1, &eventsv1.UserDeleted{Uid: uid.String(), DeletionId: uuid.NewString()}, h.clock())
	require.Equal(t, 1, h.count(`SELECT count(*) FROM shares`), "somebody else's runs")
}

func TestAMembersLinksAreListedPageByPage(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	p := h.start(0, time.Minute)
	uid := h.member(0)
	var made []uuid.UUID
	for range 5 {
		id := h.has(uid, "ready", nil)
		h.shared(p, uid, id, "")
		made = append(made, id)
	}
	other := h.member(0)
	h.shared(p, other, h.has(other, "ready", nil), "")
	var listed []uuid.UUID
	for token, more := "", true; more; more = token != "" {
		page, next, err := p.ListShares(t.Context(), uid, 2, token)
		require.NoError(t, err)
		for _, s := range page {
			require.NotEmpty(t, s.Token)
			listed = append(listed, s.MeditationID)
		}
		token = next
	}
	require.ElementsMatch(t, made, listed)
	_, _, err := p.ListShares(t.Context(), uid, 2, "page two")
	require.ErrorIs(t, err, pagetoken.ErrInvalid)
}

func TestALinkIsOpenedOverTheWireInNobodysName(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	url, _ := h.service(h.fakes())
	shares := generationv1connect.NewShareServiceClient(testkit.Dialer(t, "gateway").To(Name, url))
	uid := h.member(8)
	ctx := auth.WithMember(t.Context(), uid.String())
	id := h.has(uid, "ready", nil).String()
	sound := bytes.Repeat([]byte("calm"), 100)
	require.NoError(t, h.blobs.Put(t.Context(), "meditations/"+id+"/audio.mp3", bytes.NewReader(sound), int64(len(sound))))

	none, err := shares.GetShare(ctx, &generationv1.GetShareRequest{Id: id})
	require.NoError(t, err)
	require.Nil(t, none.GetShare())
	made, err := shares.ShareMeditation(ctx, &generationv1.ShareMeditationRequest{Id: id, ShownName: "Amara"})
	require.NoError(t, err)
	token := made.GetShare().GetToken()
	list, err := shares.ListShares(ctx, &generationv1.ListSharesRequest{})
	require.NoError(t, err)
	require.True(t, proto.Equal(made.GetShare(), list.GetShares()[0]))

	opened, err := shares.OpenShare(t.Context(), &generationv1.OpenShareRequest{Token: token})
	require.NoError(t, err)
	require.Equal(t, "A lantern", opened.GetTitle())
	require.Equal(t, "Amara", opened.GetShownName())
	require.NotContains(t, opened.String(), uid.String())
	require.NotContains(t, opened.String(), id, "it does not name the meditation")

	hearShared := func(token string, header http.Header) *http.Response {
		if header == nil {
			header = http.Header{}
		}
		header.Set(media.ShareHeader, token)
		return hear(t, "gateway", "", url+"/v1/shares/audio", header)
	}
	whole := hearShared(token, nil)
	require.Equal(t, http.StatusOK, whole.StatusCode)
	require.Equal(t, "audio/mpeg", whole.Header.Get("Content-Type"))
	require.Equal(t, "private, no-store", whole.Header.Get("Cache-Control"))
	require.Equal(t, sound, body(t, whole))
	part := hearShared(token, http.Header{"Range": {"bytes=10-19"}})
	require.Equal(t, http.StatusPartialContent, part.StatusCode)
	require.Equal(t, sound[10:20], body(t, part))

	_, err = shares.EndShare(ctx, &generationv1.EndShareRequest{Id: id})
	require.NoError(t, err)
	_, ended := shares.OpenShare(t.Context(), &generationv1.OpenShareRequest{Token: token})
	_, unknown := shares.OpenShare(t.Context(), &generationv1.OpenShareRequest{Token: "nobody"})
	require.Equal(t, errs.NotFound, errs.KindOf(ended))
	require.Equal(t, errs.From(unknown).Public, errs.From(ended).Public, "ended and unknown are the same")
	require.Equal(t, errs.From(unknown).Reason, errs.From(ended).Reason)
	for _, gone := range []string{token, "nobody", ""} {
		res := hearShared(gone, http.Header{"Range": {"bytes=10-19"}})
		require.Equal(t, http.StatusNotFound, res.StatusCode)
		require.Empty(t, body(t, res))
	}
	_, err = shares.GetShare(t.Context(), &generationv1.GetShareRequest{Id: id})
	require.Equal(t, errs.Unauthenticated, errs.KindOf(err), "the owner's calls need the owner")
}
