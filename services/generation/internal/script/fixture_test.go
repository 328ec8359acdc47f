package script_test

import (
	"time"

	"serein.app/services/generation/internal/recording"
	"serein.app/services/generation/internal/script"
)

// The catalogue as the content service has it; services do not import each other.
var (
	practices = []string{
		"vipassana", "zen", "tibetan", "mbsr", "transcendental", "yogic", "taoist", "secular-mindfulness",
	}
	types = []string{
		"stress-relief", "loving-kindness", "better-sleep", "focus-concentration", "mindfulness", "compassion",
		"gratitude", "anxiety-relief", "resilience", "relationships", "anger",
	}
	sizes          = []string{"minimed", "reset", "timeout"}
	affirmationsOf = map[string][]string{
		"stress-relief":       {"I can put this down for now.", "My body knows how to rest.", "There is time for me in this day."},
		"loving-kindness":     {"I wish myself well.", "There is room in me for others.", "Kindness begins where I am."},
		"better-sleep":        {"The day is done, and I may let it go.", "Nothing is asked of me tonight.", "Sleep knows the way to me."},
		"focus-concentration": {"One thing at a time is enough.", "My attention is mine to give.", "I can begin again with this breath."},
		"mindfulness":         {"I am here for this.", "This moment is wide enough to live in.", "I can notice without judging."},
		"compassion":          {"I can be gentle with what hurts.", "I am worthy of my own care.", "I can be tender and still be strong."},
		"gratitude":           {"I have been given more than I can count.", "Small things are enough to be glad of.", "I notice the good that is already here."},
		"anxiety-relief":      {"The ground is holding me.", "This feeling will pass, as others have.", "I can take the next small step."},
		"resilience":          {"I have come through hard days before.", "I can bend and not break.", "My strength is allowed to rest."},
		"relationships":       {"I can be close and still be myself.", "I listen with an open heart.", "I deserve love that is kind."},
		"anger":               {"My anger may speak without taking over.", "I can choose what I do next.", "I can be firm and be fair."},
	}
)

func request(typeID, practiceID, sizeID string) script.Request {
	r := script.Request{
		Title: "After the long meeting", TypeID: typeID, PracticeID: practiceID, SizeID: sizeID,
		Affirmations: affirmationsOf[typeID], Seed: 1,
	}
	switch sizeID {
	case "minimed":
		r.MinWords, r.MaxWords, r.Breaks, r.PauseSeconds = 350, 380, 17, 40
	case "reset":
		r.MinWords, r.MaxWords, r.Breaks, r.PauseSeconds = 550, 600, 19, 70
	default:
		r.MinWords, r.MaxWords, r.Breaks, r.PauseSeconds = 900, 950, 28, 90
	}
	return r
}

func sentences(s recording.Script) (all []string) {
	for _, p := range s.Passages {
		all = append(all, p.Sentences...)
	}
	return all
}

func silence(s recording.Script) (total time.Duration) {
	for _, p := range s.Passages {
		total += p.Pause
	}
	return total
}
