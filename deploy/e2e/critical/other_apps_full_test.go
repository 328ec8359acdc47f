//go:build full

package critical

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/deploy/e2e/browser"
	"serein.app/deploy/e2e/suite"
)

// Serein asks the member on its own page whether a third party's app may act for them, and the app receives the member's answer.
func TestAnAppOfSomebodyElseAsksTheMemberFirst(t *testing.T) {
	t.Parallel()
	tab, _ := product.Member(t, browser.Desk)
	address, asked := make(chan string, 1), make(chan error, 1)
	go func() {
		_, err := product.MemberToken(t.Context(), func(shown string) { address <- shown })
		asked <- err
	}()
	tab.Eval(fmt.Sprintf("location.href = %q", <-address))
	tab.See("heading", "Allow The Companion to use your account?")
	tab.Text("Make meditations for you, which spends your credits, and remove them")
	suite.EachLook(tab, "consent")
	tab.Click("button", "Don’t allow")
	require.Error(t, <-asked)
}
