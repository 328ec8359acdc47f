package script

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"serein.app/services/generation/internal/safety"
)

// scene is what stays the same through one script.
type scene struct {
	// themes are what the title speaks of, what it speaks of most first; none where we know none.
	themes []*sheet
	// image is the one picture that the script keeps to: its stages "plant", "touch", "deepen" and "leave" bring
	// it in near the beginning, return to it, dwell on it and let it go before the end.
	image *sheet
	// title and name as they are spoken; empty where they are not.
	title, name string
	// cared says that the title needs care.
	cared bool
	// tags that hold: posture, eyes, hour and what the title needs care for.
	tags map[string]bool
	// spared are the kinds of blocks that the title is spared.
	spared map[string]bool
}

// randomness of a request: equal requests get equal numbers.
func randomness(r Request) *rand.Rand {
	sum := sha256.Sum256([]byte(strings.Join(
		[]string{r.Title, r.GivenName, r.TypeID, r.PracticeID, r.SizeID, strconv.FormatUint(r.Seed, 10)}, "\x00")))
	return rand.New(rand.NewPCG(binary.BigEndian.Uint64(sum[:8]), binary.BigEndian.Uint64(sum[8:16])))
}

func (lib *library) scene(r Request, m memory, rng *rand.Rand) scene {
	found := safety.Classify(r.Title)
	themeID := lib.themeOf(r.Title, found)
	sc := scene{tags: map[string]bool{}, spared: map[string]bool{}}
	if theme := lib.themes[themeID]; theme != nil {
		sc.themes = append(sc.themes, theme)
	}
	sc.cared = found.Sensitive()
	sc.takeCare(found)
	sleep := r.TypeID == "better-sleep" || themeID == "sleep" && r.TypeID != "focus-concentration"
	lying := sleep || !sc.tags[lookOutward] && liesDown(r.PracticeID, themeID, rng)
	openEyes := sc.tags[lookOutward] || !sleep && (r.PracticeID == "zen" || r.PracticeID == "tibetan")
	sc.choose("sleep", "waking", sleep)
	sc.choose("lying", "seated", lying)
	sc.choose("open-eyes", "closed-eyes", openEyes)
	if title, ok := spokenTitle(r.Title); ok && found.Quotable() {
		sc.title, sc.tags["title"] = title, true
	}
	if name, ok := spokenName(r.GivenName); ok {
		sc.name, sc.tags["name"] = name, true
	}
	sc.spareAtNight()
	sc.image = lib.freshImage(m, func() string { return lib.imageFor(r.TypeID, sc.mainTheme(), sleep, rng) })
	return sc
}

// mainTheme is what the title speaks of most; nil where we know none.
func (sc scene) mainTheme() *sheet {
	if len(sc.themes) == 0 {
		return nil
	}
	return sc.themes[0]
}

// imageDraws are enough to draw each of some ten images that suit.
const imageDraws = 64

// freshImage draws images that suit, and answers the one of them that this member has not met for the longest time.
func (lib *library) freshImage(m memory, draw func() string) *sheet {
	drawn := make([]*sheet, imageDraws)
	for i := range drawn {
		drawn[i] = lib.images[draw()]
	}
	return slices.MaxFunc(drawn, func(x, y *sheet) int {
		return cmp.Compare(m.stage(x.stages["plant"]), m.stage(y.stages["plant"]))
	})
}

func (sc scene) choose(yes, no string, is bool) {
	if is {
		sc.tags[yes] = true
	} else {
		sc.tags[no] = true
	}
}

// liesDown says whether a waking meditation is done lying. Zazen is sitting; the body scan and
// the yogic practice are at home on the floor, and so is a body in pain.
func liesDown(practice, theme string, rng *rand.Rand) bool {
	switch {
	case practice == "zen" || theme == "travel" || theme == "work":
		return false
	case practice == "mbsr" || practice == "yogic" || theme == string(safety.Pain):
		return rng.IntN(2) == 0
	default:
		return false
	}
}

// imageFor draws an image that suits both the theme and the type, or else the one that decides:
// the type at night, the theme by day.
func (lib *library) imageFor(typeID string, theme *sheet, sleep bool, rng *rand.Rand) string {
	suits := lib.types[typeID].images
	if sleep {
		suits = lib.types["better-sleep"].images
	}
	if theme != nil && !sleep {
		suits = theme.images
	}
	return suits[rng.IntN(len(suits))]
}

// themeOf finds what the title speaks of: what it needs care for, or else the theme whose word
// comes first, of two at the same place the longer. Empty where no word is known.
func (lib *library) themeOf(title string, found safety.Finding) string {
	if found.Topic != "" {
		return found.Topic
	}
	if found.Sensitive() {
		return string(found.Class)
	}
	text := " " + strings.Join(strings.FieldsFunc(strings.ToLower(foldAccents(title)), notLetter), " ") + " "
	best, bestWord, at := "", "", len(text)
	for _, id := range sortedKeys(lib.themes) {
		for _, word := range lib.themes[id].keywords {
			i := strings.Index(text, " "+word+" ")
			if i >= 0 && (i < at || i == at && len(word) > len(bestWord)) {
				best, bestWord, at = id, word, i
			}
		}
	}
	return best
}

func notLetter(r rune) bool { return !unicode.IsLetter(r) }

func sortedKeys(m map[string]*sheet) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
