package script

import (
	"slices"
	"strings"

	"serein.app/services/generation/internal/safety"
	"serein.app/services/generation/internal/script/topic"
)

// bodyPart is a place of the body by the words that name it. To a title of pain that names a part no block speaks of it.
type bodyPart struct {
	words []string
	// pains are what titles call a pain of the part.
	pains []string
}

// bodyParts that titles of pain name. A pain stands with every part that it reaches.
var bodyParts = []bodyPart{
	{strings.Fields("hand hands finger fingers fingertip fingertips thumb thumbs knuckle knuckles palm palms fist fists"), strings.Split("carpal tunnel, rsi, arthritis, wrist, wrists", ", ")},
	{strings.Fields("wrist wrists"), strings.Split("carpal tunnel, rsi, hand, hands", ", ")},
	{strings.Fields("arm arms elbow elbows forearm forearms"), strings.Split("rsi, tennis elbow, golfers elbow, frozen shoulder", ", ")},
	{strings.Fields("shoulder shoulders collarbone collarbones"), strings.Split("rotator cuff, whiplash", ", ")},
	{strings.Fields("neck nape throat"), strings.Split("whiplash, cricked neck", ", ")},
	{strings.Fields("spine backbone tailbone waist"), strings.Split("back, backache, sciatica, sciatic, slipped disc, disc, lumbago, scoliosis, trapped nerve", ", ")},
	{strings.Fields("hip hips pelvis"), strings.Split("sciatica, sciatic, endometriosis, period pain, period pains", ", ")},
	{strings.Fields("leg legs thigh thighs calf calves shin shins"), strings.Split("sciatica, sciatic, shin splints", ", ")},
	{strings.Fields("knee knees kneecap kneecaps"), strings.Split("arthritis", ", ")},
	{strings.Fields("foot feet toe toes heel heels sole soles ankle ankles"), strings.Split("plantar fasciitis, gout, bunion, bunions", ", ")},
	{strings.Fields("head heads skull scalp crown forehead brow"), strings.Split("migraine, migraines, headache, headaches, whiplash", ", ")},
	{strings.Fields("eye eyes eyelid eyelids eyebrow eyebrows"), strings.Split("migraine, migraines, headache, headaches", ", ")},
	{strings.Fields("jaw jaws tooth teeth tongue mouth lips"), strings.Split("toothache, tmj, trigeminal neuralgia", ", ")},
	{strings.Fields("face faces cheek cheeks nose nostril nostrils"), strings.Split("sinus, sinuses, sinusitis, trigeminal neuralgia", ", ")},
	{strings.Fields("ear ears"), strings.Split("earache, tinnitus", ", ")},
	{strings.Fields("belly stomach tummy navel"), strings.Split("ibs, endometriosis, period pain, period pains, cramps", ", ")},
	{strings.Fields("chest rib ribs"), strings.Split("costochondritis, shingles", ", ")},
}

// partsNamed are the parts of the body that a line names, as bits: bit n is that of bodyParts[n].
func partsNamed(line string) (parts uint32) {
	said := topic.Words(line)
	for i, word := range said {
		parts |= partOf[word]
		if word == "back" && isOfTheBody(said, i) {
			parts |= partOf["spine"]
		}
	}
	return parts
}

// partOf has the parts of each word.
var partOf = func() map[string]uint32 {
	of := map[string]uint32{}
	for n, part := range bodyParts {
		for _, word := range part.words {
			of[word] |= 1 << n
		}
	}
	return of
}()

// isOfTheBody says whether "back" at that place is a part of the body, and not a way to go: "your back", but "come back".
func isOfTheBody(said []string, at int) bool {
	if at == 0 {
		return false
	}
	before, of := said[at-1], at+1 < len(said) && said[at+1] == "of"
	return slices.Contains([]string{"your", "lower", "upper"}, before) || before == "the" && !of
}

// soreParts are those that a title of pain names, and those that its pain reaches.
func soreParts(title string, found safety.Finding) (parts uint32) {
	if !found.Speaks(safety.Pain) {
		return 0
	}
	said := topic.Words(foldAccents(title))
	named := " " + strings.Join(said, " ") + " "
	for n, part := range bodyParts {
		isNamed := func(word string) bool { return strings.Contains(named, " "+word+" ") }
		if slices.ContainsFunc(part.words, isNamed) || slices.ContainsFunc(part.pains, isNamed) {
			parts |= 1 << n
		}
	}
	return parts
}
