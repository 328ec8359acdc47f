package browser

import (
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// Cookie is the value of a cookie that the browser would send to the product; "" where it has none, or two.
func (tab *Tab) Cookie(name string) string {
	tab.t.Helper()
	found, err := chromedp.Call(tab.ctx, network.GetCookies, network.GetCookiesParams{URLs: []string{tab.base + "/"}})
	require.NoError(tab.t, err)
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

// Plant puts a cookie of the product's into the browser, as somebody who had a hand on it could.
func (tab *Tab) Plant(name, value string) {
	tab.t.Helper()
	yes := true
	_, err := chromedp.Call(tab.ctx, network.SetCookie, network.SetCookieParams{Name: name, Value: value, URL: tab.base + "/", Path: "/", Secure: &yes, HTTPOnly: &yes})
	require.NoError(tab.t, err)
}

// Forget takes a cookie of the product's out of the browser.
func (tab *Tab) Forget(name string) {
	tab.t.Helper()
	_, err := chromedp.Call(tab.ctx, network.DeleteCookies, network.DeleteCookiesParams{Name: name, URL: tab.base + "/"})
	require.NoError(tab.t, err)
}
