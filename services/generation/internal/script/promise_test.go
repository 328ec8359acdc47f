package script

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/services/generation/internal/recording"
)

// shapes are the three sizes of the catalogue.
var shapes = []Request{
	{SizeID: "minimed", MinWords: 350, MaxWords: 380, Breaks: 17, PauseSeconds: 40},
	{SizeID: "reset", MinWords: 550, MaxWords: 600, Breaks: 19, PauseSeconds: 70},
	{SizeID: "timeout", MinWords: 900, MaxWords: 950, Breaks: 28, PauseSeconds: 90},
}

// ask answers a request of that shape.
func ask(shape Request, typeID, practiceID, title string, seed uint64) Request {
	shape.TypeID, shape.PracticeID, shape.Title, shape.Seed = typeID, practiceID, title, seed
	shape.Affirmations = []string{"I can go as far as today goes.", "There is a place for me here.", "I have what this asks for."}
	return shape
}

// everyRequest visits each type, practice and size.
func everyRequest(lib *library, title string, visit func(r Request)) {
	for _, typeID := range slices.Sorted(maps.Keys(lib.types)) {
		for _, practiceID := range sortedPractices(lib) {
			for _, shape := range shapes {
				visit(ask(shape, typeID, practiceID, title, 7))
			}
		}
	}
}

func sortedPractices(lib *library) (ids []string) {
	for id := range lib.practices {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return ids
}

// fresh words, for tests that change them.
func fresh(t *testing.T) *library {
	t.Helper()
	lib, err := load()
	require.NoError(t, err)
	return lib
}

// drafted answers a draft of the request, as compose would try it.
func drafted(t *testing.T, lib *library, r Request) *draft {
	t.Helper()
	rng, stuck := randomness(r), map[*station]int{}
	for range attempts {
		if d, err := lib.draft(r, lib.remember(r.Past), stuck, rng); err == nil {
			return d
		}
	}
	require.Fail(t, "no draft", "%s %s %s", r.TypeID, r.PracticeID, r.SizeID)
	return nil
}

// places are where the blocks of a draft come from, in the order in which they are spoken.
func places(lib *library, d *draft) (all []string) {
	from := map[string]string{}
	lib.each(func(where string, b *block) { from[b.lines[0].text] = where })
	for _, p := range d.pieces() {
		if where := from[p.lines[0].text]; where != "" {
			all = append(all, where)
		}
	}
	return all
}

// Every path in every type and size: its beginning first, then the promised stations and others in the order of the file,
// the return from wandering between them, and what goes deeper last.
func TestAPathIsWalkedInTheOrderOfItsFileFromItsBeginning(t *testing.T) {
	t.Parallel()
	lib := fresh(t)
	for practiceID, paths := range lib.practices {
		for _, way := range paths {
			one := *lib
			one.practices = map[string][]*sheet{practiceID: {way}}
			prefix := "practices/" + practiceID + "/" + way.id + "/"
			everyRequest(&one, "Zebras", func(r Request) {
				d := drafted(t, &one, r)
				d.used = map[*block]bool{}
				if d.offers(way, 99) < 0 {
					return
				}
				walked := placesUnder(lib, d, prefix)
				requireWalked(t, d, way, walked)
				require.Len(t, walked, stationsOf[r.SizeID]+besideStations)
			})
		}
	}
}

// stationsOf is how many stations of a path each size comes by.
var stationsOf = map[string]int{"minimed": 3, "reset": 6, "timeout": 12}

// A beginning that names a far station is said only where the script comes by it.
func TestWhatABeginningNamesIsReached(t *testing.T) {
	t.Parallel()
	lib := fresh(t)
	way := lib.practices["taoist"][0]
	lib.practices["taoist"] = []*sheet{way}
	last := slices.MaxFunc(way.stations, func(x, y *station) int { return cmp.Compare(x.rank, y.rank) })
	naming, plain := &block{lines: []line{newLine("It ends far out.", false)}, needs: []string{last.tag()}}, &block{lines: []line{newLine("It ends near.", false)}}
	way.stages["begin"] = []*block{naming, plain}
	require.NoError(t, way.isPath())
	said := map[string]bool{}
	for seed := range uint64(10) {
		for _, shape := range []Request{shapes[0], shapes[2]} {
			s, err := lib.compose(ask(shape, "anger", "taoist", "Zebras", seed))
			require.NoError(t, err)
			named := slices.Contains(spoken(s), "It ends far out.")
			require.NotEqual(t, named, slices.Contains(spoken(s), "It ends near."))
			said[shape.SizeID] = said[shape.SizeID] || named
		}
	}
	require.Equal(t, map[string]bool{"minimed": false, "timeout": true}, said)
	plain.needs = naming.needs
	require.Error(t, way.isPath(), "one beginning must do without")
	naming.needs, plain.needs = []string{atStation + "moon"}, nil
	require.Error(t, way.isPath(), "the path has no such station")
}

func placesUnder(lib *library, d *draft, prefix string) (names []string) {
	for _, where := range places(lib, d) {
		if name, under := strings.CutPrefix(where, prefix); under {
			names = append(names, name)
		}
	}
	return names
}

func requireWalked(t *testing.T, d *draft, way *sheet, walked []string) {
	t.Helper()
	require.Equal(t, "begin", walked[0])
	deep := slices.Index(walked, "deepen")
	for _, stage := range walked[deep:] {
		require.Equal(t, "deepen", stage)
	}
	wander := slices.Index(walked, "wander")
	visited := slices.Concat(walked[1:wander], walked[wander+1:deep])
	require.InDelta(t, wander-1, deep-wander-1, 1, "in the middle")
	stops, inOrder := slices.Compact(visited), []string{}
	for _, at := range way.stations {
		name := fmt.Sprintf("%d %s", at.rank, at.name)
		if slices.Contains(stops, name) {
			inOrder = append(inOrder, name)
		}
		if at.rank <= promised && slices.Contains(d.open(way), at) {
			require.Contains(t, stops, name, "promised")
		}
	}
	require.Equal(t, inOrder, stops)
}

func TestAMindThatStraysIsAlwaysBroughtBack(t *testing.T) {
	t.Parallel()
	lib, err := words()
	require.NoError(t, err)
	strayed := map[string]*block{}
	lib.each(func(where string, b *block) {
		if strings.HasSuffix(where, "/wander") {
			strayed[b.lines[0].text] = b
		}
	})
	found := 0
	everyRequest(lib, "So angry with my boss", func(r Request) {
		s, err := lib.compose(r)
		require.NoError(t, err)
		for _, sentence := range spoken(s) {
			if b := strayed[sentence]; b != nil {
				require.Subset(t, spoken(s), texts(b.lines))
				found++
			}
		}
	})
	require.Positive(t, found)
}

func TestAStationThatDoesNotSuitIsLeftOutAndTheNextRankTaken(t *testing.T) {
	t.Parallel()
	lib := fresh(t)
	way := lib.practices["taoist"][0]
	for _, at := range way.stations {
		at.name = "part"
		if at.rank == 2 {
			for _, b := range at.blocks {
				b.needs = []string{"sleep"}
			}
		}
	}
	lib.practices["taoist"] = []*sheet{way}
	walked := placesUnder(lib, drafted(t, lib, ask(shapes[0], "anger", "taoist", "Zebras", 1)), "practices/taoist/"+way.id+"/")
	require.Subset(t, walked, []string{"1 part", "3 part"})
	require.NotContains(t, walked, "2 part")
}

func TestAPathThatDoesNotSuitIsNotTaken(t *testing.T) {
	t.Parallel()
	lib := fresh(t)
	other := *lib.practices["mbsr"][0]
	other.id, other.only = "lying", []string{"sleep"}
	lib.practices["mbsr"] = append(lib.practices["mbsr"], &other)
	for seed := range uint64(20) {
		d := drafted(t, lib, ask(shapes[1], "anger", "mbsr", "Zebras", seed))
		require.NotEqual(t, "lying", d.path(lib.practices["mbsr"], 4).id)
	}
}

// A path written for a type is walked in it, and in no other, unless the last script walked it.
func TestThePathOfATypeIsWalkedEverySecondTime(t *testing.T) {
	t.Parallel()
	lib, err := words()
	require.NoError(t, err)
	begins := map[string]bool{}
	for _, way := range lib.practices["secular-mindfulness"] {
		for _, b := range way.stages["begin"] {
			begins[b.lines[0].text] = way.id == "goodwill"
		}
	}
	walks := func(typeID string, past [][]string) (all []string, is bool) {
		r := ask(shapes[0], typeID, "secular-mindfulness", "Zebras", 1)
		r.Past = past
		s, err := lib.compose(r)
		require.NoError(t, err)
		return spoken(s), slices.ContainsFunc(spoken(s), func(sentence string) bool { return begins[sentence] })
	}
	first, is := walks("loving-kindness", nil)
	require.True(t, is)
	second, is := walks("loving-kindness", [][]string{first})
	require.False(t, is)
	_, is = walks("loving-kindness", [][]string{second, first})
	require.True(t, is)
	for seed := range uint64(5) {
		_, is = walks("anger", [][]string{{fmt.Sprint(seed)}})
		require.False(t, is)
	}
}

var comparing = regexp.MustCompile(`(?i)\bas if\b|\bas though\b|\bthe way (you|an?)\b|\blike (a|an|the) |^like (a|an) `)

// Of three sentences in a row one at most compares; affirmations stand outside.
func TestComparisonsStandApart(t *testing.T) {
	t.Parallel()
	lib := fresh(t)
	found := 0
	for _, title := range []string{"Zebras", "After the long meeting", "Missing my dad"} {
		everyRequest(lib, title, func(r Request) {
			s, err := lib.compose(r)
			require.NoError(t, err)
			since := similesApart
			for _, sentence := range spoken(s) {
				if comparing.MatchString(sentence) && !slices.Contains(r.Affirmations, sentence) {
					require.Equal(t, similesApart, since, "%s %s %s: %s", r.TypeID, r.PracticeID, r.SizeID, sentence)
					since, found = -1, found+1
				}
				if !slices.Contains(r.Affirmations, sentence) {
					since = min(since+1, similesApart)
				}
			}
		})
	}
	require.Positive(t, found, "there are comparisons")
}

func spoken(s recording.Script) (all []string) {
	for _, p := range s.Passages {
		all = append(all, p.Sentences...)
	}
	return all
}

// With every sixth block asking for breaths, each that is spoken is whole, ends its passage and gets its time; what asks for
// a long silence ends its passage too.
func TestWhatAsksForTimeEndsItsPassageAndBreathsAreGivenWhole(t *testing.T) {
	t.Parallel()
	lib := fresh(t)
	of := map[string]*block{}
	lib.each(func(where string, b *block) {
		h := fnv.New32a()
		_, _ = h.Write([]byte(b.lines[0].text))
		b.long = b.long && h.Sum32()%2 == 0 // one in three, as the editors mean it
		if h.Sum32()%6 == 0 && !strings.Contains(where, "affirm") && !strings.HasSuffix(where, "/touch") {
			b.long, b.breaths = false, 1+int(h.Sum32()/6%3)
		}
		for _, l := range b.lines {
			of[l.text] = b
		}
	})
	found, mid, long := 0, 0, 0
	everyRequest(lib, "Zebras", func(r Request) {
		s, err := lib.compose(r)
		require.NoError(t, err)
		total := time.Duration(0)
		for _, p := range s.Passages {
			total += p.Pause
			for i, sentence := range p.Sentences {
				b := of[sentence]
				if b == nil || !b.asks() {
					continue
				}
				last := i == len(p.Sentences)-1 || of[p.Sentences[i+1]] == b
				if b.breaths == 0 {
					long++
					mid += one(!last)
					continue
				}
				found++
				require.True(t, last, sentence)
				require.Subset(t, p.Sentences, texts(b.lines))
				require.GreaterOrEqual(t, p.Pause, time.Duration(b.breaths)*5*time.Second)
			}
		}
		require.Equal(t, time.Duration(r.PauseSeconds)*time.Second, total)
	})
	require.Greater(t, found, 100)
	require.Less(t, mid*50, long, "a stage may have nothing but long blocks")
}

func TestSilenceIsSharedExactly(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		shape := shapes[rng.IntN(len(shapes))]
		d := &draft{}
		left := timeToBreathe(shape.PauseSeconds, shape.Breaks)
		for range shape.Breaks {
			p := &passage{long: rng.IntN(3) == 0, affirms: rng.IntN(9) == 0}
			if n := 1 + rng.IntN(3); rng.IntN(6) == 0 && breathTime(n) <= left {
				p.long, p.breaths, left = false, n, left-breathTime(n)
			}
			d.passages = append(d.passages, p)
		}
		total := halves(0)
		pauses := d.pauses(halves(2 * shape.PauseSeconds))
		for i, p := range d.passages {
			total += pauses[i]
			require.GreaterOrEqual(t, pauses[i], leastPause)
			require.GreaterOrEqual(t, pauses[i], halves(p.breaths)*breathPause)
		}
		require.Equal(t, halves(2*shape.PauseSeconds), total)
	}
}

// An affirmation is repeated in silence, so it has time before anything that asks for a long one.
func TestAnAffirmationHasTimeFirst(t *testing.T) {
	t.Parallel()
	d := &draft{}
	for i := range 17 {
		d.passages = append(d.passages, &passage{long: true, affirms: i > 10 && i < 14, breaths: one(i == 2)})
	}
	for i, pause := range d.pauses(2 * 40) {
		if d.passages[i].affirms {
			require.GreaterOrEqual(t, pause, longPause)
		}
	}
}

func TestALongSilenceIsLongAndTheOthersAreShort(t *testing.T) {
	t.Parallel()
	d := &draft{}
	for i := range 28 {
		d.passages = append(d.passages, &passage{long: i%4 == 0, breaths: one(i == 1)})
	}
	for i, pause := range d.pauses(2 * 90) {
		switch {
		case i == 1:
			require.Equal(t, 5*time.Second, pause.duration())
		case i%4 == 0:
			require.Contains(t, []halves{longPause, longPause + 1, longestPause}, pause)
		default:
			require.LessOrEqual(t, pause, 3*leastPause)
		}
	}
}
