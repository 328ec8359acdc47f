package devparts

import (
	"context"
	"errors"
	"net"
	"net/http"

	"golang.org/x/sync/errgroup"

	"serein.app/deploy/local/inbox"
)

// runInbox takes letters by SMTP and shows them.
func runInbox(ctx context.Context, c inboxConfig) error {
	box, err := inbox.Open(c.DataDir)
	if err != nil {
		return err
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", c.SMTPAddr)
	if err != nil {
		return err
	}
	mail := inbox.SMTP(box, c.SMTPAddr)
	parts, ctx := errgroup.WithContext(ctx)
	parts.Go(func() error {
		return serve(ctx, c.PageAddr, inbox.Handler(box, inbox.Samples(http.DefaultClient, c.MailURL)))
	})
	parts.Go(func() error {
		if err := mail.Serve(listener); ctx.Err() == nil {
			return err
		}
		return nil
	})
	parts.Go(func() error {
		<-ctx.Done()
		return mail.Close()
	})
	return errors.Join(parts.Wait())
}
