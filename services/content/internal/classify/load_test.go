package classify

import (
	"io/fs"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"serein.app/services/content/internal/catalogue"
	"serein.app/services/content/seed/classifier"
)

// edited are the embedded files with one of them replaced.
func edited(t *testing.T, name, text string) fstest.MapFS {
	t.Helper()
	files := fstest.MapFS{}
	require.NoError(t, fs.WalkDir(classifier.Files, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := fs.ReadFile(classifier.Files, path)
		files[path] = &fstest.MapFile{Data: data}
		return err
	}))
	files[name] = &fstest.MapFile{Data: []byte(text)}
	return files
}

func TestAFaultInTheKeywordsIsNamedWithItsPlace(t *testing.T) {
	t.Parallel()
	for fault, text := range map[string]string{
		`keywords/anger.yaml: there is no category "Rage"`:                     "category: Rage\nweights: {5: [rage]}",
		"keywords/anger.yaml: weight 9 is not in 1 to 6":                       "category: Anger\nweights: {9: [rage]}",
		"keywords/anger.yaml: weight 0 is not in 1 to 6":                       "category: Anger\nweights: {0: [rage]}",
		`keywords/anger.yaml:4: "raging" stands at keywords/anger.yaml:3`:      "category: Anger\nweights:\n  5: [rage,\n    raging]",
		`keywords/anger.yaml:3: "" is no word`:                                 "category: Anger\nweights:\n  5: ['']",
		`keywords/anger.yaml:3: "a b c d e f" is no word`:                      "category: Anger\nweights:\n  5: [a b c d e f]",
		`keywords/anger.yaml:3: "rage. fury" is no word`:                       "category: Anger\nweights:\n  5: [rage. fury]",
		`keywords/anger.yaml:3: "=so cross" is no word`:                        "category: Anger\nweights:\n  5: [=so cross]",
		"field heft not found":                                                 "category: Anger\nheft: {5: [rage]}",
		`keywords are there for ["Anxiety Relief" "Anxiety Relief" "Better Sl`: "category: Anxiety Relief\nweights: {5: [rage]}",
	} {
		_, err := load(edited(t, "keywords/anger.yaml", text))
		require.ErrorContains(t, err, fault)
	}
}

func TestANeutralTermHasNoWeightElsewhere(t *testing.T) {
	t.Parallel()
	_, err := load(edited(t, "neutral.yaml", "- kind of\n- anger\n"))
	require.ErrorContains(t, err, `neutral.yaml:2: "anger" has a weight elsewhere`)
}

func TestAnExampleIsOfACategoryThatExists(t *testing.T) {
	t.Parallel()
	_, err := load(edited(t, "examples.yaml", "Rage: [He kicked the bin.]"))
	require.ErrorContains(t, err, `examples.yaml: there is no category "Rage"`)
}

func TestEveryTypeOfTheCatalogueLeadsToACategory(t *testing.T) {
	t.Parallel()
	types, err := LoadTypes()
	require.NoError(t, err)
	offer, err := catalogue.Load()
	require.NoError(t, err)
	require.Len(t, types, len(offer.Types))
	for _, kind := range offer.Types {
		require.Contains(t, types, kind.ID)
	}
}

func TestATypeThatLeadsNowhereIsAFault(t *testing.T) {
	t.Parallel()
	_, err := loadTypes(edited(t, "types.yaml", "anger: Rage"))
	require.ErrorContains(t, err, `types.yaml: anger: there is no category "Rage"`)
	_, err = loadTypes(edited(t, "types.yaml", "anger: Anger\nanger: Anger"))
	require.ErrorContains(t, err, "already defined")
}
