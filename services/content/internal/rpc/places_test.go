package rpc_test

import (
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	errorsv1 "serein.app/proto/gen/serein/errors/v1"
	"serein.app/services/platform/auth"
)

// listen begins an item on a device, and stops a minute later.
func (h *harness) listen(t *testing.T, who auth.Subject, kind contentv1.ItemKind, id, device string) {
	t.Helper()
	ctx, item := auth.WithSubject(t.Context(), who), &contentv1.ItemRef{Kind: kind, Id: id}
	begun, err := h.StartListening(ctx, &contentv1.StartListeningRequest{Item: item, Device: device, TakeOver: true})
	require.NoError(t, err)
	saved, err := h.SavePlace(ctx, &contentv1.SavePlaceRequest{Item: item, Turn: begun.GetTurn(), Step: 1, PositionMs: 60_000, DurationMs: 600_000})
	require.NoError(t, err)
	require.False(t, saved.GetMoved())
}

func (h *harness) position(t *testing.T, who auth.Subject, kind contentv1.ItemKind, id string) int64 {
	t.Helper()
	res, err := h.GetPlace(auth.WithSubject(t.Context(), who), &contentv1.GetPlaceRequest{Item: &contentv1.ItemRef{Kind: kind, Id: id}})
	require.NoError(t, err)
	return res.GetPositionMs()
}

func TestAPlaceIsKeptOfWhatAMemberMayHear(t *testing.T) {
	t.Parallel()
	h := filled(t)
	h.prepare(t)
	mine, device := uuid.New(), uuid.NewString()
	h.own = map[uuid.UUID]string{mine: member.UID}
	const notFound, notEntitled = errorsv1.Reason_REASON_ITEM_NOT_FOUND, errorsv1.Reason_REASON_SUBSCRIPTION_REQUIRED
	for _, of := range []struct {
		who    auth.Subject
		kind   contentv1.ItemKind
		id     string
		reason errorsv1.Reason
	}{
		{member, anArticle, otherArticle, notEntitled},
		{subscriber, aMeditation, "four-postcards", notEntitled},
		{listener, aMeditation, "the-leaning-hawthorn", notFound},
		{subscriber, anArticle, "nothing", notFound},
		{subscriber, anOwnOne, mine.String(), notFound},
		{subscriber, anOwnOne, uuid.NewString(), notFound},
		{member, anOwnOne, "nothing", notFound},
		{nobody, anArticle, openArticle, errorsv1.Reason_REASON_UNAUTHENTICATED},
	} {
		_, err := h.StartListening(auth.WithSubject(t.Context(), of.who), &contentv1.StartListeningRequest{
			Item: &contentv1.ItemRef{Kind: of.kind, Id: of.id}, Device: device, TakeOver: true,
		})
		require.Equal(t, of.reason, reasonOf(err), "%v %s", of.who, of.id)
	}
	h.listen(t, member, anOwnOne, mine.String(), device)
	h.listen(t, listener, aMeditation, "four-postcards", device)
	require.EqualValues(t, 60_000, h.position(t, member, anOwnOne, mine.String()))
	require.Zero(t, h.position(t, subscriber, anOwnOne, mine.String()), "as if it did not exist")
	require.Zero(t, h.position(t, subscriber, anOwnOne, uuid.NewString()))
}

func TestPlacesAreShownWithTheirCardsWhileTheyMayBeHeard(t *testing.T) {
	t.Parallel()
	h := filled(t)
	h.prepare(t)
	_, err := h.Pool.Exec(t.Context(), `UPDATE cards SET card = jsonb_set(card, '{Audio}', '"0a.mp3"')`)
	require.NoError(t, err)
	all := auth.Subject{UID: uuid.NewString(), Entitlements: []string{"articles", "library"}}
	mine, device := uuid.New(), uuid.NewString()
	h.own = map[uuid.UUID]string{mine: all.UID}
	h.listen(t, all, anArticle, openArticle, device)
	h.listen(t, all, anArticle, otherArticle, device)
	h.listen(t, all, anOwnOne, mine.String(), device)
	h.listen(t, all, aMeditation, "four-postcards", device)
	list := func(who auth.Subject, size int32) (ids []string) {
		res, err := h.ListPlaces(auth.WithSubject(t.Context(), who), &contentv1.ListPlacesRequest{PageSize: size})
		require.NoError(t, err)
		for _, p := range res.GetPlaces() {
			require.EqualValues(t, 60_000, p.GetPositionMs())
			require.EqualValues(t, 600_000, p.GetDurationMs())
			switch p.GetItem().GetKind() {
			case anArticle:
				require.Equal(t, p.GetItem().GetId(), p.GetArticle().GetId())
			case aMeditation:
				require.Equal(t, "narrations/0a.mp3", p.GetMeditation().GetAudioPath())
			default:
				require.Nil(t, p.GetCard())
			}
			ids = append(ids, p.GetItem().GetId())
		}
		return ids
	}
	require.Equal(t, []string{"four-postcards", mine.String(), otherArticle, openArticle}, list(all, 0))
	require.Equal(t, []string{"four-postcards", mine.String()}, list(all, 2))
	lapsed := auth.Subject{UID: all.UID}
	require.Equal(t, []string{mine.String(), openArticle}, list(lapsed, 2))
	require.Empty(t, list(subscriber, 0))

	exported, err := h.ExportPlaces(auth.WithSubject(t.Context(), lapsed), &contentv1.ExportPlacesRequest{})
	require.NoError(t, err)
	require.Len(t, exported.GetPlaces(), 4, "all that is kept, whatever the plan")
	require.NotEmpty(t, exported.GetPlaces()[0].GetTitle())
	require.Empty(t, exported.GetPlaces()[1].GetTitle())
}
