package topic_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/services/generation/internal/script/topic"
)

func TestATitleIsNamedAsTheMembersThingOrTimeOrNotAtAll(t *testing.T) {
	t.Parallel()
	for title, want := range map[string]topic.Subject{
		"My driving test":            {Thing: "your driving test"},
		"Driving test tomorrow":      {Thing: "your driving test tomorrow"},
		"The long meeting":           {Thing: "the long meeting"},
		"Slow Sunday morning":        {Thing: "your slow Sunday morning"},
		"noisy neighbours":           {Thing: "your noisy neighbours"},
		"Letting go of my ex":        {},
		"Letting go of my anger":     {Thing: "letting go of your anger"},
		"Deep sleep":                 {Thing: "deep sleep"},
		"painting the kitchen":       {Thing: "painting the kitchen"},
		"Slowing down":               {Thing: "slowing down"},
		"A walk with my dog":         {Thing: "a walk with your dog"},
		"After the long meeting":     {Time: "after the long meeting"},
		"Before my wedding":          {Time: "before your wedding"},
		"Night before the exam":      {Thing: "your night before the exam"},
		"before work":                {Time: "before work"},
		"after":                      {},
		"the":                        {},
		"walk in the":                {},
		"Why am I always so angry":   {},
		"I need a break":             {},
		"Schlaf gut":                 {},
		"xkcd 123":                   {},
		"Deep sleep \U0001F634":      {Thing: "deep sleep"},
		"9am standup":                {},
		"coffee":                     {Thing: "your coffee"},
		"":                           {},
		"long slow":                  {},
		"of the day":                 {},
		"My mother and my sister":    {Thing: "your mother and your sister"},
		"my my my my my my my my my": {},
	} {
		require.Equal(t, want, topic.Name(title), title)
	}
}
