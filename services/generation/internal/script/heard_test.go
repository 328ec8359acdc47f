package script

import (
	"regexp"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Beside a sound the words greet it once, and speak of no silence and of nothing else that is to be heard.
func TestBesideASoundTheWordsLeaveRoomForIt(t *testing.T) {
	t.Parallel()
	lib, err := words()
	require.NoError(t, err)
	greets := map[string]bool{}
	for _, b := range lib.common["sound"].stages["greet"] {
		greets[b.lines[0].text] = true
	}
	untrue := regexp.MustCompile(`(?i)\b(listen|hear|silence|quiet|noises?)\b`)
	for _, title := range []string{"My driving test", "Zebras", "PTSD flashbacks", "Can't sleep"} {
		everyRequest(lib, title, func(r Request) {
			for _, immersive := range []bool{true, false} {
				r.Immersive = immersive
				s, err := lib.compose(r)
				require.NoError(t, err, "%s: %s %s %s", title, r.TypeID, r.PracticeID, r.SizeID)
				require.Len(t, s.Passages, r.Breaks)
				greeted, total := 0, time.Duration(0)
				for _, p := range s.Passages {
					total += p.Pause
				}
				for _, sentence := range spoken(s) {
					greeted += one(greets[sentence])
					if immersive && !slices.Contains(r.Affirmations, sentence) {
						require.NotRegexp(t, untrue, sentence, "%s: %s %s", title, r.TypeID, r.PracticeID)
					}
				}
				require.Equal(t, one(immersive), greeted)
				require.Equal(t, time.Duration(r.PauseSeconds)*time.Second, total)
			}
		})
	}
}

// Beside a sound the silences between the parts of a script are the long ones.
func TestBesideASoundTheJoinsAreLong(t *testing.T) {
	t.Parallel()
	d := &draft{scene: scene{immersive: true}}
	for i := range 28 {
		d.passages = append(d.passages, &passage{long: i%2 == 1, joins: i%4 == 2})
	}
	for i, pause := range d.pauses(2 * 90) {
		if d.passages[i].joins {
			require.GreaterOrEqual(t, pause, longPause)
		}
	}
}
