package harness

import (
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"

	"connectrpc.com/connect"
	"golang.org/x/net/html"

	"serein.app/deploy/e2e/wait"
	"serein.app/proto/gen/serein/web/v1/webv1connect"
)

// Browser calls the gateway as the app in a person's browser does: with its cookies and its
// header, and nothing else.
type Browser struct {
	*http.Client

	Session     webv1connect.SessionServiceClient
	Account     webv1connect.AccountServiceClient
	Shop        webv1connect.ShopServiceClient
	Basket      webv1connect.BasketServiceClient
	Orders      webv1connect.OrderServiceClient
	Memberships webv1connect.MembershipServiceClient
	Consents    webv1connect.ConsentServiceClient
	Deletions   webv1connect.DeletionServiceClient
	Exports     webv1connect.ExportServiceClient
	Devices     webv1connect.DeviceServiceClient
	Items       webv1connect.ItemServiceClient
	Generator   webv1connect.GeneratorServiceClient
	Journey     webv1connect.JourneyServiceClient
	Drafts      webv1connect.DraftServiceClient
	Sharing     webv1connect.SharingServiceClient
	Library     webv1connect.LibraryServiceClient
	Player      webv1connect.PlayerServiceClient

	harness *Harness
}

// NewBrowser has no cookies yet.
func (h *Harness) NewBrowser() *Browser {
	jar, _ := cookiejar.New(nil) // without options it cannot fail
	transport := &http.Transport{MaxIdleConnsPerHost: 16, ResponseHeaderTimeout: wait.Patience, TLSClientConfig: &tls.Config{RootCAs: h.Authority(), MinVersion: tls.VersionTLS12}}
	client := &http.Client{Jar: loopbackJar{jar}, Transport: &appHeaders{next: transport, host: h.URL()}}
	json := connect.WithProtoJSON()
	return &Browser{
		Client: client, harness: h,
		Session:     webv1connect.NewSessionServiceClient(client, h.URL(), json),
		Account:     webv1connect.NewAccountServiceClient(client, h.URL(), json),
		Shop:        webv1connect.NewShopServiceClient(client, h.URL(), json),
		Basket:      webv1connect.NewBasketServiceClient(client, h.URL(), json),
		Orders:      webv1connect.NewOrderServiceClient(client, h.URL(), json),
		Memberships: webv1connect.NewMembershipServiceClient(client, h.URL(), json),
		Consents:    webv1connect.NewConsentServiceClient(client, h.URL(), json),
		Deletions:   webv1connect.NewDeletionServiceClient(client, h.URL(), json),
		Exports:     webv1connect.NewExportServiceClient(client, h.URL(), json),
		Devices:     webv1connect.NewDeviceServiceClient(client, h.URL(), json),
		Items:       webv1connect.NewItemServiceClient(client, h.URL(), json),
		Generator:   webv1connect.NewGeneratorServiceClient(client, h.URL(), json),
		Journey:     webv1connect.NewJourneyServiceClient(client, h.URL(), json),
		Drafts:      webv1connect.NewDraftServiceClient(client, h.URL(), json),
		Sharing:     webv1connect.NewSharingServiceClient(client, h.URL(), json),
		Library:     webv1connect.NewLibraryServiceClient(client, h.URL(), json),
		Player:      webv1connect.NewPlayerServiceClient(client, h.URL(), json),
	}
}

// loopbackJar lets Secure cookies live on plain loopback, as browsers do.
type loopbackJar struct{ http.CookieJar }

func secure(u *url.URL) *url.URL {
	s := *u
	s.Scheme = "https"
	return &s
}

func (j loopbackJar) SetCookies(u *url.URL, c []*http.Cookie) { j.CookieJar.SetCookies(secure(u), c) }

func (j loopbackJar) Cookies(u *url.URL) []*http.Cookie { return j.CookieJar.Cookies(secure(u)) }

// appHeaders adds what a browser says of itself and what the app's calls carry, unless a test has said otherwise. As browsers do, it sends a
// request again that met a kept connection which the other side had just closed.
type appHeaders struct {
	next http.RoundTripper
	host string
}

// userAgent is what a browser of a person says of itself; by its name the product recognises it.
const userAgent = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"

func (a *appHeaders) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("User-Agent", userAgent)
	if strings.HasPrefix(r.URL.String(), a.host+"/serein.") || strings.HasPrefix(r.URL.String(), a.host+"/api/") {
		if _, given := r.Header["Idempotency-Key"]; !given {
			r.Header["Idempotency-Key"] = nil // not sent: it tells the transport that the request may be sent again
		}
		for name, value := range map[string]string{"X-Serein": "1", "Sec-Fetch-Site": "same-origin"} {
			if _, given := r.Header[name]; !given {
				r.Header.Set(name, value)
			}
		}
	}
	return a.next.RoundTrip(r)
}

// Cookies are what the browser sends to the product, name and value alone. Those of the provider are among them: cookies know no ports.
func (b *Browser) Cookies() ([]*http.Cookie, error) {
	target, err := url.Parse(b.harness.URL())
	if err != nil {
		return nil, err
	}
	return b.Jar.Cookies(target), nil
}

// CookieHeader is what the browser sends to the product as its Cookie.
func (b *Browser) CookieHeader() (string, error) {
	cookies, err := b.Cookies()
	if err != nil {
		return "", err
	}
	var pairs []string
	for _, cookie := range cookies {
		pairs = append(pairs, cookie.Name+"="+cookie.Value)
	}
	return strings.Join(pairs, "; "), nil
}

// Page is an answer that was read to its end.
type Page struct {
	*http.Response

	Body string
}

// Get fetches a path of the product, or a whole address, with header names and values in turn.
func (b *Browser) Get(ctx context.Context, target string, header ...string) (Page, error) {
	if strings.HasPrefix(target, "/") {
		target = b.harness.URL() + target
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, target, nil)
	if err != nil {
		return Page{}, err
	}
	for i := 0; i+1 < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	return b.read(req)
}

func (b *Browser) read(req *http.Request) (Page, error) {
	res, err := b.Do(req) //nolint:gosec // a person goes where the product sends them
	if err != nil {
		return Page{}, err
	}
	defer func() { _ = res.Body.Close() }()
	body, err := io.ReadAll(res.Body)
	return Page{res, string(body)}, err
}

// Submit fills the page's first form and sends it.
func (b *Browser) Submit(ctx context.Context, page Page, answers map[string]string) (Page, error) {
	form, err := findForm(page)
	if err != nil {
		return Page{}, err
	}
	for name, value := range answers {
		form.fields.Set(name, value)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, form.action, strings.NewReader(form.fields.Encode()))
	if err != nil {
		return Page{}, err
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	req.Header.Set("Origin", page.Request.URL.Scheme+"://"+page.Request.URL.Host)
	return b.read(req)
}

type form struct {
	action string
	fields url.Values
}

// Fields are those of the page's first form, as they stand.
func Fields(page Page) (url.Values, error) {
	form, err := findForm(page)
	return form.fields, err
}

// findForm reads the first form of a page; what only a script shows stands below it.
func findForm(page Page) (form, error) {
	root, err := html.Parse(strings.NewReader(page.Body))
	if err != nil {
		return form{}, err
	}
	for n := range root.Descendants() {
		if n.Type != html.ElementNode || n.Data != "form" {
			continue
		}
		action, err := page.Request.URL.Parse(attribute(n, "action"))
		if err != nil {
			return form{}, err
		}
		return form{action.String(), fieldsOf(n)}, nil
	}
	return form{}, fmt.Errorf("%s has no form: %s", page.Request.URL, page.Status)
}

func fieldsOf(form *html.Node) url.Values {
	fields := url.Values{}
	for n := range form.Descendants() {
		if n.Type == html.ElementNode && n.Data == "input" && attribute(n, "name") != "" {
			fields.Set(attribute(n, "name"), attribute(n, "value"))
		}
	}
	return fields
}

func attribute(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}
