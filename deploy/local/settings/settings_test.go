package settings_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/deploy/local/settings"
	"serein.app/services/testkit"
	"serein.app/services/testkit/repository"
)

// repositoryOf writes files by their paths and gives the folder that they are in.
func repositoryOf(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		require.NoError(t, os.MkdirAll(filepath.Join(root, filepath.Dir(name)), 0o700))
		require.NoError(t, os.WriteFile(filepath.Join(root, name), []byte(text), 0o600))
	}
	return root
}

const tea = `package tea

import (
	"time"

	store "serein.app/services/platform/database"
	"serein.app/services/platform/config"
)

// Config of the service.
type Config struct {
	store.Config
	Kettle Kettle
	// Steep is how long the tea stands; see Token.
	Steep time.Duration ` + "`env:\"STEEP\" envDefault:\"3m\"`" + `
	// Token opens the tin.
	Token config.Secret ` + "`env:\"TIN_TOKEN\"`" + `
	now func() time.Time
}

type Kettle struct {
	// Size is in litres.
	Size int ` + "`env:\"KETTLE_SIZE,required\"`" + `
}
`

const database = `package database

import "serein.app/services/platform/config"

type Config struct {
	// URL is the
	// database's address: a|b.
	URL config.URL ` + "`env:\"DATABASE_URL,required\"`" + `
}
`

func TestVariablesAreFoundInEmbeddedAndNamedStructsOfOtherPackages(t *testing.T) {
	t.Parallel()
	root := repositoryOf(t, map[string]string{"services/tea/tea.go": tea, "services/platform/database/database.go": database})
	found, err := settings.Of(root, "tea")
	require.NoError(t, err)
	require.Equal(t, []settings.Variable{
		{Name: "DATABASE_URL", Required: true, Secret: true, Text: "`DATABASE_URL` is the database's address: a|b."},
		{Name: "KETTLE_SIZE", Required: true, Text: "`KETTLE_SIZE` is in litres."},
		{Name: "STEEP", Default: "3m", Text: "`STEEP` is how long the tea stands; see `TIN_TOKEN`."},
		{Name: "TIN_TOKEN", Secret: true, Text: "`TIN_TOKEN` opens the tin."},
	}, found)
}

func TestATableStandsBetweenItsLines(t *testing.T) {
	t.Parallel()
	root := repositoryOf(t, map[string]string{
		"services/tea/tea.go": tea, "services/platform/database/database.go": database,
		"services/tea/README.md": "# tea\n\n<!-- settings: make generate writes this table -->\nold\n<!-- end of settings -->\n\nMore.\n",
	})
	for range 2 { // the second time finds the table of the first
		require.NoError(t, settings.WriteTable(root, "tea"))
	}
	text, err := os.ReadFile(filepath.Join(root, "services/tea/README.md"))
	require.NoError(t, err)
	require.Equal(t, `# tea

<!-- settings: make generate writes this table -->
| variable | default | meaning |
|---|---|---|
| `+"`DATABASE_URL`"+` | required | **secret**: the database's address: a\|b. |
| `+"`KETTLE_SIZE`"+` | required | in litres. |
| `+"`STEEP`"+` | `+"`3m`"+` | how long the tea stands; see `+"`TIN_TOKEN`"+`. |
| `+"`TIN_TOKEN`"+` |  | **secret**: opens the tin. |
<!-- end of settings -->

More.
`, string(text))
}

func TestWhatCannotBeWrittenIsAnError(t *testing.T) {
	t.Parallel()
	bare := "package tea\n\ntype Config struct {\n\tSize int `env:\"SIZE\"`\n}\n"
	root := repositoryOf(t, map[string]string{"services/tea/tea.go": bare, "services/tea/README.md": "# tea\n"})
	require.ErrorContains(t, settings.WriteTable(root, "tea"), "SIZE has no comment")
	root = repositoryOf(t, map[string]string{
		"services/tea/tea.go": tea, "services/platform/database/database.go": database, "services/tea/README.md": "# tea\n",
	})
	require.ErrorContains(t, settings.WriteTable(root, "tea"), "there are no lines")
	_, err := settings.Of(root, "coffee")
	require.Error(t, err)
}

func TestEveryProgramHasSettingsWithAMeaning(t *testing.T) {
	t.Parallel()
	root, err := repository.Root()
	require.NoError(t, err)
	for _, program := range testkit.Services() {
		found, err := settings.Of(root, program)
		require.NoError(t, err)
		names := map[string]bool{}
		for _, variable := range found {
			require.False(t, names[variable.Name], "%s: %s stands there twice", program, variable.Name)
			require.NotEmpty(t, variable.Text, "%s: %s", program, variable.Name)
			names[variable.Name] = true
		}
		require.True(t, names["INTERNAL_ADDR"] && names["SERVICE_KEY"], program)
	}
}
