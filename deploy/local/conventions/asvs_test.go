package conventions

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/services/testkit"
)

// asvs is the document that answers the OWASP Application Security Verification Standard.
const asvs = "docs/security/asvs.md"

// Every requirement of levels 1 and 2 has one answer: tests that are there, or a reason.
func TestEveryRequirementOfASVSHasATestOrAReason(t *testing.T) {
	t.Parallel()
	document := content(t, asvs)
	ids := requirements(t)
	require.Len(t, ids, 253) // 70 of level 1 and 183 of level 2
	require.Empty(t, faultsOf(document, ids, testkit.Repository(t)))
	require.Contains(t, document, "\n"+tally(document)+"\n", "the document counts its answers")
}

func TestAFaultOfTheDocumentIsFound(t *testing.T) {
	t.Parallel()
	const proof = "`deploy/local/conventions.TestAFaultOfTheDocumentIsFound`"
	const title = "`frontend/src/lib/sign-in.test.ts: no other site is returned to`"
	row := func(id, proof string) string { return "| " + id + " | An answer. | " + proof + " |\n" }
	good := row("V1.1.1", proof) + row("V1.1.2", "By design: it is in `gateway/wire.go`; "+title)
	for want, document := range map[string]string{
		"":                                                                   good,
		"V1.1.2 has no answer":                                               row("V1.1.1", proof),
		"V1.1.1 is answered twice":                                           good + row("V1.1.1", proof),
		"V1.1.3 is no requirement":                                           good + row("V1.1.3", proof),
		"V1.1.2 names neither test nor reason":                               row("V1.1.1", proof) + row("V1.1.2", "–"),
		"V1.1.2 gives no reason":                                             row("V1.1.1", proof) + row("V1.1.2", "Not met:"),
		"V1.1.2 gives a reason of no kind":                                   row("V1.1.1", proof) + row("V1.1.2", "Somehow: "+proof),
		"V1.1.2 is not an answer in three columns":                           row("V1.1.1", proof) + "| V1.1.2 | An answer. |\n",
		"V1.1.2: no test deploy/local/conventions.TestGone":                  row("V1.1.1", proof) + row("V1.1.2", proof+", `deploy/local/conventions.TestGone`"),
		"V1.1.2: no test gone.TestAFaultOfTheDocumentIsFound":                row("V1.1.1", proof) + row("V1.1.2", "`gone.TestAFaultOfTheDocumentIsFound`"),
		"V1.1.2: no test frontend/src/lib/sign-in.test.ts: no other":         row("V1.1.1", proof) + row("V1.1.2", "`frontend/src/lib/sign-in.test.ts: no other`"),
		"V1.1.2: no test frontend/src/lib/gone.test.ts: a title":             row("V1.1.1", proof) + row("V1.1.2", "`frontend/src/lib/gone.test.ts: a title`"),
		"V1.1.2: TestSomewhere is not named as a test is":                    row("V1.1.1", proof) + row("V1.1.2", proof+", `TestSomewhere`"),
		"V1.1.2: frontend/src/lib/sign-in.test.ts is not named as a test is": row("V1.1.1", proof) + row("V1.1.2", proof+", `frontend/src/lib/sign-in.test.ts`"),
		"V1.1.2: gateway/gone.go is not there":                               row("V1.1.1", proof) + row("V1.1.2", "By design: `gateway/gone.go`."),
	} {
		found := strings.Join(faultsOf(document, []string{"V1.1.1", "V1.1.2"}, testkit.Repository(t)), "; ")
		require.Equal(t, want, found)
	}
}

func TestTheAnswersAreCountedByKind(t *testing.T) {
	t.Parallel()
	var document strings.Builder
	for n, proof := range []string{"`a.TestB`", "By design: so.", "Operator: so.", "Does not apply: so.", "Not met: so.", "Not met: so; `a.TestB`"} {
		fmt.Fprintf(&document, "| V1.1.%d | An answer. | %s |\n", n+1, proof)
	}
	require.Equal(t, "Met by test 1, by design 1, by the operator 1; does not apply 1; not met 2.", tally(document.String()))
}

// requirements are the ids of levels 1 and 2.
func requirements(t *testing.T) (ids []string) {
	t.Helper()
	for line := range strings.Lines(content(t, "deploy/local/conventions/testdata/asvs-5.0.0.tsv")) {
		if id, level, ok := strings.Cut(strings.TrimSpace(line), "\t"); ok {
			require.Contains(t, []string{"1", "2"}, level, id)
			ids = append(ids, id)
		}
	}
	return ids
}

// content of a file of the repository.
func content(t *testing.T, path string) string {
	t.Helper()
	read, err := os.ReadFile(filepath.Join(testkit.Repository(t), filepath.FromSlash(path)))
	require.NoError(t, err)
	return string(read)
}
