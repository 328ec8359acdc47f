package sales

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
)

// CustomerChange is what of a member is another since At: the address or the name; empty is as it was.
type CustomerChange struct {
	UID         uuid.UUID
	Email, Name string
	At          time.Time
}

// ChangeCustomer has the provider's customer follow the member, so that the provider's own pages and letters go to the present address.
// Without a customer there is nothing to do: the next checkout makes one of what is known then.
func (s *Service) ChangeCustomer(ctx context.Context, c CustomerChange) error {
	return s.Store.ChangeCustomer(ctx, c, func(ctx context.Context, customer string) error {
		key := fmt.Sprintf("customer-change:%s:%t:%d", customer, c.Email != "", c.At.UnixMicro())
		err := s.Provider.UpdateCustomer(ctx, key, customer, Customer{Email: c.Email, Name: c.Name})
		if errors.Is(err, ErrNotFound) {
			return nil // deleted at the provider's own pages: the next checkout makes another
		}
		return err
	})
}

// fingerprint tells one customer's words from another's: a key is good for the same words alone, and a name may change between two tries.
func (c Customer) fingerprint() string {
	sum := sha256.Sum256([]byte(c.Email + "\x00" + c.Name))
	return hex.EncodeToString(sum[:8])
}
