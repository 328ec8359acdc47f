package purchases

import (
	"context"
	"errors"
	"fmt"
)

// letters looks into the mailboxes: each member has had a code, a welcome and a receipt for each of their orders, and nothing else. Two
// letters are different ones by their Message-ID. The same one may come twice, which SMTP cannot exclude: a process that dies after
// the server has taken a letter does not know that it has, and hands it over again.
func (s *storm) letters(ctx context.Context, orders []order, buyers []*buyer) error {
	var faults []error
	for _, b := range buyers {
		received, err := s.received(ctx, b)
		if err != nil {
			return err
		}
		for subject := range awaited(orders, b) {
			if received[subject] != 1 {
				faults = append(faults, fmt.Errorf("%s has had %d letters %q", b.UID, received[subject], subject))
			}
			delete(received, subject)
		}
		for subject, n := range received {
			faults = append(faults, fmt.Errorf("%s has had %d letters %q that nobody owed", b.UID, n, subject))
		}
	}
	return errors.Join(faults...)
}

// awaited are the subjects of what a member is to have: one for each kind of letter, and for each order one that names it.
func awaited(orders []order, b *buyer) map[string]bool {
	subjects := map[string]bool{"Your confirmation code for Serein": true, "Welcome to Serein": true}
	for _, o := range orders {
		if o.UID == b.UID {
			subjects[fmt.Sprintf("Your receipt from Serein, order S-%d", o.Number)] = true
		}
	}
	return subjects
}

// received counts the different letters of each subject in a member's mailbox, and what came once more.
func (s *storm) received(ctx context.Context, b *buyer) (map[string]int, error) {
	mails, err := s.product.Mails(ctx, b.Email)
	seen, count := map[string]bool{}, map[string]int{}
	for _, mail := range mails {
		if seen[mail.MessageID] {
			s.report.Twice++
			continue
		}
		seen[mail.MessageID] = true
		s.report.Letters++
		count[mail.Subject]++
	}
	return count, err
}
