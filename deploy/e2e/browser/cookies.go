package browser

import (
	"context"
	"fmt"

	"github.com/chromedp/cdproto/network"
)

// Cookie is the value of a cookie that the browser would send to the product; "" if it has no such cookie, or two.
func (tab *Tab) Cookie(name string) string {
	tab.t.Helper()
	found := reading(tab, "read the cookie "+name, func(ctx context.Context) (network.GetCookiesResult, error) {
		return call(ctx, tab, network.GetCookies, network.GetCookiesParams{URLs: []string{tab.base + "/"}})
	})
	var values []string
	for _, cookie := range found.Cookies {
		if cookie.Name == name {
			values = append(values, cookie.Value)
		}
	}
	if len(values) != 1 {
		return ""
	}
	return values[0]
}

// Plant puts a cookie of the product's, which no script may read, into the browser: what the witness looks for from then on.
func (tab *Tab) Plant(name, value string) {
	tab.t.Helper()
	tab.witness.Secret("the cookie "+name, value)
	yes := true
	set(tab, "plant the cookie "+name, network.SetCookie, network.SetCookieParams{
		Name: name, Value: value, URL: tab.base + "/", Path: "/", Secure: &yes, HTTPOnly: &yes,
	})
}

// Recall has a script say in every page of the product, before it begins, what an earlier visit in this window has left in the browser.
func (tab *Tab) Recall(script string) {
	tab.t.Helper()
	tab.before(fmt.Sprintf(`if (location.origin === %q) { %s }`, tab.base, script))
}

// Forget takes a cookie of the product's out of the browser.
func (tab *Tab) Forget(name string) {
	tab.t.Helper()
	set(tab, "forget the cookie "+name, network.DeleteCookies, network.DeleteCookiesParams{Name: name, URL: tab.base + "/"})
}
