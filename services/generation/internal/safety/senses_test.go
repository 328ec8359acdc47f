package safety

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAWordHasTheSensesOfItsStem(t *testing.T) {
	t.Parallel()
	for word, sense := range map[string]string{
		"strangling": "violence", "bruised": "wounds", "husbands": "partner", "embryos": "infertility", "wheezed": "breathing", "courgette": "garden", "cassoulet": "",
	} {
		found := senses()[stemmed(squeeze(word))]
		if sense == "" {
			require.Empty(t, found, word)
			continue
		}
		require.Contains(t, found, sense, word)
	}
}

func TestEveryLineOfSensesIsANameAndItsWords(t *testing.T) {
	t.Parallel()
	names := map[string]bool{}
	for line := range strings.Lines(sensesText) {
		if line = strings.TrimSpace(line); line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		name, words, ok := strings.Cut(line, ":")
		require.True(t, ok, line)
		require.NotEmpty(t, strings.Fields(words), line)
		require.False(t, names[name], "twice: %s", name)
		names[name] = true
		require.Equal(t, words, strings.ToLower(words), "%s: words are read in small letters", name)
	}
}
