package script

import (
	"crypto/sha256"
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"serein.app/services/generation/internal/safety"
	"serein.app/services/generation/internal/script/topic"
)

// scene is what stays the same through one script.
type scene struct {
	// themes are what the title speaks of, what it speaks of most first; none where we know none.
	themes []*sheet
	// image is the one picture that the script keeps to: its stages "plant", "touch", "deepen" and "leave" bring
	// it in near the beginning, return to it, dwell on it and let it go before the end.
	image *sheet
	// pictured says that the title names the picture.
	pictured bool
	// subject and moment are what the title names, or when it lies, as they are spoken; name is the member's. Empty where they are not said.
	subject, moment, name string
	// sore are the parts of the body that a title of pain names, see partsNamed.
	sore uint32
	// immersive says that a sound goes with the voice, soundAlone that nothing is said of others and of silence.
	immersive, soundAlone bool
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
	sc := scene{
		tags: map[string]bool{ofType + r.TypeID: true}, spared: map[string]bool{}, cared: found.Sensitive(),
		immersive: r.Immersive, soundAlone: r.Immersive && r.attempt < anyPlaceFrom,
	}
	if r.attempt < anyPlaceFrom {
		sc.sore = soreParts(r.Title, found)
	}
	themes := lib.themesOf(r.Title, found)
	for _, id := range themes {
		sc.themes = append(sc.themes, lib.themes[id])
	}
	sc.takeCare(found)
	sleep := r.TypeID == nightType || speaksOfNight(themes) && r.TypeID != "focus-concentration"
	lying := sleep || !sc.tags[lookOutward] && liesDown(r.PracticeID, themes, rng)
	openEyes := sc.tags[lookOutward] || !sleep && (r.PracticeID == "zen" || r.PracticeID == "tibetan")
	sc.choose("sleep", "waking", sleep)
	sc.choose("lying", "seated", lying)
	sc.choose("open-eyes", "closed-eyes", openEyes)
	if found.Quotable() && !slices.ContainsFunc(themes[:min(len(themes), 1)], forCare) {
		sc.nameSubject(topic.Name(foldAccents(r.Title)))
	}
	if name, ok := spokenName(r.GivenName); ok {
		sc.name = name
	}
	sc.spareAtNight()
	named := lib.pictureOf(r.Title, found)
	sc.image, sc.pictured = lib.images[named], named != ""
	if !sc.pictured {
		sc.image = lib.image(r.TypeID, sc, m, rng)
	}
	return sc
}

// nameSubject lets the script say what the title names, turned to the member.
func (sc *scene) nameSubject(s topic.Subject) {
	sc.subject, sc.moment = s.Thing, s.Time
	sc.tags["subject"], sc.tags["moment"] = s.Thing != "", s.Time != ""
}

// image is, of the pictures that suit, the one that this member has not met for the longest time.
func (lib *library) image(typeID string, sc scene, m memory, rng *rand.Rand) *sheet {
	suit := lib.picturesFor(typeID, sc.mainTheme(), sc.tags["sleep"])
	age := func(id string) int { return m.stage(lib.images[id].stages["plant"]) }
	return lib.images[longestAgo(suit, age, rng)[0]]
}

// nightType is the type that is always lying and never wakes up.
const nightType = "better-sleep"

// speaksOfNight says whether the title is one for the night, whatever the type.
func speaksOfNight(themes []string) bool {
	return len(themes) > 0 && (themes[0] == "sleep" || themes[0] == "night-waking")
}

// mainTheme is what the title speaks of most; nil where we know none.
func (sc scene) mainTheme() *sheet {
	if len(sc.themes) == 0 {
		return nil
	}
	return sc.themes[0]
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
func liesDown(practice string, themes []string, rng *rand.Rand) bool {
	upright := func(theme string) bool {
		return slices.Contains([]string{"travel", "work", "driving", "flying", "newjob"}, theme)
	}
	switch {
	case practice == "zen" || slices.ContainsFunc(themes, upright):
		return false
	case practice == "mbsr" || practice == "yogic" || slices.Contains(themes, string(safety.Pain)):
		return rng.IntN(2) == 0
	default:
		return false
	}
}
