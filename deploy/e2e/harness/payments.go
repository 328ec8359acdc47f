package harness

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
)

// ControlPayments has the payment provider of this machine do something; its README lists what. answer may be nil.
func (h *Harness) ControlPayments(ctx context.Context, control string, body, answer any) error {
	encoded, err := json.Marshal(body)
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, h.PaymentsURL()+"/sandbox/"+control, bytes.NewReader(encoded))
	if err != nil {
		return err
	}
	req.Header.Set("Authorization", "Bearer "+h.PaymentsKey())
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer func() { _ = res.Body.Close() }()
	read, err := io.ReadAll(res.Body)
	if err != nil {
		return err
	}
	if res.StatusCode != http.StatusOK {
		return fmt.Errorf("payments %s: %s: %s", control, res.Status, read)
	}
	if answer == nil {
		return nil
	}
	return json.Unmarshal(read, answer)
}
