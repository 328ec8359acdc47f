package brief

import "regexp"

// Practice describes a practice to a writer, and has the words by which its lesson is known.
type Practice struct {
	// Name as members read it.
	Name string
	// Teaches is what a script of the practice does, for a writer.
	Teaches string
	// words are spoken of in each of the practice's paths.
	words *regexp.Regexp
}

// PracticeOf finds a practice by its id; known is false for one that has no description here.
func PracticeOf(id string) (p Practice, known bool) {
	p, known = practices[id]
	return p, known
}

// practices of the catalogue. Their words are those by which the paths in ../script/words/practices differ from each other.
var practices = map[string]Practice{
	"vipassana": {
		"Vipassana",
		"Bare attention to sensation: the touch of the breath at the nostrils, or the body from crown to feet, or a soft word that notes what is there. Each sensation comes, changes and goes; whether it is pleasant or unpleasant is noticed and not acted upon.",
		words(`sensations?|feel|feels|felt|feelings?|not(?:e|es|ing|ed)|name[sd]?|word|pleasant|unpleasant|nose|nostrils?|touch\w*|skin|liking|chang(?:e|es|ing)|patch|look|down|see`),
	},
	"zen": {
		"Zen (Zazen)",
		"Few words and much quiet: sitting and nothing else, or counting the breaths that go out from one to ten, or one plain act done wholly, or a question that is left unanswered.",
		words(`count\w*|numbers?|ten|questions?|ask\w*|answers?|who|sit|sits|sitting|nothing|this|thing|done`),
	},
	"tibetan": {
		"Tibetan (Dzogchen / Mahamudra)",
		"Resting in open awareness, as wide as a sky. The mind is looked at directly: where a thought stands, what it is made of, who knows it. What appears is left alone, and frees itself.",
		words(`look\w*|aware\w*|thoughts?|spac\w*|open\w*|wide|clear\w*|who|minds?|plain|sky|see|room`),
	},
	"mbsr": {
		"Mindfulness-Based Stress Reduction (MBSR)",
		"Slow attention to one place after another: parts of the body where they touch what bears them, sounds and breath, or whatever comes foremost. Each is felt as it is, without a wish to change it.",
		words(`feel\w*|felt|feet|foot|hands?|palms|breath\w*|body|contact|touch\w*|hear\w*|sounds?|skin|shoulders|notice|attend|attention|places?|cloth`),
	},
	"transcendental": {
		"Transcendental Meditation (TM)",
		"A quiet sound without meaning, which the listener has chosen, is thought without any effort. It is left to grow faint, to change or to stop; when thoughts have come in its place, it is begun again, easily.",
		words(`sounds?|mantra|think|thinking|thoughts?|syllables?|whisper\w*|effortless\w*`),
	},
	"yogic": {
		"Yogic Meditation",
		"Breath and warmth along the spine, the attention carried from right to left through the limbs, a small light within, or the syllables so and hum that the breath carries.",
		words(`hum|so|words|syllables?|light|right|left|crown|root|spine|senses?|throat|brow|breath\w*|earth|heart|belly`),
	},
	"taoist": {
		"Taoist Meditation",
		"Softness first: an inner smile that is sent through the body, a low slow breath, weight that sinks into the ground, and half of the effort that seems needed.",
		words(`smil\w*|warm\w*|soft\w*|low\w*|belly|breath\w*|weight|ground|root\w*|water|effort|kind\w*|down|hard\w*|yield\w*|sink\w*`),
	},
	"secular-mindfulness": {
		"Secular Mindfulness Meditation",
		"Plain words and ordinary senses: an anchor for the attention, such as the breath or the feet, a check of how each part is, a plain name for what goes on. When the mind has wandered it is brought back kindly.",
		words(`anchors?|breath\w*|attention|nam(?:e|es|ing)|words?|labels?|notic\w*|senses?|see\w*|hear\w*|listen\w*|face|feet|hands?|shoulders|ask\w*|look`),
	},
}

// leastTaught is how many sentences of a script must be in the words of its practice: the beginning and two stations of a path.
// Where a title is met in the room, outside the body, most of the lesson is given there.
const leastTaught, leastTaughtOutward = 3, 1

func words(alternatives string) *regexp.Regexp {
	return regexp.MustCompile(`(?i)\b(?:` + alternatives + `)\b`)
}
