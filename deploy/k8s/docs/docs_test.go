package docs

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"

	"serein.app/deploy/k8s/check"
	"serein.app/services/testkit/repository"
)

var checker = sync.OnceValues(func() (*Checker, error) {
	root, err := repository.Root()
	if err != nil {
		return nil, err
	}
	return New(root)
})

func known(t *testing.T) *Checker {
	t.Helper()
	c, err := checker()
	require.NoError(t, err)
	return c
}

func root(t *testing.T) string {
	t.Helper()
	found, err := repository.Root()
	require.NoError(t, err)
	return found
}

func TestEveryCommandOfTheDocsExists(t *testing.T) {
	t.Parallel()
	c := known(t)
	pages, err := Pages(root(t))
	require.NoError(t, err)
	snippets, commands := 0, 0
	for _, page := range pages {
		require.Empty(t, c.Faults(page), page.Path)
		blocks, _ := page.split()
		for _, b := range blocks {
			if b.language == "sh" {
				found, err := calls(b.text)
				require.NoError(t, err)
				snippets, commands = snippets+1, commands+len(found)
			}
		}
	}
	t.Logf("%d pages, %d snippets, %d commands", len(pages), snippets, commands)
	require.Greater(t, commands, 150)
}

func TestEveryToolOfTheTableIsCalledByAPage(t *testing.T) {
	t.Parallel()
	pages, err := Pages(root(t))
	require.NoError(t, err)
	var all strings.Builder
	for _, page := range pages {
		all.WriteString(page.text)
	}
	for name := range known(t).tools.commands {
		require.Regexp(t, `\b`+name+`\b`, all.String())
	}
}

// A replica that has taken over is started as the first is: following nobody.
func TestTheReplicaThatTakesOverStartsAsTheFirstDoes(t *testing.T) {
	t.Parallel()
	root := root(t)
	page, err := os.ReadFile(filepath.Join(root, "docs/recover.md"))
	require.NoError(t, err)
	patch := regexp.MustCompile(`patch statefulset redis-replica --patch '([^']+)'`).FindSubmatch(page)
	require.Len(t, patch, 2)
	var patched appsv1.StatefulSet
	require.NoError(t, json.Unmarshal(patch[1], &patched))
	installation, err := check.Load(root, "overlays/prod")
	require.NoError(t, err)
	for _, w := range installation.Workloads() {
		if w.Name == "redis" {
			require.Equal(t, w.Pod.Spec.Containers[0].Name, patched.Spec.Template.Spec.Containers[0].Name)
			require.Equal(t, w.Pod.Spec.Containers[0].Args, patched.Spec.Template.Spec.Containers[0].Args)
		}
	}
}

func TestEveryPageIsReachedFromTheIndex(t *testing.T) {
	t.Parallel()
	root := root(t)
	for _, folder := range []string{"docs", "docs/adr", "docs/runbooks"} {
		index, err := os.ReadFile(filepath.Join(root, folder, "README.md"))
		require.NoError(t, err)
		pages, err := filepath.Glob(filepath.Join(root, folder, "*.md"))
		require.NoError(t, err)
		for _, page := range pages {
			if name := filepath.Base(page); name != "README.md" {
				require.Contains(t, links(string(index)), name)
			}
		}
	}
	readme, err := os.ReadFile(filepath.Join(root, "README.md"))
	require.NoError(t, err)
	require.Contains(t, links(string(readme)), "docs/README.md")
}
