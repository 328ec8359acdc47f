package rpc_test

import (
	"context"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	errorsv1 "serein.app/proto/gen/serein/errors/v1"
	"serein.app/services/platform/auth"
)

func TestAMemberWritesChangesRemovesAndEmptiesTheirOwnDiary(t *testing.T) {
	t.Parallel()
	h := filled(t)
	ctx, stranger := auth.WithSubject(t.Context(), member), auth.WithSubject(t.Context(), listener)
	_, err := h.SetKeeping(ctx, &contentv1.SetKeepingRequest{Keeping: true})
	require.NoError(t, err)
	var ids []string
	for _, line := range []string{"Sat by myself\nfor ten minutes. ", "Slept."} {
		added, err := h.AddEntry(ctx, &contentv1.AddEntryRequest{Id: uuid.NewString(), Day: "2027-01-02", Line: line})
		require.NoError(t, err)
		require.True(t, added.GetEntry().GetByHand())
		ids = append(ids, added.GetEntry().GetId())
	}
	first, err := h.ListEntries(ctx, &contentv1.ListEntriesRequest{PageSize: 1})
	require.NoError(t, err)
	require.True(t, first.GetKeeping())
	require.Equal(t, ids[1], first.GetEntries()[0].GetId())
	rest, err := h.ListEntries(ctx, &contentv1.ListEntriesRequest{PageToken: first.GetNextPageToken()})
	require.NoError(t, err)
	require.Equal(t, "Sat by myself for ten minutes.", rest.GetEntries()[0].GetLine())
	require.Equal(t, "2027-01-02", rest.GetEntries()[0].GetDay())
	require.Empty(t, rest.GetNextPageToken())

	const notFound = errorsv1.Reason_REASON_DIARY_ENTRY_NOT_FOUND
	_, err = h.ChangeEntry(stranger, &contentv1.ChangeEntryRequest{Id: ids[0], Line: "Theirs"})
	require.Equal(t, notFound, reasonOf(err))
	_, err = h.RestoreEntry(stranger, &contentv1.RestoreEntryRequest{Id: ids[0]})
	require.Equal(t, notFound, reasonOf(err))
	theirs, err := h.ListEntries(stranger, &contentv1.ListEntriesRequest{})
	require.NoError(t, err)
	require.Empty(t, theirs.GetEntries())
	require.False(t, theirs.GetKeeping())

	changed, err := h.ChangeEntry(ctx, &contentv1.ChangeEntryRequest{Id: ids[0], Line: "Ten minutes."})
	require.NoError(t, err)
	require.Equal(t, "Ten minutes.", changed.GetEntry().GetLine())
	_, err = h.RemoveEntry(ctx, &contentv1.RemoveEntryRequest{Id: ids[0]})
	require.NoError(t, err)
	restored, err := h.RestoreEntry(ctx, &contentv1.RestoreEntryRequest{Id: ids[0]})
	require.NoError(t, err)
	require.Equal(t, "Ten minutes.", restored.GetEntry().GetLine())
	_, err = h.EmptyDiary(ctx, &contentv1.EmptyDiaryRequest{})
	require.NoError(t, err)
	emptied, err := h.ListEntries(ctx, &contentv1.ListEntriesRequest{})
	require.NoError(t, err)
	require.Empty(t, emptied.GetEntries())
	require.True(t, emptied.GetKeeping())
}

func TestADiaryRefusesWhatIsNoEntryAndWhoIsNoMember(t *testing.T) {
	t.Parallel()
	h := filled(t)
	ctx := auth.WithSubject(t.Context(), member)
	add := func(ctx context.Context, day, line string) error {
		_, err := h.AddEntry(ctx, &contentv1.AddEntryRequest{Id: uuid.NewString(), Day: day, Line: line})
		return err
	}
	require.Equal(t, errorsv1.Reason_REASON_DIARY_LINE_REQUIRED, reasonOf(add(ctx, "2027-01-02", " \n")))
	require.Equal(t, errorsv1.Reason_REASON_DIARY_DAY_INVALID, reasonOf(add(ctx, "2027-01-03", "Tomorrow.")))
	require.Equal(t, errorsv1.Reason_REASON_UNAUTHENTICATED, reasonOf(add(auth.WithSubject(t.Context(), nobody), "2027-01-02", "A line.")))
	_, err := h.ListEntries(ctx, &contentv1.ListEntriesRequest{PageToken: "x"})
	require.Equal(t, errorsv1.Reason_REASON_PAGE_TOKEN_INVALID, reasonOf(err))
	_, err = h.ChangeEntry(ctx, &contentv1.ChangeEntryRequest{Id: "nothing", Line: "A line."})
	require.Equal(t, errorsv1.Reason_REASON_DIARY_ENTRY_NOT_FOUND, reasonOf(err))
}
