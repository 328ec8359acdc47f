package promises

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var root = filepath.Join("..", "..", "..")

func TestEachClauseThatNamesAPlaceOrADeedHasARowAndNoRowIsLeftOver(t *testing.T) {
	t.Parallel()
	texts, err := Read(root)
	require.NoError(t, err)
	require.Greater(t, len(texts), 200)
	said := map[string]bool{}
	for _, text := range texts {
		for _, clause := range Clauses(text.Words) {
			known := false
			for _, row := range Rows {
				if strings.Contains(clause, row.Says) {
					known, said[row.Says] = true, true
				}
			}
			if !known {
				t.Errorf("%s: no row says where this is done: %s", text.Where, clause)
			}
		}
	}
	for _, row := range Rows {
		if !said[row.Says] {
			t.Errorf("nobody says %q any more", row.Says)
		}
	}
}

func TestEachRowIsProvedByAScreenOrByATestThatExists(t *testing.T) {
	t.Parallel()
	for _, row := range Rows {
		require.True(t, row.Page != "" || row.Proof != "", row.Says)
		require.Equal(t, row.Page == "", row.Role == "" && row.Name == "", row.Says)
		if row.Proof == "" {
			continue
		}
		path, test, found := strings.Cut(row.Proof, ": ")
		require.True(t, found, row.Proof)
		source, err := os.ReadFile(filepath.Join(root, path))
		require.NoError(t, err)
		if strings.HasSuffix(path, ".go") {
			require.Contains(t, string(source), "func "+test+"(t *testing.T)", row.Says)
		} else {
			require.Contains(t, string(source), `test("`+test+`"`, row.Says)
		}
	}
}

func TestTheRowsOfAPageStandTogether(t *testing.T) {
	t.Parallel()
	var pages []string
	for _, row := range Rows {
		if len(pages) == 0 || pages[len(pages)-1] != row.Page {
			require.False(t, slices.Contains(pages, row.Page), "a browser would open %s twice", row.Page)
			pages = append(pages, row.Page)
		}
	}
}

func TestAClauseIsFoundByItsPlaceOrItsDeed(t *testing.T) {
	t.Parallel()
	for words, want := range map[string][]string{
		"You can download it from the [Members Area](/members), and correct your details there too.": {"You can download it from the Members Area", "correct your details there too."},
		"Rest. You can undo it with one click until then.":                                           {"You can undo it with one click until then."},
		"Keep my membership: https://serein.example/members":                                         {"Keep my membership: https://serein.example/members"},
		"You can change that sound or turn it off":                                                   {"You can change that sound or turn it off"},
		"Headphones bring out the sound. There are three sizes, and nobody is there to ask.":         nil,
		"The [privacy page](/privacy-policy) explains all of it.":                                    nil,
	} {
		require.Equal(t, want, Clauses(words), words)
	}
}
