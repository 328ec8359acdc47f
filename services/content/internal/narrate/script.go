package narrate

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rivo/uniseg"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"

	"serein.app/services/content/internal/catalogue"
	"serein.app/services/content/internal/entry"
)

// recipe is raised when a release must narrate the same words again.
const recipe = "1"

// Pauses in what is said.
const (
	afterTitle     = 2 * time.Second
	afterHeading   = 1200 * time.Millisecond
	afterParagraph = 1500 * time.Millisecond
	afterElement   = 800 * time.Millisecond // of a list
	afterBreak     = 2500 * time.Millisecond
	longestPause   = time.Minute
	// around what is immersive, in which the sound beneath comes and goes
	quietBefore = 6 * time.Second
	quietAfter  = 4 * time.Second
)

// maxSentences of a passage, and maxPassages of a script, are the narrator's limits.
const (
	maxSentences = 100
	maxPassages  = 500
)

// Passage is what is said without a planned silence, and the silence after it; without sentences it is silence alone, with which
// a script begins.
type Passage struct {
	Sentences []string
	Pause     time.Duration
}

// Script is a text to narrate: its passages, and who reads them. An empty NarratorID means generation's default narrator.
type Script struct {
	NarratorID string
	Immersive  bool
	Passages   []Passage
}

// Hash tells one script from another: 32 hexadecimal digits.
func (s Script) Hash() string {
	data, _ := json.Marshal(s) // of texts and numbers: cannot fail
	sum := sha256.Sum256(append([]byte(recipe), data...))
	return hex.EncodeToString(sum[:16])
}

// Scripts makes scripts of entries; presets are the narrators of the meditation types, by id and by name.
type Scripts struct{ presets map[string]string }

// NewScripts knows the types of the catalogue.
func NewScripts(c catalogue.Catalogue) Scripts {
	presets := map[string]string{}
	for _, t := range c.Types {
		presets[t.ID], presets[t.Name] = t.Narrator.ID, t.Narrator.ID
	}
	return Scripts{presets}
}

// Of is what is said of an article or a meditation.
func (s Scripts) Of(p entry.Published, locale string) Script {
	fields := texts{p.Fields, locale}
	script := Script{NarratorID: fields.text("voice"), Immersive: fields.is("immersive")}
	if script.NarratorID == "" {
		script.NarratorID = s.presets[fields.text("type")]
	}
	r := &reader{}
	if script.Immersive {
		r.pause(quietBefore)
	}
	if p.ContentType == typeArticle {
		r.add(fields.text("title"), afterTitle)
		r.read(fields.text("body"))
	} else {
		r.read(fields.text("script"))
	}
	if script.Immersive {
		r.pause(quietAfter)
	}
	script.Passages = limit(r.passages)
	return script
}

// Opening is what the narration of an article says first: its title, and its text to the end of the first part that says
// something and is no heading.
func Opening(title, markdown string) []string {
	r := &reader{source: []byte(markdown)}
	r.add(title, afterTitle)
	for n := r.parse().FirstChild(); n != nil; n = n.NextSibling() {
		before := len(spoken(r.passages))
		r.walk(n)
		if n.Kind() != ast.KindHeading && len(spoken(r.passages)) > before {
			break
		}
	}
	return spoken(r.passages)
}

func spoken(passages []Passage) (sentences []string) {
	for _, p := range passages {
		sentences = append(sentences, p.Sentences...)
	}
	return sentences
}

// limit keeps to what the narrator takes: the end of a longer text is not said, and nothing of one without words.
func limit(passages []Passage) (all []Passage) {
	if !slices.ContainsFunc(passages, func(p Passage) bool { return len(p.Sentences) > 0 }) {
		return nil
	}
	for _, p := range passages {
		for len(p.Sentences) > maxSentences {
			all = append(all, Passage{Sentences: p.Sentences[:maxSentences], Pause: afterElement})
			p.Sentences = p.Sentences[maxSentences:]
		}
		if len(p.Sentences) > 0 || p.Pause > 0 {
			p.Pause = min(p.Pause, longestPause)
			all = append(all, p)
		}
	}
	if len(all) > maxPassages {
		// The silence with which the whole ends is the end of what is said of it, too.
		end := all[len(all)-1].Pause
		all = all[:maxPassages]
		all[maxPassages-1].Pause = end
	}
	return all
}

type reader struct {
	source   []byte
	passages []Passage
	// written says that the last pause is one of the script's own.
	written bool
}

// read makes passages of Markdown, in which a meditation has pauses: without its marks, pictures and code, links as their text.
func (r *reader) read(markdown string) {
	r.source = []byte(markdown)
	r.walk(r.parse())
}

func (r *reader) parse() ast.Node { return goldmark.DefaultParser().Parse(text.NewReader(r.source)) }

func (r *reader) walk(n ast.Node) { _ = ast.Walk(n, r.visit) } // visit does not fail

func (r *reader) visit(n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	switch n.Kind() {
	case ast.KindHeading:
		r.rest(afterBreak)
		r.say(r.words(n), afterHeading)
	case ast.KindParagraph:
		r.say(r.words(n), afterParagraph)
	case ast.KindTextBlock:
		r.say(r.words(n), afterElement)
	case ast.KindThematicBreak:
		r.rest(afterBreak)
	case ast.KindDocument, ast.KindList, ast.KindListItem, ast.KindBlockquote:
		return ast.WalkContinue, nil
	}
	return ast.WalkSkipChildren, nil
}

// pausePattern is a pause in a meditation's script, in seconds.
var pausePattern = regexp.MustCompile(`\[pause (\d{1,3})\]`)

// say adds a paragraph. A pause that is written takes the place of the usual one.
func (r *reader) say(words string, usual time.Duration) {
	at := 0
	for _, found := range pausePattern.FindAllStringSubmatchIndex(words, -1) {
		r.add(words[at:found[0]], 0)
		seconds, _ := strconv.Atoi(words[found[2]:found[3]]) // three digits at most
		r.pause(time.Duration(seconds) * time.Second)
		at = found[1]
	}
	r.add(words[at:], usual)
}

func (r *reader) add(words string, pause time.Duration) {
	if all := sentences(words); len(all) > 0 {
		r.passages, r.written = append(r.passages, Passage{Sentences: all, Pause: pause}), false
	}
}

// pause is one that is written. It takes the place of the usual one, and those that follow each other add up.
func (r *reader) pause(d time.Duration) {
	if len(r.passages) == 0 {
		r.passages = append(r.passages, Passage{})
	}
	last := &r.passages[len(r.passages)-1]
	if !r.written {
		last.Pause, r.written = 0, true
	}
	last.Pause += d
}

// rest makes the last pause that long at least.
func (r *reader) rest(d time.Duration) {
	if len(r.passages) > 0 {
		last := &r.passages[len(r.passages)-1]
		last.Pause = max(last.Pause, d)
	}
}

// words of a block, with what is in it.
func (r *reader) words(block ast.Node) string {
	var b strings.Builder
	_ = ast.Walk(block, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Text:
			b.Write(n.Value(r.source))
			if n.SoftLineBreak() || n.HardLineBreak() {
				b.WriteByte(' ')
			}
		case *ast.String:
			b.Write(n.Value)
		case *ast.AutoLink:
			b.Write(n.Label(r.source))
		case *ast.Image, *ast.RawHTML:
			return ast.WalkSkipChildren, nil
		}
		return ast.WalkContinue, nil
	})
	return b.String()
}

// sentences of a text; none of what has no letter and no digit.
func sentences(words string) (all []string) {
	words = strings.Join(strings.Fields(words), " ")
	for state := -1; words != ""; {
		var sentence string
		sentence, words, state = uniseg.FirstSentenceInString(words, state)
		if sentence = strings.TrimSpace(sentence); speakable.MatchString(sentence) {
			all = append(all, sentence)
		}
	}
	return all
}

var speakable = regexp.MustCompile(`[\pL\pN]`)

// texts reads the fields of what readers get.
type texts struct {
	fields entry.Fields
	locale string
}

func (t texts) text(field string) string {
	s, _ := t.fields[field][t.locale].(string)
	return s
}

func (t texts) is(field string) bool { return t.fields[field][t.locale] == true }
