package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
	"github.com/stripe/stripe-go/v85/webhook"

	"serein.app/deploy/e2e/harness"
	webv1 "serein.app/proto/gen/serein/web/v1"
	"serein.app/proto/gen/serein/web/v1/webv1connect"
	"serein.app/services/testkit/paymentsandbox"
)

const (
	// buyers check out at once, each their own basket.
	buyers = 16
	// chosen is the plan that lies in their baskets.
	chosen = "serein-premium"
)

// measureSelling measures baskets, checkouts and webhooks of the running product with the payment provider's stand-in.
func measureSelling(ctx context.Context, b *bench) (figures []Figure, err error) {
	product, leave, err := openProduct(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, leave()) }()
	for _, measure := range []func(context.Context, *harness.Harness) (Figure, error){
		b.measureBaskets, b.measureWebhooks,
	} {
		figure, err := measure(ctx, product)
		if err != nil {
			return figures, err
		}
		figures = append(figures, figure)
	}
	checkouts, err := b.measureCheckouts(ctx, product)
	return append(figures, checkouts...), err
}

// pace is what a request to the payment provider takes over the internet, at the least.
const pace = 100 * time.Millisecond

// measureCheckouts compares checkouts through gateway, basket and billing with the requests that they make to the stand-in, made to
// the stand-in alone: for a member who checks out again, billing closes the older page and opens a new one. The stand-in answers from
// memory, in less time than one commit takes. So both are measured again with a stand-in that takes a provider's time for a request.
func (b *bench) measureCheckouts(ctx context.Context, product *harness.Harness) ([]Figure, error) {
	checkout, err := checkouts(ctx, product)
	if err != nil {
		return nil, err
	}
	alone, err := pages(ctx, product)
	if err != nil {
		return nil, err
	}
	at := b.by(buyers)
	quick, err := at.compare(ctx, "checkouts", checkout, "the payment sandbox alone", alone)
	if err != nil {
		return nil, err
	}
	slow := map[string]any{"kind": paymentsandbox.Slow, "delay": pace.Milliseconds()}
	if err := product.ControlPayments(ctx, "fail", slow, nil); err != nil {
		return nil, err
	}
	paced, err := at.compare(ctx, "checkouts at a provider that takes 0.1 s", checkout, "that provider alone", alone)
	return []Figure{quick, paced}, errors.Join(err, product.ControlPayments(ctx, "heal", struct{}{}, nil))
}

// compare measures the same thing through the product and without it.
func (b *bench) compare(ctx context.Context, name string, through operation, limit string, alone operation) (Figure, error) {
	b.say("  " + name + ", through the product")
	does, err := b.rate(ctx, through)
	if err != nil {
		return Figure{}, err
	}
	b.say("  " + name + ", " + limit)
	could, err := b.rate(ctx, alone)
	return Figure{Name: name, Value: Quantity{does, "/s"}}.against(limit, could).atLeast(0.5), err
}

// by is the same run with another number of callers.
func (b *bench) by(callers int) *bench {
	other := *b
	other.callers = callers
	return &other
}

// checkouts are made by members on trial. Each member has a separate browser and checks out the basket that it shows.
func checkouts(ctx context.Context, product *harness.Harness) (operation, error) {
	if err := product.AwaitShop(ctx); err != nil {
		return nil, err
	}
	free := make(chan buyer, buyers)
	for range buyers {
		member, err := product.NewMember(ctx)
		if err != nil {
			return nil, err
		}
		added, err := member.Basket.AddToBasket(ctx, &webv1.AddToBasketRequest{RequestId: uuid.NewString(), ProductId: chosen, Size: "month"})
		if err != nil {
			return nil, err
		}
		free <- buyer{member.Basket, added.GetBasket().GetVersion()}
	}
	checkout := func(ctx context.Context, _ int64) error {
		b := <-free
		defer func() { free <- b }()
		_, err := b.basket.Checkout(ctx, &webv1.CheckoutRequest{RequestId: uuid.NewString(), Version: b.version})
		return err
	}
	// The first makes the customer as well.
	for range buyers {
		if err := checkout(ctx, 0); err != nil {
			return nil, err
		}
	}
	return checkout, nil
}

// buyer is a browser's basket and the version of it that was seen: a checkout leaves it as it is.
type buyer struct {
	basket  webv1connect.BasketServiceClient
	version int64
}

// pages closes the page of before and opens a new one, each a request as billing sends it.
func pages(ctx context.Context, product *harness.Harness) (operation, error) {
	price, err := harness.SQL[string](ctx, product, "billing", `SELECT price_id FROM items WHERE product_id = $1 AND size = 'month'`, chosen)
	if err != nil {
		return nil, err
	}
	customer, err := harness.SQL[string](ctx, product, "billing", `SELECT min(customer_id) FROM customers`)
	if err != nil {
		return nil, err
	}
	form := url.Values{
		"mode": {"subscription"}, "customer": {customer}, "line_items[0][price]": {price}, "line_items[0][quantity]": {"1"},
		"success_url": {product.URL() + "/order-success"}, "cancel_url": {product.URL() + "/checkout"}, "locale": {"en-GB"},
		"expires_at": {strconv.FormatInt(time.Now().Add(time.Hour).Unix(), 10)}, "expand[0]": {"line_items"},
	}
	ask := provider(product)
	open := make(chan string, buyers)
	for range buyers {
		open <- ""
	}
	return func(ctx context.Context, _ int64) error {
		before := <-open
		var closing error
		if before != "" {
			_, closing = ask(ctx, "/v1/checkout/sessions/"+before+"/expire", url.Values{})
		}
		id, err := ask(ctx, "/v1/checkout/sessions", form)
		open <- id
		return errors.Join(closing, err)
	}, nil
}

// provider posts to the payment provider and reads the id of the answer.
func provider(product *harness.Harness) func(ctx context.Context, path string, form url.Values) (id string, err error) {
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: buyers}}
	return func(ctx context.Context, path string, form url.Values) (string, error) {
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, product.PaymentsURL()+path, strings.NewReader(form.Encode()))
		if err != nil {
			return "", err
		}
		req.Header = http.Header{
			"Authorization": {"Bearer " + product.PaymentsKey()}, "Idempotency-Key": {uuid.NewString()},
			"Content-Type": {"application/x-www-form-urlencoded"}, "Stripe-Version": {paymentsandbox.APIVersion},
		}
		body, err := answered(client, req)
		if err != nil {
			return "", err
		}
		var made struct{ ID string }
		err = json.Unmarshal(body, &made)
		return made.ID, err
	}
}

// answered is the body of an answer that is as it should be.
func answered(client *http.Client, req *http.Request) ([]byte, error) {
	res, err := client.Do(req)
	if err != nil {
		return nil, err
	}
	body, err := io.ReadAll(res.Body)
	err = errors.Join(err, res.Body.Close())
	if err == nil && res.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s answered %s: %.300s", req.URL.Path, res.Status, body)
	}
	return body, err
}

// measureWebhooks sends signed events, each a new one, through the gateway until they are kept. What they tell is of a
// checkout that nobody knows, so that keeping them is all that is measured.
func (b *bench) measureWebhooks(ctx context.Context, product *harness.Harness) (Figure, error) {
	b.say("  webhooks")
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: b.callers}}
	var told atomic.Int64
	rate, err := b.rate(ctx, func(ctx context.Context, _ int64) error {
		now := time.Now()
		signed := webhook.GenerateTestSignedPayload(&webhook.UnsignedPayload{
			Secret: product.PaymentsSecret(), Timestamp: now, Payload: fmt.Appendf(nil, unknownEvent, told.Add(1), paymentsandbox.APIVersion, now.Unix()),
		})
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, product.URL()+"/webhooks/payments", strings.NewReader(string(signed.Payload)))
		if err != nil {
			return err
		}
		req.Header.Set("Stripe-Signature", signed.Header)
		_, err = answered(client, req)
		return err
	})
	return Figure{Name: "webhooks kept", Value: Quantity{rate, "/s"}}, err
}

const unknownEvent = `{"id":"evt_load_%d","object":"event","api_version":%q,"created":%d,"livemode":false,"type":"checkout.session.expired",
	"data":{"object":{"id":"cs_test_unknown","object":"checkout.session"}}}`
