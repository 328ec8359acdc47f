package brief

import (
	"regexp"
	"slices"
	"strings"

	"serein.app/services/generation/internal/safety"
)

// spare is what a class of titles must not be told: in words for a writer, and as a pattern that refuses a sentence.
type spare struct{ rule, pattern string }

// What several classes are spared. The patterns hold for every script that Serein's own writer composes of such titles.
var (
	inside = spare{
		"Keep the attention outside the body, in the room: eyes, ears, hands, feet and what they touch. Nothing about chest, belly, throat, heart or pulse, and never ask for closed eyes.",
		`\bchest\b|\bbelly\b|\bpelvis|\bnavel|\bwomb|\bribs\b|\bthroat\b|\bspine\b|\bpulse\b|\binside of you\b|\bclose your eyes\b|\beyes closed\b|\beyes close\b|\beyelids\b`,
	}
	strain    = spare{"Never look for tension, tightness, aches or discomfort.", `\btight\b|\btightness|\bache|\bclench|\bdiscomfort|\btension`}
	breathing = spare{"Never speak of the breath. The anchor is the hands, the feet or the room.", `\bbreaths?\b|\bbreathe\b|nostril|\blungs?\b`}
	families  = spare{"No children, parents, families, births or seeds.", `\bchild\b|\bchildren\b|\bbaby\b|\bbabies\b|\bborn\b|\bcradle|\bmother|\bfather|\bfamily|sprout|\bseeds?\b`}
	passing   = spare{"Never say that it passes, ends, heals with time, or that it is time to move on.", `\bwill pass\b|\bwill have an end|being rehearsed|years? from now|\btime heals|\btime to move on\b|\bget over it\b`}
	glad      = spare{"Nothing playful, and no call to be glad or thankful.", `applause|\blaugh|\bbe glad\b|\bglad of\b|\bcheer up\b|\bbe happy\b|\bgrateful\b|\bthankful\b|\bat least you\b`}
	company   = spare{"No friends, no loved ones, and nobody who waits at home.", `\bfriends?\b|who loves? you|you loved|\bloved ones?\b|not alone in|dear one|\bsoulmate`}
	plenty    = spare{"No riches, no food and nothing that is given in plenty.", `\brich\b|\briches\b|\bbread\b|\bsupper\b|\bfeast\b|more than I can count|\bgrateful\b|thankful|\babundan`}
	blame     = spare{"Never speak of mistakes, faults, or what should have been done.", `\bmistakes?\b|\byour fault\b|\byou should have\b|\bguilt|a younger you|harsh with`}
	healthy   = spare{"Never praise a healthy or a mending body.", `\bhealthy\b|\bmending\b|\brecover|\bheal(?:s|ed|ing)?\b`}
	supine    = spare{"Never ask to lie flat on the back, and leave the belly out.", `on your back|\bflat\b|\bflatter|\bbelly\b|\bpelvis`}
	noBody    = spare{"The body is not praised and not searched.", `\bbody\b`}
)

// spares says what each class is spared.
var spares = map[safety.Class][]spare{
	safety.Trauma:      {inside, strain, passing},
	safety.Heavy:       {inside, strain, passing},
	safety.Grief:       {families, passing, glad},
	safety.Infertility: {inside, strain, families, noBody, passing, glad},
	safety.Pregnancy:   {supine, strain, passing},
	safety.Breath:      {inside, strain, breathing, passing},
	safety.Illness:     {strain, healthy, passing},
	safety.Pain:        {strain, passing, healthy},
	safety.Breakup:     {company, passing, glad},
	safety.Hardship:    {plenty, passing, glad},
	safety.Shame:       {blame, healthy, passing, glad},
	safety.Lonely:      {company, passing, glad},
}

// outward are the classes that are met with open eyes, in the room, and never inside the body.
var outward = []safety.Class{safety.Trauma, safety.Infertility, safety.Breath, safety.Heavy}

// Spared are the rules of care for this title, in words for a writer; none for an ordinary title.
func (b Brief) Spared() (rules []string) {
	for _, s := range b.spares() {
		rules = append(rules, s.rule)
	}
	return rules
}

func (b Brief) spares() (all []spare) {
	for _, class := range safety.Classes {
		if !b.Care.Speaks(class) {
			continue
		}
		for _, s := range spares[class] {
			if !slices.Contains(all, s) {
				all = append(all, s)
			}
		}
	}
	return all
}

// never finds what the title's classes must not be told; nil for an ordinary title.
func (b Brief) never() *regexp.Regexp {
	var patterns []string
	for _, s := range b.spares() {
		patterns = append(patterns, s.pattern)
	}
	if len(patterns) == 0 {
		return nil
	}
	return regexp.MustCompile("(?i)" + strings.Join(patterns, "|"))
}

// looksOutward says that the title is met in the room.
func (b Brief) looksOutward() bool { return slices.ContainsFunc(outward, b.Care.Speaks) }
