package cognito

import (
	"context"
	"strings"

	"serein.app/services/identity/internal/account"
	"serein.app/services/platform/typed"
)

// once runs a call. One that comes again because its answer was lost is answered as before and not
// run. SignUp is not here: the domain knows it by its form.
func (h *Handler) once(ctx context.Context, op operation, c *call) (any, error) {
	if op.repeat == nil {
		return op.run(h, ctx, c)
	}
	key := op.repeat(c)
	if key == "" {
		return op.run(h, ctx, c)
	}
	if done, err := h.cfg.Accounts.Done(ctx, key); err != nil || done {
		return op.again, err
	}
	answer, err := op.run(h, ctx, c)
	if err != nil {
		return nil, err
	}
	if err := h.cfg.Accounts.MarkDone(ctx, key); err != nil {
		// It was done, and that is what the answer says.
		h.cfg.Log.WarnContext(ctx, "a call that was done is not remembered", "operation", c.operation, "error", err)
	}
	return answer, nil
}

// byCode knows a call by the code that it brings, which is used once.
func byCode(c *call) string {
	return c.key(account.UsernameKey(c.Username), typed.Digits(c.ConfirmationCode))
}

// byInvocation knows a call by the id that its SDK gave it. A person who presses a button twice makes two calls.
func byInvocation(c *call) string {
	if c.invocation == "" {
		return ""
	}
	return c.key(account.UsernameKey(c.Username), c.invocation)
}

// byToken is byInvocation for a member whose token may have ended by the call itself.
func byToken(c *call) string {
	if c.invocation == "" || c.AccessToken == "" {
		return ""
	}
	return c.key(c.AccessToken, c.invocation)
}

func (c *call) key(parts ...string) string {
	return c.operation + "\x00" + strings.Join(parts, "\x00")
}
