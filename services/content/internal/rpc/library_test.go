package rpc_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	errorsv1 "serein.app/proto/gen/serein/errors/v1"
	"serein.app/services/content/internal/entry"
	handlers "serein.app/services/content/internal/rpc"
	"serein.app/services/platform/auth"
)

// unverify makes a meditation one that its editors have not listened to, and gives another its sound.
func (h *harness) prepare(t *testing.T) {
	t.Helper()
	for id, values := range map[string]map[string]any{
		"the-leaning-hawthorn": {"verified": false}, "four-postcards": {"audio": "0123456789abcdef0123456789abcdef.mp3", "duration": 300.0},
	} {
		key := entry.Key{Environment: entry.Master, Kind: entry.KindEntry, ID: id}
		item, err := h.store.Item(t.Context(), key)
		require.NoError(t, err)
		for field, value := range values {
			item.Fields[field] = map[string]any{"en-GB": value}
		}
		item, err = h.store.Update(t.Context(), entry.Actor{Name: "amara", Editor: true}, key, item.Version, entry.Draft{Fields: item.Fields})
		require.NoError(t, err)
		_, err = h.store.Publish(t.Context(), entry.Actor{Name: "amara", Editor: true}, key, item.Version)
		require.NoError(t, err)
	}
}

func TestTheLibraryIsListedByWhatTheListenerMayHear(t *testing.T) {
	t.Parallel()
	h := filled(t)
	h.prepare(t)
	_, err := h.Pool.Exec(t.Context(), `INSERT INTO narrations (environment, id, content_type, place, hash, state, wanted_at, next_try_at)
		SELECT environment, id, content_type, 1, md5(id), (ARRAY['waiting', 'waiting', 'narrating', 'failed'])[row_number() OVER ()], now(), now()
		FROM published WHERE content_type = 'meditation' ORDER BY id LIMIT 4`)
	require.NoError(t, err)
	as := func(who auth.Subject, req *contentv1.ListMeditationsRequest) *contentv1.ListMeditationsResponse {
		res, err := h.ListMeditations(auth.WithSubject(t.Context(), who), req)
		require.NoError(t, err)
		require.EqualValues(t, 3, res.GetNarrating(), "neither what failed, nor what nobody narrates")
		return res
	}
	members := as(listener, &contentv1.ListMeditationsRequest{PageSize: 100})
	require.Len(t, members.GetMeditations(), 28)
	require.EqualValues(t, 28, members.GetTotal())
	require.EqualValues(t, 28, members.GetAll())
	require.EqualValues(t, 28, members.GetVoice()+members.GetImmersive())
	heard := 0
	for _, m := range members.GetMeditations() {
		require.True(t, m.GetVerified())
		require.NotEmpty(t, m.GetNarratorName(), m.GetType())
		if m.GetAudioPath() != "" {
			heard++
			require.Equal(t, "narrations/0123456789abcdef0123456789abcdef.mp3", m.GetAudioPath())
		}
	}
	require.Equal(t, 1, heard)
	for _, m := range as(member, &contentv1.ListMeditationsRequest{PageSize: 100}).GetMeditations() {
		require.Empty(t, m.GetAudioPath())
	}
	require.EqualValues(t, 28, as(member, &contentv1.ListMeditationsRequest{OnlyUnverified: true}).GetTotal(), "ignored for others")
	require.EqualValues(t, 29, as(admin, &contentv1.ListMeditationsRequest{}).GetTotal())
	unverified, err := h.ListMeditations(auth.WithSubject(t.Context(), admin), &contentv1.ListMeditationsRequest{OnlyUnverified: true})
	require.NoError(t, err)
	require.Len(t, unverified.GetMeditations(), 1)

	immersive := as(listener, &contentv1.ListMeditationsRequest{Sound: contentv1.Sound_SOUND_IMMERSIVE, PageSize: 100})
	require.Equal(t, members.GetImmersive(), immersive.GetTotal())
	filed := int32(0)
	for _, category := range immersive.GetCategories() {
		of := as(listener, &contentv1.ListMeditationsRequest{Sound: contentv1.Sound_SOUND_IMMERSIVE, Category: category.GetId(), PageSize: 100})
		require.Len(t, of.GetMeditations(), int(category.GetCount()))
		require.Equal(t, immersive.GetTotal(), of.GetAll(), "all without the category")
		filed += category.GetCount()
	}
	require.Equal(t, immersive.GetTotal(), filed)
	intro := as(listener, &contentv1.ListMeditationsRequest{OnlyIntro: true})
	require.Len(t, intro.GetMeditations(), 3)
	require.Equal(t, "Your First Sitting With the Breath", intro.GetMeditations()[0].GetTitle())
	require.Equal(t, "Your First Sitting With Sounds", intro.GetMeditations()[2].GetTitle())
	found := as(listener, &contentv1.ListMeditationsRequest{Search: "postcards"})
	require.Equal(t, "four-postcards", found.GetMeditations()[0].GetSlug())
	_, err = h.ListMeditations(t.Context(), &contentv1.ListMeditationsRequest{Category: "nothing"})
	require.Equal(t, errorsv1.Reason_REASON_CATEGORY_NOT_FOUND, reasonOf(err))
}

func TestAMeditationIsReadByThoseWhoMayHearIt(t *testing.T) {
	t.Parallel()
	h := filled(t)
	h.prepare(t)
	for _, of := range []struct {
		who   auth.Subject
		words bool
	}{{member, false}, {subscriber, false}, {listener, true}, {admin, true}} {
		res, err := h.GetMeditation(auth.WithSubject(t.Context(), of.who), &contentv1.GetMeditationRequest{Id: "four-postcards"})
		require.NoError(t, err)
		require.Equal(t, of.words, len(res.GetParagraphs()) > 5)
		for _, p := range res.GetParagraphs() {
			require.NotContains(t, p, "[pause")
		}
		_, err = h.GetMeditation(auth.WithSubject(t.Context(), of.who), &contentv1.GetMeditationRequest{Id: "the-leaning-hawthorn"})
		if of.who.Admin {
			require.NoError(t, err)
			continue
		}
		require.Equal(t, errorsv1.Reason_REASON_ITEM_NOT_FOUND, reasonOf(err))
	}
}

func TestWhatIsOpenedWithoutItsSoundIsNarratedEarlier(t *testing.T) {
	t.Parallel()
	h := filled(t)
	h.prepare(t)
	ctx := auth.WithSubject(t.Context(), listener)
	for _, id := range []string{"four-postcards", "a-caravan-in-the-rain"} {
		_, err := h.GetMeditation(ctx, &contentv1.GetMeditationRequest{Id: id})
		require.NoError(t, err)
	}
	_, err := h.GetMeditation(ctx, &contentv1.GetMeditationRequest{Id: "the-leaning-hawthorn"}) // which is not verified
	require.Equal(t, errorsv1.Reason_REASON_ITEM_NOT_FOUND, reasonOf(err))
	article, err := h.GetArticle(ctx, &contentv1.GetArticleRequest{Slug: "before-you-press-send"})
	require.NoError(t, err)
	require.Equal(t, []string{"a-caravan-in-the-rain", article.GetCard().GetId()}, h.opened, "neither what has its sound, nor what the reader is not shown")
}

func TestTheLibraryIsListedWithItsScriptsForThoseWhoMayHearIt(t *testing.T) {
	t.Parallel()
	h := filled(t)
	h.prepare(t)
	ctx := t.Context()
	for name, of := range map[string]struct {
		ctx   context.Context
		words bool
		shown int
	}{
		"a member": {auth.WithSubject(ctx, member), false, 28}, "a listener": {auth.WithSubject(ctx, listener), true, 28}, "an admin": {auth.WithSubject(ctx, admin), true, 29},
		"an account for the library": {account(ctx, handlers.LibraryScope), true, 28}, "an account that makes it": {account(ctx, handlers.MakeLibraryScope), false, 28},
	} {
		res, err := h.ListMeditations(of.ctx, &contentv1.ListMeditationsRequest{PageSize: 100, WithScripts: true})
		require.NoError(t, err)
		require.Len(t, res.GetScripts(), of.shown, name)
		for i, script := range res.GetScripts() {
			one, err := h.GetMeditation(of.ctx, &contentv1.GetMeditationRequest{Id: res.GetMeditations()[i].GetId()})
			require.NoError(t, err)
			require.Equal(t, one.GetParagraphs(), script.GetParagraphs())
			require.Equal(t, of.words, len(script.GetParagraphs()) > 0, name)
			require.Empty(t, script.GetCreatedBy(), "it is from seed/")
		}
	}
	none, err := h.ListMeditations(auth.WithSubject(ctx, listener), &contentv1.ListMeditationsRequest{})
	require.NoError(t, err)
	require.Empty(t, none.GetScripts())
}

func TestALikeIsTurnedRoundByWhoMayHaveTheItem(t *testing.T) {
	t.Parallel()
	h := filled(t)
	const slug = "awake-at-three"
	toggle := func(who auth.Subject, kind contentv1.ItemKind, id string) (*contentv1.Standing, error) {
		res, err := h.ToggleLike(auth.WithSubject(t.Context(), who), &contentv1.ToggleLikeRequest{Item: &contentv1.ItemRef{Kind: kind, Id: id}})
		return res.GetStanding(), err
	}
	article := contentv1.ItemKind_ITEM_KIND_ARTICLE
	for _, liked := range []bool{true, false, true} {
		standing, err := toggle(subscriber, article, slug)
		require.NoError(t, err)
		require.Equal(t, liked, standing.GetLiked())
	}
	lapsed := auth.Subject{UID: subscriber.UID}
	standing, err := toggle(lapsed, article, slug)
	require.NoError(t, err, "who may not read on any more takes it back")
	require.False(t, standing.GetLiked())
	_, err = toggle(lapsed, article, slug)
	require.Equal(t, errorsv1.Reason_REASON_SUBSCRIPTION_REQUIRED, reasonOf(err))
	_, err = toggle(subscriber, contentv1.ItemKind_ITEM_KIND_MEDITATION, slug)
	require.Equal(t, errorsv1.Reason_REASON_ITEM_NOT_FOUND, reasonOf(err), "an article is no meditation")
	bespoke, own := contentv1.ItemKind_ITEM_KIND_BESPOKE, uuid.New()
	h.own = map[uuid.UUID]string{own: member.UID}
	standing, err = toggle(member, bespoke, own.String())
	require.NoError(t, err)
	require.True(t, standing.GetLiked())
	h.own = nil
	standing, err = toggle(member, bespoke, own.String())
	require.NoError(t, err, "what is gone is taken out")
	require.False(t, standing.GetLiked())
	_, err = toggle(member, bespoke, own.String())
	require.Equal(t, errorsv1.Reason_REASON_ITEM_NOT_FOUND, reasonOf(err))
	_, err = toggle(nobody, article, slug)
	require.Equal(t, errorsv1.Reason_REASON_UNAUTHENTICATED, reasonOf(err))
}

func TestMembersLikeAndSaveWhatTheyMayReadAndHear(t *testing.T) {
	t.Parallel()
	h := filled(t)
	h.prepare(t)
	ref := func(kind contentv1.ItemKind, id string) *contentv1.ItemRef {
		return &contentv1.ItemRef{Kind: kind, Id: id}
	}
	mine := uuid.New()
	h.own = map[uuid.UUID]string{mine: member.UID}
	article, meditation := contentv1.ItemKind_ITEM_KIND_ARTICLE, contentv1.ItemKind_ITEM_KIND_MEDITATION
	const notFound, notEntitled = errorsv1.Reason_REASON_ITEM_NOT_FOUND, errorsv1.Reason_REASON_SUBSCRIPTION_REQUIRED
	for _, of := range []struct {
		who    auth.Subject
		item   *contentv1.ItemRef
		reason errorsv1.Reason
	}{
		{subscriber, ref(article, "awake-at-three"), 0},
		{member, ref(article, "plain-answers-for-a-first-sitting"), 0},
		{member, ref(article, "awake-at-three"), notEntitled},
		{subscriber, ref(meditation, "four-postcards"), notEntitled},
		{listener, ref(meditation, "four-postcards"), 0},
		{listener, ref(meditation, "the-leaning-hawthorn"), notFound},
		{admin, ref(meditation, "the-leaning-hawthorn"), 0},
		{listener, ref(meditation, "awake-at-three"), notFound},
		{subscriber, ref(article, "nothing"), notFound},
		{subscriber, ref(article, "a\x00b"), notFound},
		{member, ref(contentv1.ItemKind_ITEM_KIND_BESPOKE, mine.String()), 0},
		{subscriber, ref(contentv1.ItemKind_ITEM_KIND_BESPOKE, mine.String()), notFound},
		{member, ref(contentv1.ItemKind_ITEM_KIND_BESPOKE, uuid.NewString()), notFound},
		{member, ref(contentv1.ItemKind_ITEM_KIND_BESPOKE, "nothing"), notFound},
	} {
		ctx := auth.WithSubject(t.Context(), of.who)
		liked, err := h.SetLike(ctx, &contentv1.SetLikeRequest{Item: of.item, Liked: true})
		saved, serr := h.SetSaved(ctx, &contentv1.SetSavedRequest{Item: of.item, Saved: true})
		if of.reason != 0 {
			require.Equal(t, of.reason, reasonOf(err), "%v", of.item)
			require.Equal(t, of.reason, reasonOf(serr), "%v", of.item)
			continue
		}
		require.NoError(t, err, "%v", of.item)
		require.NoError(t, serr, "%v", of.item)
		require.True(t, liked.GetStanding().GetLiked())
		require.True(t, saved.GetChanged() && saved.GetStanding().GetSaved())
		again, err := h.SetSaved(ctx, &contentv1.SetSavedRequest{Item: of.item, Saved: true})
		require.NoError(t, err)
		require.True(t, !again.GetChanged() && again.GetStanding().GetSaved(), "it is there already")
	}
	// Who may not read on any more takes out what they saved.
	ctx := auth.WithSubject(t.Context(), subscriber)
	lapsed := auth.WithSubject(t.Context(), auth.Subject{UID: subscriber.UID})
	list, err := h.ListSaved(ctx, &contentv1.ListSavedRequest{Kind: article})
	require.NoError(t, err)
	require.Len(t, list.GetArticles(), 1)
	require.True(t, list.GetArticles()[0].GetStanding().GetSaved())
	out, err := h.SetSaved(lapsed, &contentv1.SetSavedRequest{Item: ref(article, "awake-at-three")})
	require.NoError(t, err)
	require.True(t, out.GetChanged())
	list, err = h.ListSaved(ctx, &contentv1.ListSavedRequest{Kind: article})
	require.NoError(t, err)
	require.Empty(t, list.GetArticles())
	// An unverified meditation is listed for admins alone, even if another member saved it.
	list, err = h.ListSaved(auth.WithSubject(t.Context(), admin), &contentv1.ListSavedRequest{Kind: meditation})
	require.NoError(t, err)
	require.Len(t, list.GetMeditations(), 1)
	list, err = h.ListSaved(auth.WithSubject(t.Context(), auth.Subject{UID: admin.UID, Entitlements: []string{"library"}}), &contentv1.ListSavedRequest{Kind: meditation})
	require.NoError(t, err)
	require.Empty(t, list.GetMeditations())
	_, err = h.ListSaved(ctx, &contentv1.ListSavedRequest{Kind: article, PageToken: "nothing"})
	require.Equal(t, errorsv1.Reason_REASON_PAGE_TOKEN_INVALID, reasonOf(err))
	shown, err := h.GetArticle(ctx, &contentv1.GetArticleRequest{Slug: "awake-at-three"})
	require.NoError(t, err)
	require.EqualValues(t, 1, shown.GetCard().GetStanding().GetLikes())
	require.True(t, shown.GetCard().GetStanding().GetLiked())
	_, err = h.SetLike(t.Context(), &contentv1.SetLikeRequest{Item: ref(article, "awake-at-three"), Liked: true})
	require.Equal(t, errorsv1.Reason_REASON_UNAUTHENTICATED, reasonOf(err))
}

func TestWhatIsSavedIsListedAndCountedByItsTab(t *testing.T) {
	t.Parallel()
	h := filled(t)
	h.prepare(t)
	ctx := auth.WithSubject(t.Context(), listener)
	article, meditation := contentv1.ItemKind_ITEM_KIND_ARTICLE, contentv1.ItemKind_ITEM_KIND_MEDITATION
	intros, err := h.ListMeditations(ctx, &contentv1.ListMeditationsRequest{OnlyIntro: true})
	require.NoError(t, err)
	intro := intros.GetMeditations()[0].GetId()
	for _, item := range []*contentv1.ItemRef{{Kind: article, Id: "plain-answers-for-a-first-sitting"}, {Kind: meditation, Id: "four-postcards"}, {Kind: meditation, Id: intro}} {
		_, err := h.SetSaved(ctx, &contentv1.SetSavedRequest{Item: item, Saved: true})
		require.NoError(t, err)
	}
	for _, of := range []struct {
		req  *contentv1.ListSavedRequest
		want []string
	}{
		{&contentv1.ListSavedRequest{Kind: meditation}, []string{"four-postcards"}},
		{&contentv1.ListSavedRequest{Kind: meditation, Intro: true}, []string{intro}},
		{&contentv1.ListSavedRequest{Kind: article, Intro: true}, []string{"plain-answers-for-a-first-sitting"}},
		{&contentv1.ListSavedRequest{Kind: meditation, Search: "POSTCARD"}, []string{"four-postcards"}},
		{&contentv1.ListSavedRequest{Kind: meditation, Intro: true, Search: "postcard"}, nil},
	} {
		res, err := h.ListSaved(ctx, of.req)
		require.NoError(t, err)
		var ids []string
		for _, m := range res.GetMeditations() {
			ids = append(ids, m.GetId())
			require.True(t, m.GetStanding().GetSaved())
		}
		for _, a := range res.GetArticles() {
			ids = append(ids, a.GetSlug())
		}
		require.Equal(t, of.want, ids, "%v", of.req)
		require.EqualValues(t, len(of.want), res.GetTotal())
	}
	for search, want := range map[string]*contentv1.CountSavedResponse{"": {Introductions: 1, Library: 1, Articles: 1}, "postcard": {Library: 1}} {
		counts, err := h.CountSaved(ctx, &contentv1.CountSavedRequest{Search: search})
		require.NoError(t, err)
		require.True(t, proto.Equal(want, counts), "%q: %v", search, counts)
	}
	_, err = h.CountSaved(t.Context(), &contentv1.CountSavedRequest{})
	require.Equal(t, errorsv1.Reason_REASON_UNAUTHENTICATED, reasonOf(err))
}

func TestMemberSeesCategoriesAndLikesOfOnlyTheirOwnMeditations(t *testing.T) {
	t.Parallel()
	h := filled(t)
	kept := h.stores.Search.Bespoke(func(string, string) ([]string, int) { return []string{"better-sleep", "no-longer-there", "anger"}, 80 })
	mine, theirs, unheardOf := uuid.New(), uuid.New(), uuid.New()
	for id, uid := range map[uuid.UUID]string{mine: member.UID, theirs: listener.UID} {
		require.NoError(t, pgx.BeginFunc(t.Context(), h.Pool, func(tx pgx.Tx) error {
			return kept.Completed(t.Context(), tx, id, uuid.MustParse(uid), "An ember", 90, time.Now())
		}))
		h.own = map[uuid.UUID]string{id: uid}
		_, err := h.SetLike(auth.WithSubject(t.Context(), auth.Subject{UID: uid}), &contentv1.SetLikeRequest{
			Item: &contentv1.ItemRef{Kind: contentv1.ItemKind_ITEM_KIND_BESPOKE, Id: id.String()}, Liked: true,
		})
		require.NoError(t, err)
	}
	asked := &contentv1.BatchGetBespokeRequest{Ids: []string{theirs.String(), mine.String(), unheardOf.String()}}
	got, err := h.BatchGetBespoke(auth.WithSubject(t.Context(), member), asked)
	require.NoError(t, err)
	want := &contentv1.BatchGetBespokeResponse{Items: []*contentv1.BespokeItem{{
		Id:         mine.String(),
		Categories: []*contentv1.Category{{Id: "better-sleep", Name: "Better Sleep"}, {Id: "anger", Name: "Anger"}},
		Standing:   &contentv1.Standing{Likes: 1, Liked: true},
	}}}
	require.True(t, proto.Equal(want, got), "%v", got)
	_, err = h.BatchGetBespoke(t.Context(), asked)
	require.Equal(t, errorsv1.Reason_REASON_UNAUTHENTICATED, reasonOf(err))
}
