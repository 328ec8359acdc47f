package rpc_test

import (
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	errorsv1 "serein.app/proto/gen/serein/errors/v1"
	"serein.app/services/platform/auth"
)

const (
	anArticle    = contentv1.ItemKind_ITEM_KIND_ARTICLE
	aMeditation  = contentv1.ItemKind_ITEM_KIND_MEDITATION
	anOwnOne     = contentv1.ItemKind_ITEM_KIND_BESPOKE
	openArticle  = "plain-answers-for-a-first-sitting"
	otherArticle = "awake-at-three"
)

func itemsOf(kind contentv1.ItemKind, ids ...string) *contentv1.ItemList {
	list := &contentv1.ItemList{}
	for _, id := range ids {
		list.Items = append(list.Items, &contentv1.ItemRef{Kind: kind, Id: id})
	}
	return list
}

// idsOf are the items by id, in their order.
func idsOf(kept []*contentv1.KeptItem) (ids []string) {
	for _, k := range kept {
		ids = append(ids, k.GetItem().GetId())
	}
	return ids
}

// kept returns what a member has saved and likes.
func kept(t *testing.T, h *harness, who auth.Subject) *contentv1.ListKeptResponse {
	t.Helper()
	got, err := h.ListKept(auth.WithSubject(t.Context(), who), &contentv1.ListKeptRequest{})
	require.NoError(t, err)
	return got
}

// told is how many events were told.
func (h *harness) told(t *testing.T) (n int) {
	t.Helper()
	require.NoError(t, h.Pool.QueryRow(t.Context(), `SELECT count(*) FROM outbox`).Scan(&n))
	return n
}

func TestListsAreReplacedAsTheyAreGivenAndAnotherStays(t *testing.T) {
	t.Parallel()
	h := filled(t)
	ctx := auth.WithSubject(t.Context(), subscriber)
	replace := func(req *contentv1.ReplaceKeptRequest) {
		t.Helper()
		_, err := h.ReplaceKept(ctx, req)
		require.NoError(t, err)
	}
	require.Empty(t, kept(t, h, subscriber).GetSaved())
	replace(&contentv1.ReplaceKeptRequest{Saved: itemsOf(anArticle, otherArticle, openArticle, otherArticle), Liked: itemsOf(anArticle, openArticle)})
	got := kept(t, h, subscriber)
	require.Equal(t, []string{otherArticle, openArticle}, idsOf(got.GetSaved()), "the first is the newest, and each is there once")
	require.Equal(t, "Awake at Three", got.GetSaved()[0].GetTitle())
	require.Equal(t, "2026-07-04", got.GetSaved()[0].GetCreatedAt().AsTime().Format("2006-01-02"), "when it was made")
	require.Equal(t, []string{openArticle}, idsOf(got.GetLiked()))

	told := h.told(t)
	replace(&contentv1.ReplaceKeptRequest{Saved: itemsOf(anArticle, otherArticle, openArticle)})
	require.Equal(t, told, h.told(t), "the same again tells nobody")
	replace(&contentv1.ReplaceKeptRequest{Saved: &contentv1.ItemList{}})
	got = kept(t, h, subscriber)
	require.Empty(t, got.GetSaved())
	require.Equal(t, []string{openArticle}, idsOf(got.GetLiked()), "a list that is not named stays")
	require.Equal(t, told+2, h.told(t))
}

func TestAListWithOneItemThatMayNotBeKeptChangesNothing(t *testing.T) {
	t.Parallel()
	h := filled(t)
	h.prepare(t)
	mine := uuid.New()
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
		{subscriber, anArticle, "a\x00b", notFound},
		{subscriber, anOwnOne, mine.String(), notFound},
		{member, anOwnOne, "nothing", notFound},
		{member, anOwnOne, "a\x00b", notFound},
		{nobody, anArticle, openArticle, errorsv1.Reason_REASON_UNAUTHENTICATED},
		{member, anOwnOne, mine.String(), 0},
		{admin, aMeditation, "the-leaning-hawthorn", 0},
	} {
		list := itemsOf(of.kind, of.id)
		list.Items = append(list.Items, itemsOf(anArticle, openArticle).GetItems()...)
		ctx := auth.WithSubject(t.Context(), of.who)
		for _, check := range []bool{true, false} {
			_, err := h.ReplaceKept(ctx, &contentv1.ReplaceKeptRequest{Saved: list, Liked: list, CheckOnly: check})
			if of.reason == 0 {
				require.NoError(t, err, of.id)
			} else {
				require.Equal(t, of.reason, reasonOf(err), "%v %s", of.who, of.id)
			}
			if of.who.UID != nobody.UID && (check || err != nil) {
				got := kept(t, h, of.who)
				require.Empty(t, append(got.GetSaved(), got.GetLiked()...), of.id)
			}
		}
		if of.reason == 0 {
			require.Len(t, kept(t, h, of.who).GetSaved(), 2)
		}
	}
}

// Who may not read on any more keeps what they have, and what they do not get they cannot lose.
func TestWhatAMemberDoesNotGetAnyMoreIsNeitherListedNorLost(t *testing.T) {
	t.Parallel()
	h := filled(t)
	h.prepare(t)
	as := func(s auth.Subject, list *contentv1.ItemList) error {
		_, err := h.ReplaceKept(auth.WithSubject(t.Context(), s), &contentv1.ReplaceKeptRequest{Saved: list})
		return err
	}
	require.NoError(t, as(admin, itemsOf(aMeditation, "the-leaning-hawthorn", "four-postcards")))
	was := auth.Subject{UID: admin.UID}
	require.Equal(t, []string{"four-postcards"}, idsOf(kept(t, h, was).GetSaved()))
	require.NoError(t, as(was, itemsOf(aMeditation, "four-postcards")), "what is kept already is not asked about")
	require.NoError(t, as(was, &contentv1.ItemList{}))
	require.Equal(t, []string{"the-leaning-hawthorn"}, idsOf(kept(t, h, admin).GetSaved()))
}

func TestAMeditationThatIsNamedByItsIDAloneIsTheOneOfTheListOrTheLibrarysOrTheMembersOwn(t *testing.T) {
	t.Parallel()
	h := filled(t)
	h.prepare(t)
	const ofLibrary = "four-postcards"
	mine, someones := uuid.New(), uuid.New()
	h.own = map[uuid.UUID]string{mine: listener.UID, someones: member.UID}
	ctx := auth.WithSubject(t.Context(), listener)
	replace := func(list *contentv1.ItemList) error {
		_, err := h.ReplaceKept(ctx, &contentv1.ReplaceKeptRequest{Saved: list, Liked: list})
		return err
	}
	require.NoError(t, replace(&contentv1.ItemList{MeditationIds: []string{ofLibrary, strings.ToUpper(mine.String())}}))
	want := []*contentv1.ItemRef{{Kind: aMeditation, Id: ofLibrary}, {Kind: anOwnOne, Id: mine.String()}}
	got := kept(t, h, listener)
	for _, list := range [][]*contentv1.KeptItem{got.GetSaved(), got.GetLiked()} {
		require.Len(t, list, len(want))
		for i, k := range list {
			require.True(t, proto.Equal(want[i], k.GetItem()), k)
		}
	}

	h.own = nil
	told := h.told(t)
	require.NoError(t, replace(&contentv1.ItemList{MeditationIds: []string{mine.String(), ofLibrary}}), "what is in the list already is not looked up")
	require.Equal(t, told, h.told(t))
	for _, id := range []string{someones.String(), "the-leaning-hawthorn", openArticle, "nothing", "a\x00b"} {
		require.Equal(t, errorsv1.Reason_REASON_ITEM_NOT_FOUND, reasonOf(replace(&contentv1.ItemList{MeditationIds: []string{ofLibrary, id}})), id)
	}
	require.Equal(t, told, h.told(t))
}
