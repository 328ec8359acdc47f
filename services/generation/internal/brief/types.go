package brief

// TypeOf is what a meditation type is about, in words for a writer; known is false for a type that has no description here.
func TypeOf(id string) (about string, known bool) {
	about, known = types[id]
	return about, known
}

var types = map[string]string{
	"anger":               "Anger: heat that deserves a hearing before it is given a voice.",
	"anxiety-relief":      "Anxiety relief: a mind that has run ahead and would like to find the ground again.",
	"better-sleep":        "Better sleep: the end of the day, when nothing is left to do but let go. It ends in the dark, with eyes closed.",
	"compassion":          "Compassion: what is sore, in oneself or in somebody else, and should not be left alone.",
	"focus-concentration": "Focus and concentration: a scattered mind that puts one thing on the table.",
	"gratitude":           "Gratitude: noticing what is already here, small things first, without a duty to be glad.",
	"loving-kindness":     "Loving and kindness: wishing well, to oneself, to those one loves, and a little further out.",
	"mindfulness":         "Mindfulness: being where one is, with interest, with nothing to change.",
	"relationships":       "Relationships: the people on one's mind, and the place in oneself that they meet.",
	"resilience":          "Resilience: what bends and comes back, and a strength that is allowed to rest.",
	"stress-relief":       "Stress relief: putting down, for a while, what has been carried all day.",
}
