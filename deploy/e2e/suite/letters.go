package suite

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/deploy/e2e/harness"
)

// RequireLetter waits for a letter to the member with these words in its subject or text.
func (p *Product) RequireLetter(t *testing.T, m *harness.Member, words string) {
	t.Helper()
	require.NoError(t, harness.Eventually(t.Context(), "the letter that says "+words, func(ctx context.Context) (bool, error) {
		mails, err := p.Mails(ctx, m.Email)
		for _, mail := range mails {
			if strings.Contains(mail.Subject+"\n"+mail.Text, words) {
				return true, nil
			}
		}
		return false, err
	}))
}
