package classify

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestConfidencesArePercentagesThatFall(t *testing.T) {
	t.Parallel()
	c := newClassifier(t)
	for _, text := range append(labelledTexts(t, "tune"), labelledTexts(t, "heldout")...) {
		requireSound(t, c.Classify("", text.Text))
		requireSound(t, c.Classify(text.Text, ""))
	}
}

// requireSound is what holds for every answer, whatever the text.
func requireSound(t *testing.T, matches []Match) {
	t.Helper()
	require.NotEmpty(t, matches)
	require.LessOrEqual(t, len(matches), Limit)
	if matches[0].Category == Uncategorized {
		require.Equal(t, []Match{{Category: Uncategorized}}, matches)
		return
	}
	sum, before := 0, 100
	for _, m := range matches {
		require.Contains(t, Categories(), m.Category)
		require.NotEqual(t, Uncategorized, m.Category)
		require.Positive(t, m.Confidence)
		require.LessOrEqual(t, m.Confidence, before)
		sum, before = sum+m.Confidence, m.Confidence
	}
	require.LessOrEqual(t, sum, 100)
}

func TestWhatSaysNothingIsUncategorizedWithConfidenceZero(t *testing.T) {
	t.Parallel()
	c := newClassifier(t)
	for _, text := range []string{"", "   ", "...", "zxcv", "12 34", "🙂", "the of and", "Your parcel has left the warehouse."} {
		require.Equal(t, []Match{{Category: Uncategorized, Confidence: 0}}, c.Classify("", text), text)
	}
}

func TestTheOrderOfSentencesDoesNotMatter(t *testing.T) {
	t.Parallel()
	c := newClassifier(t)
	random := rand.New(rand.NewPCG(1, 2))
	for _, text := range labelledTexts(t, "tune") {
		sentences := strings.Split(strings.TrimSuffix(text.Text, "."), ". ")
		want := c.Classify("", strings.Join(sentences, ". "))
		random.Shuffle(len(sentences), func(i, j int) { sentences[i], sentences[j] = sentences[j], sentences[i] })
		require.Equal(t, want, c.Classify("", strings.Join(sentences, ". ")))
	}
}

func TestCaseAccentsAndApostrophesDoNotMatter(t *testing.T) {
	t.Parallel()
	c := newClassifier(t)
	accents := strings.NewReplacer("a", "á", "e", "ê", "o", "ö", "A", "À", "’", "'")
	for _, text := range labelledTexts(t, "tune") {
		want := c.Classify("", text.Text)
		require.Equal(t, want, c.Classify("", strings.ToUpper(text.Text)))
		require.Equal(t, want, c.Classify("", accents.Replace(text.Text)))
	}
}

func TestInflectionsAreOneWord(t *testing.T) {
	t.Parallel()
	c := newClassifier(t)
	for _, text := range []string{"worry", "Worries!", "worrying", "She worried."} {
		require.Equal(t, "Anxiety Relief", c.Classify("", text)[0].Category, text)
	}
}

func TestATitleCountsMoreThanABody(t *testing.T) {
	t.Parallel()
	c := newClassifier(t)
	require.Equal(t, []string{"Anger", "Gratitude"}, names(c.Classify("anger", "grateful")))
	require.Equal(t, []string{"Gratitude", "Anger"}, names(c.Classify("grateful", "anger")))
}

func TestALongTextIsNotFavouredOverAShortOne(t *testing.T) {
	t.Parallel()
	c := newClassifier(t)
	short := labelledTexts(t, "tune")[0].Text
	for len(strings.Fields(short)) < reference {
		short += "\n" + short
	}
	require.Equal(t, c.Classify("", short), c.Classify("", strings.Repeat(short+"\n", 50)))
	require.Equal(t, Uncategorized, c.Classify("", strings.Repeat("The lorem is by the ipsum. ", 500)+"A worry.")[0].Category,
		"one word in thousands is chance")
}

func TestPhrasesEndWithTheirSentence(t *testing.T) {
	t.Parallel()
	c := newClassifier(t)
	require.Equal(t, "Resilience", c.Classify("", "keep going")[0].Category)
	require.Equal(t, Uncategorized, c.Classify("", "to keep. Going")[0].Category)
}

func FuzzClassify(f *testing.F) {
	for _, text := range labelledTexts(f, "tune") {
		f.Add(text.Text[:20], text.Text)
	}
	f.Add("", "")
	f.Add("é\xff\x00", "’’’ — don’t\u0301 \u2028 ﷽ ß İ")
	f.Add(strings.Repeat("anger ", 1000), strings.Repeat("sleep\n", 1000))
	c := newClassifier(f)
	f.Fuzz(func(t *testing.T, title, body string) {
		requireSound(t, c.Classify(title, body))
	})
}

// BenchmarkClassify10000Words files a text about ten times as long as an article.
func BenchmarkClassify10000Words(b *testing.B) {
	c := newClassifier(b)
	var words []string
	for _, text := range labelledTexts(b, "tune") {
		words = append(words, strings.Fields(text.Text)...)
	}
	for len(words) < 10_000 {
		words = append(words, words...)
	}
	body := strings.Join(words[:10_000], " ")
	b.SetBytes(int64(len(body)))
	for b.Loop() {
		c.Classify("A title", body)
	}
}
