package gateway

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/proto/gen/serein/basket/v1/basketv1connect"
	billingv1 "serein.app/proto/gen/serein/billing/v1"
	"serein.app/proto/gen/serein/billing/v1/billingv1connect"
	contentv1 "serein.app/proto/gen/serein/content/v1"
	"serein.app/proto/gen/serein/content/v1/contentv1connect"
	"serein.app/services/platform/contentage"
)

const (
	shopOf      = "/serein.web.v1.ShopService/"
	memberships = shopOf + "GetMemberships"
)

// aGuest is the id of a visitor's basket.
const aGuest = "0192f0c1-0000-4000-8000-0000000000e1"

// guest is a visitor's browser that has a basket.
func (s *stack) guest(tb testing.TB, lines ...string) *browser {
	tb.Helper()
	b := s.gateways[0].browser(tb)
	b.keep(tb, "__Host-basket", aGuest)
	if len(lines) == 2 {
		s.services.fill(aGuest, line(lines[0], lines[1], 1))
	}
	return b
}

// membership is what a member pays for every period.
func membership(id, period string) *billingv1.Subscription {
	return &billingv1.Subscription{
		PlanId: id, PlanName: "Core", PlanKind: billingv1.PlanKind_PLAN_KIND_MEMBER, Period: period, Active: true, Renews: true, HadTrial: true,
		Entitlements: []string{"generator", "library", "articles", "journey", "top_up"},
	}
}

// cards are the memberships as somebody sees them: the badge, and the actions without a period, by month and by year.
func (b *browser) cards(t *testing.T) map[string][4]any {
	t.Helper()
	got := b.call(t, memberships, "{}")
	require.Equal(t, http.StatusOK, got.StatusCode, got.body)
	plans, _ := tree(t, got.body)["plans"].([]any)
	out := map[string][4]any{}
	for _, p := range plans {
		card, _ := p.(map[string]any)
		row := [4]any{card["badge"], card["action"]}
		for i, period := range []string{"monthly", "yearly"} {
			if offer, ok := card[period].(map[string]any); ok {
				row[2+i] = offer["action"]
			}
		}
		id, _ := card["id"].(string)
		out[id] = row
	}
	return out
}

// The actions of cards, and none.
const (
	none        = "CARD_ACTION_NONE"
	begin       = "CARD_ACTION_TRIAL"
	add         = "CARD_ACTION_ADD"
	inBasket    = "CARD_ACTION_IN_BASKET"
	current     = "CARD_ACTION_CURRENT"
	change      = "CARD_ACTION_CHANGE"
	enquire     = "CARD_ACTION_ENQUIRE"
	unavailable = "CARD_ACTION_UNAVAILABLE"
)

// forVisitors are the cards of a visitor with an empty basket; others differ from them.
func forVisitors(but map[string][4]any) map[string][4]any {
	cards := map[string][4]any{
		"free-trial": {nil, begin, nil, nil}, "serein-core": {nil, nil, add, add}, "serein-premium": {"Best Value", nil, add, add},
		"generate": {nil, nil, add, nil}, "later": {"Coming Soon", none, nil, nil}, "together": {"By letter", enquire, nil, nil},
	}
	for id, card := range but {
		cards[id] = card
	}
	return cards
}

func TestEveryCardIsAsWhoeverLooksNeedsIt(t *testing.T) {
	t.Parallel()
	changes := map[string][4]any{
		"free-trial":     {"Completed", none, nil, nil},
		"serein-premium": {"Best Value", nil, change, change}, "generate": {nil, nil, change, nil},
	}
	with := func(id string, card [4]any) map[string][4]any {
		out := map[string][4]any{id: card}
		for other, row := range changes {
			if other != id {
				out[other] = row
			}
		}
		return out
	}
	over := trial()
	over.Active, over.Entitlements = false, nil
	ended := membership("serein-core", "month")
	ended.Active, ended.Entitlements = false, nil
	leaving := membership("serein-core", "month")
	leaving.Renews, leaving.Status = false, billingv1.SubscriptionStatus_SUBSCRIPTION_STATUS_CANCELLING
	due := membership("serein-core", "month")
	due.Status = billingv1.SubscriptionStatus_SUBSCRIPTION_STATUS_GRACE
	keepFirst := map[string][4]any{
		"free-trial": {"Completed", none, nil, nil}, "serein-core": {"Active", nil, current, none}, "serein-premium": {"Best Value", nil, none, none}, "generate": {nil, nil, none, nil},
	}
	bought := membership("serein-core", "month")
	bought.HadTrial = false
	arranged := &billingv1.Subscription{PlanId: "together", PlanKind: billingv1.PlanKind_PLAN_KIND_ENQUIRY, Active: true, HadTrial: true}
	for name, c := range map[string]struct {
		has    *billingv1.Subscription
		basket []string
		want   map[string][4]any
	}{
		"in the trial":                   {trial(), nil, map[string][4]any{"free-trial": {"Active", none, nil, nil}}},
		"the trial is over":              {over, nil, map[string][4]any{"free-trial": {"Completed", none, nil, nil}}},
		"the trial has not begun":        {nil, nil, map[string][4]any{"free-trial": {nil, none, nil, nil}}},
		"a membership by the month":      {membership("serein-core", "month"), nil, with("serein-core", [4]any{"Active", nil, current, change})},
		"a membership by the year":       {membership("serein-core", "year"), nil, with("serein-core", [4]any{"Active", nil, change, current})},
		"one that ends with its period":  {leaving, nil, keepFirst},
		"one whose payment is due":       {due, nil, keepFirst},
		"bought without a trial before":  {bought, nil, map[string][4]any{"free-trial": {nil, none, nil, nil}, "serein-core": {"Active", nil, current, change}, "serein-premium": changes["serein-premium"], "generate": changes["generate"]}},
		"the best one is the member's":   {membership("serein-premium", "month"), nil, map[string][4]any{"free-trial": {"Completed", none, nil, nil}, "serein-core": {nil, nil, change, change}, "serein-premium": {"Active", nil, current, change}, "generate": changes["generate"]}},
		"it has ended":                   {ended, nil, map[string][4]any{"free-trial": {"Completed", none, nil, nil}}},
		"one that was arranged by hand":  {arranged, nil, map[string][4]any{"free-trial": {"Completed", none, nil, nil}, "together": {"Active", none, nil, nil}}},
		"one lies in the basket":         {over, []string{"serein-core", "year"}, map[string][4]any{"free-trial": {"Completed", none, nil, nil}, "serein-core": {nil, nil, add, inBasket}}},
		"one lies there beside a paid":   {membership("serein-core", "month"), []string{"serein-premium", "year"}, with("serein-core", [4]any{"Active", nil, current, change})},
		"the paid one lies there itself": {membership("serein-core", "month"), []string{"serein-core", "month"}, with("serein-core", [4]any{"Active", nil, current, change})},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := start(t, 1)
			s.services.subscribed(s.uid(), c.has)
			if c.basket != nil {
				s.services.fill(s.uid(), line(c.basket[0], c.basket[1], 1), saved(line("serein-premium", "month", 1)))
			}
			require.Equal(t, forVisitors(c.want), s.member(t).cards(t))
		})
	}
}

func TestVisitorsMayBeginTheTrialAndSeeWhatLiesInTheirBasket(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	require.Equal(t, forVisitors(nil), s.gateways[0].browser(t).cards(t))
	require.Zero(t, s.services.asks(basketv1connect.BasketServiceGetBasketProcedure), "a visitor without a basket costs no call")
	require.Zero(t, s.services.asks(billingv1connect.AccountServiceGetAccountProcedure))
	b := s.guest(t, "serein-core", "month")
	require.Equal(t, forVisitors(map[string][4]any{"serein-core": {nil, nil, inBasket, add}}), b.cards(t))
}

func TestWhatBillingWouldRefuseHasNoButtonToBuyIt(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	s.services.price("serein-core", "month", func(p *billingv1.ItemPrice) { p.Purchasable = false })
	b := s.gateways[0].browser(t)
	require.Equal(t, [4]any{nil, nil, unavailable, add}, b.cards(t)["serein-core"])
	require.Equal(t, [4]any{nil, nil, inBasket, add}, s.guest(t, "serein-core", "month").cards(t)["serein-core"], "the basket says more")

	s.services.subscribed(s.uid(), membership("serein-premium", "month"))
	require.Equal(t, [4]any{nil, nil, unavailable, change}, s.member(t).cards(t)["serein-core"])
}

// Plans are told apart by what content says they are: nothing is known of an id or a title.
func TestNoCardDependsOnAnIDOrATitle(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	s.services.stock(func(shop *contentv1.GetShopResponse) {
		shop.Plans = []*contentv1.ShopPlan{
			{Id: "free-trial", Name: "Enterprise", Kind: "member"},
			{Id: "serein-core", Name: "Free trial", Kind: "enquiry"},
			{Id: "bespoke-journey", Name: "Digital hub", Kind: "trial"},
		}
		shop.Items = nil
	})
	require.Equal(t, map[string][4]any{
		"free-trial": {"Coming Soon", none, nil, nil}, "serein-core": {nil, enquire, nil, nil}, "bespoke-journey": {nil, begin, nil, nil},
	}, s.gateways[0].browser(t).cards(t))
}

func TestACardShowsWhatIsChargedAndNothingElse(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	s.services.price("serein-core", "month", func(p *billingv1.ItemPrice) { p.Amount, p.Credits = 899, 22 })
	s.services.mu.Lock()
	s.services.prices.VatPercent = 20
	s.services.mu.Unlock()
	got := tree(t, s.gateways[0].browser(t).call(t, memberships, "{}").body)
	require.Equal(t, []any{"A place to come back to", "Choose.", "Two months free", "Asked", true},
		[]any{got["title"], got["subtitle"], got["billing"], got["questionsTitle"], got["pricesIncludeVat"]})
	require.Equal(t, []any{map[string]any{"question": "Why?", "answer": "Because."}}, got["questions"])
	plans, _ := got["plans"].([]any)
	require.Equal(t, map[string]any{"days": 7.0, "invitedDays": 14.0, "credits": "8"}, at(t, plans[0], "trial"))
	require.Equal(t, map[string]any{"price": map[string]any{"amount": "899", "currency": "gbp"}, "credits": "22", "action": add}, at(t, plans[1], "monthly"))
	require.Equal(t, []any{"For an evening.", []any{"Everything"}, "PLAN_KIND_MEMBER"}, []any{at(t, plans[1], "description"), at(t, plans[1], "features"), at(t, plans[1], "kind")})
	require.NotContains(t, plans[1], "trial")
}

func TestWhileBillingIsAwayAllIsShownAndNothingSold(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.member(t)
	s.services.failing(billingv1connect.PriceServiceListPricesProcedure, errAway)
	s.services.failing(billingv1connect.AccountServiceGetAccountProcedure, errAway)
	cards := b.cards(t)
	require.Equal(t, [4]any{nil, nil, unavailable, unavailable}, cards["serein-core"])
	require.Equal(t, [4]any{nil, none, nil, nil}, cards["free-trial"], "a member has had theirs, or has it now")
	plans, _ := tree(t, b.call(t, memberships, "{}").body)["plans"].([]any)
	require.Equal(t, "799", at(t, plans[1], "monthly", "price", "amount"), "what content says of it")

	s.services.failing(billingv1connect.PriceServiceListPricesProcedure, nil)
	s.clock.Move(time.Minute)
	require.Equal(t, [4]any{nil, nil, unavailable, unavailable}, b.cards(t)["serein-core"], "they may have one already")
	require.Equal(t, forVisitors(nil), s.gateways[0].browser(t).cards(t))
}

func TestWhatIsSoldOutlivesContentAndSaysHowOldItIs(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.gateways[0].browser(t)
	s.services.failing(contentv1connect.ShopServiceGetShopProcedure, errAway)
	for _, call := range []string{"GetMemberships", "GetTopUps", "GetApparel"} {
		require.Equal(t, "UNAVAILABLE", b.call(t, shopOf+call, "{}").reason(t), call)
	}
	s.services.failing(contentv1connect.ShopServiceGetShopProcedure, nil)
	s.clock.Move(time.Minute)
	require.Equal(t, forVisitors(nil), b.cards(t))
	s.services.failing(contentv1connect.ShopServiceGetShopProcedure, errAway)
	s.clock.Move(time.Hour)
	got := b.call(t, memberships, "{}")
	require.Equal(t, http.StatusOK, got.StatusCode)
	require.Equal(t, "3600", got.Header.Get(contentage.Header))
}

func TestAnEditorsOrBillingsChangeIsShownWithinSeconds(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.gateways[0].browser(t)
	require.Equal(t, "Best Value", b.cards(t)["serein-premium"][0])
	s.services.stock(func(shop *contentv1.GetShopResponse) { shop.Plans[2].Badge = "New" })
	s.services.price("serein-premium", "year", func(p *billingv1.ItemPrice) { p.Purchasable = false })
	s.clock.Move(5 * time.Second)
	require.Equal(t, [4]any{"New", nil, add, unavailable}, b.cards(t)["serein-premium"])
	require.Equal(t, 2, s.services.asks(contentv1connect.ShopServiceGetShopProcedure), "and nobody is asked for each of those who look")
}

func TestOnlyWhoHasAMembershipWithTopUpsMayTopUp(t *testing.T) {
	t.Parallel()
	over := trial()
	over.Active, over.Entitlements = false, nil
	generous := trial()
	generous.Entitlements = append(generous.Entitlements, "top_up")
	for name, c := range map[string]struct {
		has            *billingv1.Subscription
		allowed, trial bool
	}{
		"a membership": {membership("serein-core", "month"), true, false}, "the trial": {trial(), false, true}, "a trial that is over": {over, false, true},
		"a trial whatever it opens": {generous, false, true}, "nothing": {nil, false, false}, "a plan without": {entitled(billingv1.PlanKind_PLAN_KIND_MEMBER, "library"), false, false},
	} {
		s := start(t, 1)
		s.services.subscribed(s.uid(), c.has)
		s.services.fill(s.uid(), line("credits-40", "", 1))
		b := s.member(t)
		got := tree(t, b.call(t, shopOf+"GetTopUps", "{}").body)
		require.Equal(t, []any{c.allowed, c.trial}, []any{got["allowed"] == true, got["trial"] == true}, name)
		packs, _ := got["topUps"].([]any)
		require.Equal(t, map[string]any{
			"id": "credits-40", "name": "40 credits", "credits": "40", "price": map[string]any{"amount": "1099", "currency": "gbp"}, "saving": 8.0, "inBasket": true, "purchasable": true,
		}, packs[1])
		added := b.call(t, basketOf+"AddToBasket", toAdd("credits-20", ""))
		if c.allowed {
			require.Equal(t, http.StatusOK, added.StatusCode, added.body)
		} else {
			require.Equal(t, "TOP_UP_NOT_ALLOWED", added.reason(t), name)
		}
	}
	s := start(t, 1)
	visitor := tree(t, s.gateways[0].browser(t).call(t, shopOf+"GetTopUps", "{}").body)
	require.NotContains(t, visitor, "allowed")
	require.NotContains(t, visitor, "trial")
}

func TestApparelIsShownWithSizesPicturesAndWhatIsSoldOut(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	s.services.price("tote", "", func(p *billingv1.ItemPrice) { p.Purchasable = false })
	got := tree(t, s.gateways[0].browser(t).call(t, shopOf+"GetApparel", "{}").body)
	require.Equal(t, []any{"Calm things", "To wear.", []any{map[string]any{"title": "Post", "text": "Slow."}}}, []any{got["title"], got["description"], got["notes"]})
	things, _ := got["products"].([]any)
	require.Len(t, things, 3)
	require.Equal(t, map[string]any{
		"id": "tee", "name": "Pine tee", "price": map[string]any{"amount": "2800", "currency": "gbp"}, "purchasable": true,
		"sizes": []any{map[string]any{"name": "M"}, map[string]any{"name": "L", "soldOut": true}}, "picture": map[string]any{"url": "/media/" + picture, "alt": "A tee."},
	}, things[0])
	require.NotContains(t, things[1], "picture", "without an artwork so far")
	require.NotContains(t, things[1], "purchasable")
	require.Equal(t, true, at(t, things[2], "soldOut"))
}
