package safety

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAWordHasTheSensesOfItsStem(t *testing.T) {
	t.Parallel()
	for word, sense := range map[string]string{
		"strangling": "violence", "bruised": "wounds", "husbands": "partner", "embryos": "infertility", "wheezed": "breathing", "courgette": "garden", "zyxw": "",
	} {
		found := known([]string{squeeze(word)})[0].Senses
		if sense == "" {
			require.Empty(t, found, word)
			continue
		}
		require.Contains(t, found, sense, word)
	}
}

func TestThePhraseOfMostWordsGivesItsSenses(t *testing.T) {
	t.Parallel()
	read := lexicon{map[string][]string{}, map[string][]string{}, map[string]int{}}
	for word, sense := range map[string]string{"given": "giving", "given_up": "ended", "given_up_the_ghost": "broken", "do_not_mind": "calm", "no_one": "nobody", "really_fine": "well"} {
		read.add(word, sense)
	}
	require.Equal(t, []string{"nobody"}, read.words["none"], "two words that are read as one")
	require.Equal(t, []string{"well"}, read.words[stemmed("fine")], "a word beside one that changes nothing")
	for title, want := range map[string]struct {
		length int
		sense  string
	}{
		"given up the ghost": {4, "broken"}, "given up the fags": {2, "ended"}, "given to me": {}, "given": {}, "don't mind": {2, "calm"},
		"given up the bloody ghost": {4, "broken"},
	} {
		said := words(title)
		length, senses := read.phrase(known(said[1 : len(said)-1]))
		require.Equal(t, want.length, length, title)
		require.Equal(t, want.sense, strings.Join(senses, " "), title)
	}
}

// Of the words of a phrase each stands in a title as the phrase has it, however titles are rewritten.
func TestEveryPhraseIsFoundWhereItIsTyped(t *testing.T) {
	t.Parallel()
	for name, text := range senseTexts(t) {
		for sense, list := range senseLines(text) {
			for phrase := range strings.FieldsSeq(list) {
				typed, found := strings.ReplaceAll(phrase, "_", " "), []string(nil)
				for _, word := range known(words(typed)) {
					found = append(found, word.Senses...)
				}
				require.Contains(t, found, sense, "%s: %s", name, phrase)
			}
		}
	}
}

func TestEveryLineOfSensesIsANameAndItsWords(t *testing.T) {
	t.Parallel()
	for file, text := range senseTexts(t) {
		names := map[string]bool{}
		for line := range strings.Lines(text) {
			if line = strings.TrimSpace(line); line == "" || strings.HasPrefix(line, "#") {
				continue
			}
			name, words, ok := strings.Cut(line, ":")
			require.True(t, ok, line)
			require.NotEmpty(t, strings.Fields(words), line)
			require.False(t, names[name], "%s: twice: %s", file, name)
			names[name] = true
			require.Equal(t, words, strings.ToLower(words), "%s: words are read in small letters", name)
		}
	}
}

// senseTexts are the files of senses, by name.
func senseTexts(t *testing.T) map[string]string {
	t.Helper()
	files, err := senseFiles.ReadDir("senses")
	require.NoError(t, err)
	texts := map[string]string{}
	for _, file := range files {
		text, err := senseFiles.ReadFile("senses/" + file.Name())
		require.NoError(t, err)
		texts[file.Name()] = string(text)
	}
	return texts
}
