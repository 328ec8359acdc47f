package conventions

import (
	"go/ast"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// forbiddenImports are of no use to a service: weak or broken ciphers and hashes, formats that name types, memory that
// nobody checks, C, and other programs.
var forbiddenImports = []string{"C", "unsafe", "plugin", "os/exec", "encoding/gob", "crypto/des", "crypto/dsa", "crypto/md5", "crypto/rc4", "crypto/sha1", "golang.org/x/crypto/bcrypt"}

// forbiddenNames are encryption without a proof of what was encrypted, padding that gives it away, and certificates that nobody looks at.
var forbiddenNames = []string{
	"NewCBCDecrypter", "NewCBCEncrypter", "NewCFBDecrypter", "NewCFBEncrypter", "NewCTR", "NewOFB",
	"EncryptPKCS1v15", "DecryptPKCS1v15", "InsecureSkipVerify",
}

func TestServicesUseNoWeakCipherNoOtherProgramAndNoUncheckedMemory(t *testing.T) {
	t.Parallel()
	looked := 0
	for path, source := range sources(t, ".go") {
		if isTest(path) || !strings.HasPrefix(path, "services/") && !strings.HasPrefix(path, "gateway/") {
			continue
		}
		looked++
		require.Empty(t, forbidden(parse(t, path, source)), path)
	}
	require.Greater(t, looked, 500)
}

// leaves is a client that goes where an answer sends it.
var leaves = regexp.MustCompile(`http\.Client\{[^\n]*|http\.(?:DefaultClient|Get|Head|Post|PostForm)\b`)

func TestNoClientOfOursGoesWhereAnAnswerSendsIt(t *testing.T) {
	t.Parallel()
	looked := 0
	for path, source := range sources(t, ".go") {
		if isTest(path) || strings.HasPrefix(path, "services/testkit/") || !strings.HasPrefix(path, "services/") && !strings.HasPrefix(path, "gateway/") {
			continue
		}
		for _, client := range leaves.FindAllString(source, -1) {
			require.Contains(t, client, "CheckRedirect: outgoing.StayHere", path)
			looked++
		}
	}
	require.GreaterOrEqual(t, looked, 8)
}

// textAsCode runs a text, prints it as markup, or listens to other windows.
var textAsCode = regexp.MustCompile(`\beval\(|new Function\(|document\.write|insertAdjacentHTML|\.(?:inner|outer)HTML\b|dangerouslySetInnerHTML` +
	`|\b(?:window|self|globalThis)\.(?:onmessage|addEventListener\("message")|\b(?:window|opener|parent|top)\.postMessage`)

// printsHTML are the places of the app that print markup: what content has cleaned, and pictures of the build.
var printsHTML = []string{"frontend/src/ui/Art.tsx", "frontend/src/ui/Html.tsx"}

func TestTheAppRunsNoTextAsCodeAndListensToNoOtherWindow(t *testing.T) {
	t.Parallel()
	looked := 0
	for path, source := range sources(t, ".ts", ".tsx", ".js") {
		ours := strings.HasPrefix(path, "frontend/src/") || strings.HasPrefix(path, "services/identity/internal/") || strings.HasPrefix(path, "gateway/internal/")
		if isTest(path) || strings.HasPrefix(path, "frontend/src/testing/") || !ours {
			continue
		}
		looked++
		if !slices.Contains(printsHTML, path) {
			require.Empty(t, textAsCode.FindString(source), path)
		}
	}
	require.Greater(t, looked, 200)
}

func TestWhatIsForbiddenIsFound(t *testing.T) {
	t.Parallel()
	for source, want := range map[string]string{
		`import "crypto/sha256"`:                           "",
		`import "crypto/md5"`:                              "crypto/md5",
		`import run "os/exec"`:                             "os/exec",
		`var c = tls.Config{InsecureSkipVerify: true}`:     "InsecureSkipVerify",
		`func f() { c.InsecureSkipVerify = true }`:         "InsecureSkipVerify",
		`func f() { cipher.NewCBCEncrypter(block, iv) }`:   "NewCBCEncrypter",
		`func f() { _, _ = rsa.EncryptPKCS1v15(r, k, m) }`: "EncryptPKCS1v15",
		`var says = "InsecureSkipVerify"`:                  "",
	} {
		require.Equal(t, want, strings.Join(forbidden(parse(t, "f.go", "package p\n\n"+source)), " "), source)
	}
	for source, want := range map[string]bool{
		`eval("1")`: true, `at.innerHTML = text`: true, `window.addEventListener("message", f)`: true, `window.opener.postMessage(1)`: true,
		`opener.postMessage(1)`: true, `channel.postMessage(1)`: false, `medieval("1")`: false, `at.textContent = text`: false,
	} {
		require.Equal(t, want, textAsCode.MatchString(source), source)
	}
}

// forbidden are the imports and names of a file that no service may use.
func forbidden(file *ast.File) (found []string) {
	for _, spec := range file.Imports {
		if imported, err := strconv.Unquote(spec.Path.Value); err == nil && slices.Contains(forbiddenImports, imported) {
			found = append(found, imported)
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if name, ok := n.(*ast.Ident); ok && slices.Contains(forbiddenNames, name.Name) {
			found = append(found, name.Name)
		}
		return true
	})
	return found
}
