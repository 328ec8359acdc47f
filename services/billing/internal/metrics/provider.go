package metrics

import (
	"context"
	"errors"
	"time"

	"serein.app/services/billing/internal/sales"
)

// Counted counts the calls of a provider that fail.
func (s *Sales) Counted(p Provider) Provider { return &counted{p, s} }

type counted struct {
	Provider // what is not counted: ReadEvent, which has its own
	count    *Sales
}

func did[T any](ctx context.Context, c *counted, call string, answer T, err error) (T, error) {
	c.count.called(ctx, call, err)
	return answer, err
}

func (c *counted) done(ctx context.Context, call string, err error) error {
	c.count.called(ctx, call, err)
	return err
}

func (c *counted) Prices(ctx context.Context, keys []string) (map[string]sales.ProviderPrice, error) {
	answer, err := c.Provider.Prices(ctx, keys)
	return did(ctx, c, "prices", answer, err)
}

func (c *counted) CreatePrice(ctx context.Context, key string, p sales.NewPrice) (sales.ProviderPrice, error) {
	answer, err := c.Provider.CreatePrice(ctx, key, p)
	return did(ctx, c, "create_price", answer, err)
}

func (c *counted) CreateCustomer(ctx context.Context, key string, who sales.Customer) (string, error) {
	answer, err := c.Provider.CreateCustomer(ctx, key, who)
	return did(ctx, c, "create_customer", answer, err)
}

func (c *counted) FindCustomer(ctx context.Context, uid string) (string, error) {
	answer, err := c.Provider.FindCustomer(ctx, uid)
	return did(ctx, c, "find_customer", answer, err)
}

// UpdateCustomer of one that was deleted at the provider's own pages is no failure: there is nobody to change.
func (c *counted) UpdateCustomer(ctx context.Context, key, id string, who sales.Customer) error {
	err := c.Provider.UpdateCustomer(ctx, key, id, who)
	if !errors.Is(err, sales.ErrNotFound) {
		c.count.called(ctx, "update_customer", err)
	}
	return err
}

func (c *counted) DeleteCustomer(ctx context.Context, key, id string) error {
	return c.done(ctx, "delete_customer", c.Provider.DeleteCustomer(ctx, key, id))
}

func (c *counted) MayUse(ctx context.Context, code string, used int64) (bool, error) {
	answer, err := c.Provider.MayUse(ctx, code, used)
	return did(ctx, c, "promotion_code", answer, err)
}

func (c *counted) CreateSession(ctx context.Context, key string, n sales.NewSession) (sales.Session, error) {
	answer, err := c.Provider.CreateSession(ctx, key, n)
	return did(ctx, c, "create_session", answer, err)
}

func (c *counted) Session(ctx context.Context, id string) (sales.Session, error) {
	answer, err := c.Provider.Session(ctx, id)
	return did(ctx, c, "session", answer, err)
}

func (c *counted) SessionsOf(ctx context.Context, customer string, since time.Time) ([]sales.Session, error) {
	answer, err := c.Provider.SessionsOf(ctx, customer, since)
	return did(ctx, c, "sessions", answer, err)
}

// ExpireSession of one that was paid meanwhile is refused by rights, and is no failure.
func (c *counted) ExpireSession(ctx context.Context, key, id string) error {
	err := c.Provider.ExpireSession(ctx, key, id)
	if !errors.Is(err, sales.ErrRefused) {
		c.count.called(ctx, "expire_session", err)
	}
	return err
}

func (c *counted) Subscription(ctx context.Context, id string) (sales.ProviderSubscription, error) {
	answer, err := c.Provider.Subscription(ctx, id)
	return did(ctx, c, "subscription", answer, err)
}

func (c *counted) EndSubscription(ctx context.Context, key, id string) error {
	return c.done(ctx, "end_subscription", c.Provider.EndSubscription(ctx, key, id))
}

func (c *counted) Refund(ctx context.Context, key, payment string) error {
	return c.done(ctx, "refund", c.Provider.Refund(ctx, key, payment))
}

func (c *counted) Payment(ctx context.Context, id string) (sales.Payment, error) {
	answer, err := c.Provider.Payment(ctx, id)
	return did(ctx, c, "payment", answer, err)
}

func (c *counted) PortalURL(ctx context.Context, customer, back string) (string, error) {
	answer, err := c.Provider.PortalURL(ctx, customer, back)
	return did(ctx, c, "portal", answer, err)
}

func (c *counted) Events(ctx context.Context, since time.Time) ([]sales.Event, error) {
	answer, err := c.Provider.Events(ctx, since)
	return did(ctx, c, "events", answer, err)
}
