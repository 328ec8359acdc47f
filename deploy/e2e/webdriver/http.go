package webdriver

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// driver is a browser's driver program, asked by HTTP.
type driver struct {
	address string
	// session is empty before newSession.
	session string
}

func (d *driver) call(ctx context.Context, c command, params map[string]any) (json.RawMessage, error) {
	address := d.address + "/session" + d.session + c.path
	if id, ok := params["id"].(string); ok {
		address = strings.ReplaceAll(address, "{id}", id)
	}
	var body io.Reader
	if c.method == http.MethodPost {
		if params == nil {
			params = map[string]any{} // the protocol wants an object
		}
		content, err := json.Marshal(params)
		if err != nil {
			return nil, err
		}
		body = bytes.NewReader(content)
	}
	req, err := http.NewRequestWithContext(ctx, c.method, address, body)
	if err != nil {
		return nil, err
	}
	return answered(http.DefaultClient.Do(req)) //nolint:bodyclose // answered does
}

func answered(res *http.Response, err error) (json.RawMessage, error) {
	if err != nil {
		return nil, err
	}
	defer func() { _ = res.Body.Close() }()
	content, err := io.ReadAll(res.Body)
	if err != nil {
		return nil, err
	}
	var answer struct {
		Value json.RawMessage `json:"value"`
	}
	if err := json.Unmarshal(content, &answer); err != nil {
		return nil, fmt.Errorf("the driver answers %s: %w", res.Status, err)
	}
	if res.StatusCode == http.StatusOK {
		return answer.Value, nil
	}
	refused := &Error{}
	if err := json.Unmarshal(answer.Value, refused); err != nil {
		return nil, fmt.Errorf("the driver answers %s: %w", res.Status, err)
	}
	return nil, refused
}

// begin opens the session, with capabilities that the browser must have.
func (d *driver) begin(ctx context.Context, capabilities map[string]any) error {
	value, err := d.call(ctx, newSession, map[string]any{"capabilities": map[string]any{"alwaysMatch": capabilities}})
	if err != nil {
		return err
	}
	var begun struct {
		ID string `json:"sessionId"`
	}
	if err := json.Unmarshal(value, &begun); err != nil {
		return err
	}
	d.session = "/" + begun.ID
	return nil
}
