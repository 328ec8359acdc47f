//go:build full

package engines

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/deploy/e2e/harness"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// keptTitles are three meditations of the member's own.
var keptTitles = []string{"Before the flight", "Above the clouds", "After the landing"}

// A member keeps three recordings. The gateway is stopped: a tab that was never open before opens the app, plays one near its end and shows
// its words. Once the gateway is back, it has the place.
func TestThreeKeptRecordingsOpenAndPlayWithoutTheGateway(t *testing.T) {
	inEach(t, func(p *page) {
		ctx := p.t.Context()
		m, err := product.NewMember(ctx)
		require.NoError(p.t, err)
		ids := make([]string, 0, len(keptTitles))
		for _, title := range keptTitles {
			ids = append(ids, generate(p.t, m, harness.SmallRequest(title)))
		}
		for _, id := range ids {
			ended, err := m.AwaitEnd(ctx, id)
			require.NoError(p.t, err)
			require.Equal(p.t, webv1.Stage_STAGE_READY, ended.GetStage())
		}
		p.signIn(m, "/journey")
		for _, title := range keptTitles {
			p.keep(title)
		}

		require.NoError(p.t, product.KillPart("gateway"))
		p.t.Cleanup(func() {
			require.NoError(p.t, product.Revive(context.Background(), "gateway"))
		})
		own, err := p.Tab(ctx)
		require.NoError(p.t, err)
		cold, err := p.NewTab(ctx)
		require.NoError(p.t, err)
		require.NoError(p.t, p.Switch(ctx, own))
		require.NoError(p.t, p.CloseTab(ctx))
		require.NoError(p.t, p.Switch(ctx, cold))
		p.open("/")
		p.see("heading", "Kept on this device")
		for _, title := range keptTitles {
			p.see("button", "Play "+title)
		}

		p.press("button", "Play "+keptTitles[0])
		p.expect("it plays", at+" >= 1")
		p.drag(0.1, 0.85)
		near := p.position()
		p.expect("it plays on near its end", fmt.Sprintf("%s >= %v", at, near+2))
		p.see("heading", "Words")
		p.press("button", "Pause "+keptTitles[0])
		left := p.position()

		require.NoError(p.t, product.Revive(ctx, "gateway"))
		p.open("/kept")
		p.see("link", "Amara")
		p.gatewayKnows(m, ids[0], left)
		p.press("button", "Remove “"+keptTitles[1]+"” from this device")
		p.expect("two are left", `document.body.innerText.includes("2 recordings, ")`)
	})
}

// keep keeps one of the member's own meditations by the menu of its card.
func (p *page) keep(title string) {
	p.t.Helper()
	p.press("button", "More for "+title)
	p.press("button", "Keep on this device")
	p.press("button", "Keep")
	p.expect("it is kept", `[...document.querySelectorAll("dialog p")].some((e) => e.textContent.startsWith("Kept: "))`)
	p.press("button", "Close")
}

// gatewayKnows waits until the member's other devices go on from there; seconds.
func (p *page) gatewayKnows(m *harness.Member, id string, seconds float64) {
	p.t.Helper()
	item := &webv1.ItemRef{Kind: webv1.ItemKind_ITEM_KIND_BESPOKE, Id: id}
	p.soon("the gateway has the place", func(ctx context.Context) (bool, error) {
		place, err := m.Player.GetPlace(ctx, &webv1.GetPlaceRequest{Item: item})
		return err == nil && float64(place.GetPositionMs())/1000 >= seconds-6, err
	})
}
