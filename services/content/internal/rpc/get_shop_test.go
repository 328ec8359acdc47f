package rpc_test

import (
	"bytes"
	"log/slog"
	"testing"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	"serein.app/proto/gen/serein/content/v1/contentv1connect"
	"serein.app/services/content/internal/entry"
	handlers "serein.app/services/content/internal/rpc"
	"serein.app/services/platform/auth"
)

var editor = entry.Actor{Name: admin.UID, Editor: true}

func (h *harness) shop(t *testing.T, log *bytes.Buffer) (*handlers.Shop, func() *contentv1.GetShopResponse) {
	t.Helper()
	s := handlers.NewShop(h.stores.Pages, slog.New(slog.NewTextHandler(log, nil)))
	return s, func() *contentv1.GetShopResponse {
		res, err := s.GetShop(t.Context(), &contentv1.GetShopRequest{})
		require.NoError(t, err)
		return res
	}
}

// edit changes fields of an entry and gives it to readers.
func (h *harness) edit(t *testing.T, id string, change func(entry.Fields)) {
	t.Helper()
	key := entry.Key{Environment: entry.Master, Kind: entry.KindEntry, ID: id}
	item, err := h.store.Item(t.Context(), key)
	require.NoError(t, err)
	change(item.Fields)
	item, err = h.store.Update(t.Context(), editor, key, item.Version, entry.Draft{Fields: item.Fields})
	require.NoError(t, err)
	_, err = h.store.Publish(t.Context(), editor, key, item.Version)
	require.NoError(t, err)
}

//nolint:staticcheck // the release before this one reads deprecated fields
func TestTheShopIsWholeAndInTheOrderOfItsEditors(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	_, get := filled(t).shop(t, &log)
	res := get()
	require.Empty(t, log.String(), "nothing of the editors' files is left out")
	var plans []string
	for _, p := range res.GetPlans() {
		plans = append(plans, p.GetId())
	}
	require.Equal(t, []string{"free-trial", "serein-core", "serein-premium", "serein-generate", "bespoke-journey"}, plans)
	premium := res.GetPlans()[2]
	require.Equal(t, "Premium", premium.GetName())
	require.Equal(t, "Best Value", premium.GetBadge())
	require.EqualValues(t, 1299, premium.GetMonthly().GetPrice().GetValue())
	require.Equal(t, "gbp", premium.GetYearly().GetPrice().GetCurrency())
	require.EqualValues(t, 720, premium.GetYearly().GetCredits())
	require.Contains(t, premium.GetEntitlements(), "top_up")
	require.Len(t, premium.GetFeatures(), 5)
	require.EqualValues(t, 14, res.GetPlans()[0].GetInvitedTrialDays())
	require.Len(t, res.GetPacks(), 5)
	require.EqualValues(t, 599, res.GetPacks()[0].GetPrice().GetValue())
	require.EqualValues(t, 23, res.GetPacks()[4].GetSaving())
	tee := res.GetProducts()[0]
	require.Equal(t, "leaning-pine-tee", tee.GetSlug())
	require.Regexp(t, `^assets/[0-9a-f]{64}/.+\.webp$`, tee.GetPicture())
	require.NotEmpty(t, tee.GetAlt())
	require.Len(t, tee.GetSizes(), 5)
	require.False(t, tee.GetSoldOut())
	require.Equal(t, "A place to come back to", res.GetMemberships().GetTitle())
	require.NotEmpty(t, res.GetMemberships().GetQuestions())
	require.Len(t, res.GetApparel().GetNotes(), 3)
	first, sizes := res.GetItems()[0], 0
	require.True(t, proto.Equal(&contentv1.ShopItem{
		ProductId: "serein-core", Size: "month", Kind: "membership", Name: "Core", Price: &contentv1.Amount{Value: 799, Currency: "gbp"}, Credits: 20,
	}, first), first)
	for _, i := range res.GetItems() {
		if i.GetProductId() == tee.GetId() {
			sizes++
		}
	}
	require.Equal(t, 5, sizes)
}

//nolint:staticcheck // the release before this one reads deprecated fields
func TestWhatAnEditorTakesFromReadersIsNotSoldAndWhatIsSoldOutSaysSo(t *testing.T) {
	t.Parallel()
	h := filled(t)
	_, get := h.shop(t, &bytes.Buffer{})
	key := entry.Key{Environment: entry.Master, Kind: entry.KindEntry, ID: "credits-20"}
	item, err := h.store.Item(t.Context(), key)
	require.NoError(t, err)
	_, err = h.store.Unpublish(t.Context(), editor, key, item.Version)
	require.NoError(t, err)
	h.edit(t, "leaning-pine-tee", func(f entry.Fields) { f["soldOutSizes"] = map[string]any{"en-GB": []any{"M"}} })
	h.edit(t, "late-lake-sweatshirt", func(f entry.Fields) { f["soldOut"] = map[string]any{"en-GB": true} })
	res := get()
	require.Len(t, res.GetPacks(), 4)
	require.Equal(t, "credits-40", res.GetPacks()[0].GetId())
	require.False(t, res.GetProducts()[0].GetSoldOut())
	for _, size := range res.GetProducts()[0].GetSizes() {
		require.Equal(t, size.GetName() == "M", size.GetSoldOut(), size.GetName())
	}
	require.True(t, res.GetProducts()[1].GetSoldOut())
}

//nolint:staticcheck // the release before this one reads deprecated fields
func TestAPriceThatCannotBeReadIsInTheLogOnceAndTheRestIsSold(t *testing.T) {
	t.Parallel()
	h := filled(t)
	var log bytes.Buffer
	_, get := h.shop(t, &log)
	// As a release published it that did not look into objects.
	_, err := h.Pool.Exec(t.Context(), `UPDATE published SET fields = jsonb_set(fields, '{monthly,en-GB,price}', '"seven pounds"')
		WHERE environment = 'master' AND id = 'serein-core'`)
	require.NoError(t, err)
	for range 3 {
		res := get()
		require.Len(t, res.GetPlans(), 5)
		require.Nil(t, res.GetPlans()[1].GetMonthly())
		require.EqualValues(t, 7990, res.GetPlans()[1].GetYearly().GetPrice().GetValue())
	}
	require.Equal(t, 1, bytes.Count(log.Bytes(), []byte("level=ERROR")), log.String())
	require.Contains(t, log.String(), "entry=serein-core")
}

func TestTheShopIsForWhoShowsKeepsAndCharges(t *testing.T) {
	t.Parallel()
	rule := handlers.Policy()[contentv1connect.ShopServiceGetShopProcedure]
	for service, open := range map[string]bool{"gateway": true, "basket": true, "billing": true, "generation": false, "mail": false, "identity": false} {
		require.Equal(t, open, rule.Check(auth.Caller{Service: service}) == nil, service)
	}
}
