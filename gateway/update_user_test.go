package gateway

import (
	"encoding/json"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/proto/gen/serein/basket/v1/basketv1connect"
	"serein.app/proto/gen/serein/billing/v1/billingv1connect"
	contentv1 "serein.app/proto/gen/serein/content/v1"
	"serein.app/proto/gen/serein/content/v1/contentv1connect"
	errorsv1 "serein.app/proto/gen/serein/errors/v1"
	generationv1 "serein.app/proto/gen/serein/generation/v1"
	"serein.app/proto/gen/serein/generation/v1/generationv1connect"
	identityv1 "serein.app/proto/gen/serein/identity/v1"
	"serein.app/proto/gen/serein/identity/v1/identityv1connect"
	"serein.app/services/platform/errs"
)

const updateUser = "/api/UpdateUser"

// wholeUpdate names everything that may be changed.
const wholeUpdate = `{"firstName":"Augusta","consents":{"essentials":true,"analytics":true,"marketing":false,"termsAndConditions":true},
	"savedItems":{"publications":[{"uid":"rest"}],"meditations":[{"id":"four-postcards"},{"uid":"` + mine + `"}]},
	"favourites":{"publications":["rest"],"meditations":[]}}`

func TestAPartWhoseServiceIsAwayIsLeftOutOfTheRecordAndNamed(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.member(t)
	for procedure, names := range map[string][]any{
		basketv1connect.BasketServiceGetBasketProcedure:    {"basket"},
		billingv1connect.AccountServiceGetAccountProcedure: {"subscription"},
		billingv1connect.OrderServiceListOrdersProcedure:   {"purchasedItems"},
		contentv1connect.ItemServiceListKeptProcedure:      {"favourites", "savedItems"},
	} {
		s.services.failing(procedure, errAway)
		for path, record := range map[string]func(answer) map[string]any{
			"GET /api/GetUser": func(a answer) map[string]any { return tree(t, a.body) },
			"POST " + updateUser: func(a answer) map[string]any {
				record, _ := tree(t, a.body)["updatedUser"].(map[string]any)
				return record
			},
		} {
			got := b.own(t, http.MethodGet, "/api/GetUser", "")
			if path != "GET /api/GetUser" {
				got = b.own(t, http.MethodPost, updateUser, `{"firstName":"Ada"}`)
			}
			require.Equal(t, http.StatusOK, got.StatusCode, got.body)
			fields := record(got)
			require.Equal(t, "Ada", fields["firstName"], path)
			require.Equal(t, names, fields["away"], path)
			for _, name := range names {
				require.NotContains(t, fields, name, path)
			}
		}
		s.services.failing(procedure, nil)
	}
	require.Empty(t, tree(t, b.own(t, http.MethodGet, "/api/GetUser", "").body)["away"])
}

func TestAMembersRecordIsChangedByWhatIsNamed(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.member(t)
	s.services.give(s.uid(), meditation(mine, generationv1.Stage_STAGE_READY))
	got := b.own(t, http.MethodPost, updateUser, wholeUpdate)
	require.Equal(t, http.StatusOK, got.StatusCode, got.body)
	record, _ := tree(t, got.body)["updatedUser"].(map[string]any)
	require.Equal(t, "Augusta Lovelace", record["name"])
	ownMade := meditation(mine, generationv1.Stage_STAGE_READY).GetCreatedAt().AsTime().Format(time.RFC3339)
	made := "2025-11-01T12:26:40Z" // and not when it was saved
	require.Equal(t, map[string]any{
		"ebooks":       []any{},
		"publications": []any{map[string]any{"uid": "rest", "id": "rest", "title": "Rest", "contentType": "publication", "createdAt": made}},
		"meditations": []any{
			map[string]any{"uid": "four-postcards", "id": "four-postcards", "title": "Rest", "contentType": "meditation", "createdAt": made},
			map[string]any{"uid": mine, "id": mine, "title": "A kind evening", "contentType": "meditation", "createdAt": ownMade},
		},
	}, record["savedItems"])
	require.Equal(t, map[string]any{"publications": []any{"rest"}, "meditations": []any{}}, record["favourites"])
	said := s.services.answers[len(s.services.answers)-1].GetAnswers()
	require.Len(t, said, 4)
	for _, a := range said {
		require.Equal(t, a.GetKind() != identityv1.ConsentKind_CONSENT_KIND_MARKETING, a.GetGiven())
	}
	require.Equal(t, termsVersion, said[0].GetVersion(), "the texts as they are published")

	asked := s.services.asks(identityv1connect.AccountServiceChangeNameProcedure)
	record, _ = tree(t, b.own(t, http.MethodPost, updateUser, `{"surName":"Lovelace","favourites":{}}`).body)["updatedUser"].(map[string]any)
	require.Equal(t, asked, s.services.asks(identityv1connect.AccountServiceChangeNameProcedure), "who is called so already is not renamed")
	require.Equal(t, map[string]any{"publications": []any{}, "meditations": []any{}}, record["favourites"])
	require.Contains(t, record["savedItems"], "publications")
	require.NotEmpty(t, record["savedItems"].(map[string]any)["publications"], "what is not named stays")
}

func TestASavedMeditationIsIdentifiedByWhenItWasMade(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.member(t)
	s.services.give(s.uid(), meditation(mine, generationv1.Stage_STAGE_READY))
	require.Equal(t, http.StatusOK, b.own(t, http.MethodPost, updateUser, `{"savedItems":{"meditations":[{"uid":"`+mine+`"},{"uid":"four-postcards"}]}}`).StatusCode)
	saved := func() (ids []string) {
		for _, i := range s.services.kept[s.uid()].GetSaved().GetItems() {
			ids = append(ids, i.GetId())
		}
		return ids
	}
	got := b.own(t, http.MethodPost, updateUser, `{"savedItems":{"meditations":[{"createdAt":"2025-11-01T12:26:40Z","contentType":"meditation"}]}}`)
	require.Equal(t, http.StatusOK, got.StatusCode, got.body)
	require.Equal(t, []string{"four-postcards"}, saved())

	got = b.own(t, http.MethodPost, updateUser, `{"savedItems":{"meditations":[{"createdAt":"2020-01-01T00:00:00Z","contentType":"meditation"}]}}`)
	require.Contains(t, []int{http.StatusBadRequest, http.StatusNotFound}, got.StatusCode, got.body)
	require.Equal(t, []string{"four-postcards"}, saved())
}

func TestALibraryMeditationIsKeptUnderAnyIDThatItHas(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.member(t)
	s.services.give(s.uid(), meditation(mine, generationv1.Stage_STAGE_READY))
	sent := `{"savedItems":{"meditations":[{"uid":"` + someone + `","contentType":"Static_Meditations"},{"uid":"` + mine +
		`","contentType":"User_Bespoke_Meditations"},{"uid":"four-postcards","contentType":"meditation"}]},"favourites":{"meditations":["` + someone + `","` + mine + `"]}}`
	kept := func() (saved, liked []string) {
		now := s.services.kept[s.uid()]
		of := func(list *contentv1.ItemList) (items []string) {
			for _, i := range list.GetItems() {
				items = append(items, i.GetKind().String()+" "+i.GetId())
			}
			return items
		}
		return of(now.GetSaved()), of(now.GetLiked())
	}
	require.Equal(t, http.StatusOK, b.own(t, http.MethodPost, updateUser, sent).StatusCode)
	saved, liked := kept()
	require.Equal(t, []string{"ITEM_KIND_MEDITATION " + someone, "ITEM_KIND_BESPOKE " + mine, "ITEM_KIND_MEDITATION four-postcards"}, saved)
	require.Equal(t, []string{"ITEM_KIND_MEDITATION " + someone, "ITEM_KIND_BESPOKE " + mine}, liked)

	t.Log("lists that are sent back as they were answered stay")
	record := tree(t, b.own(t, http.MethodGet, "/api/GetUser", "").body)
	back, err := json.Marshal(map[string]any{"savedItems": record["savedItems"], "favourites": record["favourites"]})
	require.NoError(t, err)
	answered := b.own(t, http.MethodPost, updateUser, string(back))
	require.Equal(t, http.StatusOK, answered.StatusCode, answered.body)
	savedAgain, likedAgain := kept()
	require.Equal(t, saved, savedAgain)
	require.Equal(t, liked, likedAgain)
}

func TestASavedMeditationOfTheMembersOwnHasNoTitleWhileGenerationIsAway(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.member(t)
	s.services.give(s.uid(), meditation(mine, generationv1.Stage_STAGE_READY))
	s.services.failing(generationv1connect.MeditationServiceBatchGetMeditationsProcedure, errAway)
	got := b.own(t, http.MethodPost, updateUser, `{"savedItems":{"meditations":[{"uid":"`+mine+`"},{"uid":"four-postcards"}]}}`)
	require.Equal(t, http.StatusOK, got.StatusCode, got.body)
	saved := at(t, tree(t, got.body), "updatedUser", "savedItems", "meditations")
	require.NotContains(t, at(t, saved, 0), "title")
	require.Equal(t, "Rest", at(t, saved, 1, "title"))
	require.Empty(t, at(t, tree(t, got.body), "updatedUser", "away"))
}

// The specification: removing deletes the entry, and drops the category's key when it becomes empty; what is there is not added again.
func TestWithItsLastItemACategoryOfSavedItemsLosesItsKey(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.member(t)
	saved := func(body string) map[string]any {
		t.Helper()
		got := b.own(t, http.MethodPost, updateUser, `{"savedItems":`+body+`}`)
		require.Equal(t, http.StatusOK, got.StatusCode, got.body)
		answered, _ := at(t, tree(t, got.body), "updatedUser", "savedItems").(map[string]any)
		require.Equal(t, answered, at(t, tree(t, b.own(t, http.MethodGet, "/api/GetUser", "").body), "savedItems"))
		return answered
	}
	both := saved(`{"publications":[{"uid":"rest"}],"meditations":[{"id":"four-postcards"}]}`)
	require.Len(t, both["publications"], 1)
	require.Len(t, both["meditations"], 1)
	one := saved(`{"publications":[],"meditations":[{"id":"four-postcards"}]}`)
	require.NotContains(t, one, "publications")
	require.Len(t, one["meditations"], 1)
	require.Equal(t, map[string]any{"ebooks": []any{}}, saved(`{}`))
}

func TestAnUpdateWithOneFaultChangesNothing(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.member(t)
	for body, want := range map[string]struct {
		status int
		reason string
	}{
		`{"firstName":"Eve","uid":"` + someone + `"}`:                           {http.StatusNotFound, "USER_NOT_FOUND"},
		`{"firstName":"Eve","consents":{"essentials":true}}`:                    {http.StatusConflict, "CONSENT_REQUIRED"},
		`{"firstName":"Eve","consents":{"termsAndConditions":true}}`:            {http.StatusConflict, "CONSENT_REQUIRED"},
		`{"firstName":"Eve","savedItems":{"publications":[{"uid":"nothing"}]}}`: {http.StatusNotFound, "ITEM_NOT_FOUND"},
		`{"firstName":"Eve","favourites":{"meditations":["nothing"]}}`:          {http.StatusNotFound, "ITEM_NOT_FOUND"},
		`{"firstName":"Eve","savedItems":{"ebooks":[{"uid":"rest"}]}}`:          {http.StatusBadRequest, "ITEM_NOT_FOUND"},
		`{"firstName":"Eve","isGod":true}`:                                      {http.StatusBadRequest, "FIELD_NOT_WRITABLE"},
		`{"firstName":"Eve","savedItems":{"publications":[{"uid":""}]}}`:        {http.StatusBadRequest, "INVALID_ARGUMENT"},
	} {
		b.own(t, http.MethodPost, updateUser, body).failed(t, want.status, want.reason)
	}
	require.Zero(t, s.services.asks(identityv1connect.AccountServiceChangeNameProcedure))
	require.Empty(t, s.services.answers)
	require.Empty(t, s.services.kept)
}

func TestAFaultOfAnUpdateNamesTheFieldAsItWasSent(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.member(t)
	for body, of := range map[string]struct{ procedure, field, sent string }{
		`{"firstName":"Eve"}`: {identityv1connect.AccountServiceChangeNameProcedure, "given_name", "firstName"},
		`{"surName":"Byron"}`: {identityv1connect.AccountServiceChangeNameProcedure, "family_name", "surName"},
		`{"savedItems":{}}`:   {contentv1connect.ItemServiceReplaceKeptProcedure, "saved.items", "savedItems"},
		`{"favourites":{}}`:   {contentv1connect.ItemServiceReplaceKeptProcedure, "liked.meditation_ids[3]", "favourites"},
		`{"consents":{"essentials":true,"termsAndConditions":true}}`: {identityv1connect.ConsentServiceRecordConsentsProcedure, "answers", "consents"},
	} {
		s.services.failing(of.procedure, errs.New(errs.Invalid, errorsv1.Reason_REASON_INVALID_ARGUMENT, "No.").On(of.field))
		require.Equal(t, of.sent, b.own(t, http.MethodPost, updateUser, body).failed(t, http.StatusBadRequest, "INVALID_ARGUMENT").Field, body)
		s.services.failing(of.procedure, nil)
	}
	for body, field := range map[string]string{
		`{"savedItems":{"publications":[{"uid":""}]}}`: "savedItems", `{"favourites":{"meditations":[""]}}`: "favourites",
	} {
		require.Equal(t, field, b.own(t, http.MethodPost, updateUser, body).failed(t, http.StatusBadRequest, "INVALID_ARGUMENT").Field)
	}
}

func TestWhereAPartFailsTheAnswerSaysWhatStandsAndTheSameRequestDoesTheRest(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.member(t)
	s.services.failing(contentv1connect.ItemServiceReplaceKeptProcedure, errAway)
	said := b.own(t, http.MethodPost, updateUser, wholeUpdate).failed(t, http.StatusServiceUnavailable, "UNAVAILABLE")
	require.Contains(t, said.Error, "What this request says of name and consents stands; of savedItems and favourites it does not yet.")
	require.Equal(t, "Augusta", tree(t, b.own(t, http.MethodGet, "/api/GetUser", "").body)["firstName"])
	s.services.failing(contentv1connect.ItemServiceReplaceKeptProcedure, nil)
	require.Equal(t, http.StatusOK, b.own(t, http.MethodPost, updateUser, wholeUpdate).StatusCode)
	require.Equal(t, 1, s.services.asks(identityv1connect.AccountServiceChangeNameProcedure), "the name stood already")
	require.NotEmpty(t, s.services.kept[s.uid()].GetSaved().GetItems())
}
