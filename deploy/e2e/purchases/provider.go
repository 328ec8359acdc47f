package purchases

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
)

// control drives the payment provider's stand-in; in is its JSON, and out, unless it is nil, what it answers.
func (s *storm) control(ctx context.Context, name string, in, out any) error {
	body, err := json.Marshal(in)
	if err != nil {
		return err
	}
	return s.ask(ctx, http.MethodPost, "/sandbox/"+name, body, out)
}

func (s *storm) ask(ctx context.Context, method, path string, body []byte, out any) error {
	req, err := http.NewRequestWithContext(ctx, method, s.product.PaymentsURL()+path, bytes.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("Authorization", "Bearer "+s.product.PaymentsKey())
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer func() { _ = res.Body.Close() }()
	if res.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %s", path, res.Status)
	}
	if out == nil {
		return nil
	}
	return json.NewDecoder(res.Body).Decode(out)
}

// session is a checkout as the provider has it.
type session struct {
	ID            string            `json:"id"`
	PaymentStatus string            `json:"payment_status"`
	Status        string            `json:"status"`
	Amount        int64             `json:"amount_total"`
	Metadata      map[string]string `json:"metadata"`
}

// sessions are all checkouts that were ever opened.
func (s *storm) sessions(ctx context.Context) (all []session, err error) {
	after := ""
	for {
		var page struct {
			Data    []session `json:"data"`
			HasMore bool      `json:"has_more"`
		}
		if err := s.ask(ctx, http.MethodGet, "/v1/checkout/sessions?limit=100"+after, nil, &page); err != nil {
			return nil, err
		}
		all = append(all, page.Data...)
		if !page.HasMore || len(page.Data) == 0 {
			return all, nil
		}
		after = "&starting_after=" + page.Data[len(page.Data)-1].ID
	}
}

// told counts the provider's events by their type.
func (s *storm) told(ctx context.Context) (map[string]int, error) {
	var answer struct {
		Events []struct {
			Type string `json:"type"`
		} `json:"events"`
	}
	err := s.control(ctx, "events", struct{}{}, &answer)
	count := map[string]int{}
	for _, e := range answer.Events {
		count[e.Type]++
	}
	return count, err
}
