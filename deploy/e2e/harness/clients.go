package harness

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
)

// Client is an app of somebody else's that members sign in to from its own pages: it keeps no secret.
type Client struct {
	ID                     string   `json:"id"`
	Name                   string   `json:"name"`
	Public                 bool     `json:"public"`
	RedirectURIs           []string `json:"redirect_uris"`
	PostLogoutRedirectURIs []string `json:"post_logout_redirect_uris"`
	Scopes                 []string `json:"scopes"`
}

// AddClient writes it into the file of clients, as an operator does, and waits until the provider knows it.
func (h *Harness) AddClient(ctx context.Context, c Client) error {
	path := filepath.Join(h.Dir, "clients.json")
	before, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	var all []any
	if err := json.Unmarshal(before, &all); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	after, err := json.Marshal(append(all, c))
	if err != nil {
		return err
	}
	if err := os.WriteFile(path+".new", after, 0o600); err != nil {
		return err
	}
	if err := os.Rename(path+".new", path); err != nil {
		return err
	}
	ask := h.Issuer() + "/oauth/authorize?" + url.Values{"client_id": {c.ID}, "redirect_uri": {c.RedirectURIs[0]}}.Encode()
	return Eventually(ctx, "the provider knows "+c.ID, func(ctx context.Context) (bool, error) {
		page, err := h.NewBrowser().Get(ctx, ask)
		return err == nil && page.StatusCode == http.StatusOK, err // the provider answers errors for a known app by a redirect to the app's page
	})
}

// Callback is where a sign-in that the member has begun in this browser would end: with its code, which nobody has used yet.
func (m *Member) Callback(ctx context.Context) (string, error) {
	stopped := *m.Client
	stopped.CheckRedirect = func(next *http.Request, _ []*http.Request) error {
		if next.URL.Path == "/auth/callback" {
			return http.ErrUseLastResponse
		}
		return nil
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, m.harness.URL()+"/auth/sign-in", nil)
	if err != nil {
		return "", err
	}
	res, err := stopped.Do(req)
	if err != nil {
		return "", err
	}
	defer func() { _ = res.Body.Close() }()
	if res.Header.Get("Location") == "" {
		return "", fmt.Errorf("the sign-in ended with %s", res.Status)
	}
	return res.Header.Get("Location"), nil
}
