package basket

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// model is the rules of baskets again, in plain Go: what is chosen, by name, and how many of each.
type model struct {
	version int64
	order   []string
	now     map[string]int // bought now
	saved   map[string]int // for later
	back    *model         // before the last change
	asked   map[string]string
}

func newModel() *model {
	return &model{now: map[string]int{}, saved: map[string]int{}, asked: map[string]string{}}
}

var (
	modelPlans  = []string{"core/month", "core/year", "premium/month", "generate/month"}
	modelPacks  = []string{"credits-20", "credits-40"}
	modelThings = append(append([]string{"tee/S", "tee/M", "socks"}, modelPlans...), modelPacks...)
)

func isPlan(of string) bool { return slices.Contains(modelPlans, of) }
func once(of string) bool   { return isPlan(of) || slices.Contains(modelPacks, of) }

func (m *model) copy() *model {
	return &model{m.version, slices.Clone(m.order), maps.Clone(m.now), maps.Clone(m.saved), nil, m.asked}
}

// plan is the membership that is bought now.
func (m *model) plan() string {
	for of := range m.now {
		if isPlan(of) {
			return of
		}
	}
	return ""
}

// turn notes where Undo leads, and that there is a change.
func (m *model) turn() {
	m.back = m.copy()
	m.version++
}

func (m *model) drop(of string) {
	delete(m.now, of)
	delete(m.saved, of)
	m.order = slices.DeleteFunc(m.order, func(o string) bool { return o == of })
}

// add is what comes of one more.
func (m *model) add(of string, replace bool) string {
	plan := m.plan()
	here, later := m.now[of] > 0, m.saved[of] > 0
	switch {
	case plan == of, once(of) && here, once(of) && later && plan != "" && !isPlan(of):
		return "ALREADY_THERE"
	case isPlan(of) && plan != "" && !replace:
		return "MEMBERSHIP_IN_BASKET"
	}
	m.turn()
	if isPlan(of) && plan != "" {
		m.drop(plan)
	}
	if !here && !later {
		m.order = append(m.order, of)
	}
	count := m.now[of] + m.saved[of] + 1
	if once(of) {
		count = 1
	}
	if !isPlan(of) && plan != "" {
		m.saved[of] = count
		return "SAVED"
	}
	delete(m.saved, of)
	m.now[of] = count
	if isPlan(of) && m.only(of) {
		return "OTHERS_SAVED"
	}
	return "ADDED"
}

// only leaves one thing to be bought now, and says whether others were.
func (m *model) only(of string) (others bool) {
	for other, n := range m.now {
		if other != of {
			m.saved[other], others = n, true
			delete(m.now, other)
		}
	}
	return others
}

func (m *model) set(of string, quantity int) string {
	here, later := m.now[of] > 0, m.saved[of] > 0
	switch {
	case !here && !later:
		return "LINE_NOT_FOUND"
	case once(of) && quantity > 1:
		return "QUANTITY_FIXED"
	case m.now[of]+m.saved[of] == quantity:
		return ""
	}
	m.turn()
	switch {
	case quantity == 0:
		m.drop(of)
	case here:
		m.now[of] = quantity
	default:
		m.saved[of] = quantity
	}
	return ""
}

func (m *model) save(of string) string {
	if m.now[of] == 0 && m.saved[of] == 0 {
		return "LINE_NOT_FOUND"
	}
	if n := m.now[of]; n > 0 {
		m.turn()
		m.saved[of] = n
		delete(m.now, of)
	}
	return ""
}

func (m *model) restore(of string) string {
	switch n := m.saved[of]; {
	case m.now[of] > 0:
		return ""
	case n == 0:
		return "LINE_NOT_FOUND"
	case m.plan() != "" && isPlan(of):
		return "MEMBERSHIP_IN_BASKET"
	case m.plan() != "":
		return "MEMBERSHIP_ALONE"
	default:
		m.turn()
		m.now[of] = n
		delete(m.saved, of)
	}
	if isPlan(of) && m.only(of) {
		return "OTHERS_SAVED"
	}
	return ""
}

func (m *model) clear() string {
	if len(m.now) > 0 {
		m.turn()
		for of := range maps.Clone(m.now) {
			m.drop(of)
		}
	}
	return ""
}

func (m *model) undo() string {
	if m.back == nil {
		return "NOTHING_TO_UNDO"
	}
	version := m.version + 1
	*m = *m.back
	m.version, m.back = version, nil
	return ""
}

// merge takes a guest's things; both were chosen in the order of the clock, a guest's later ones come last.
func (m *model) merge(g *model) string {
	if len(g.order) == 0 {
		return "false"
	}
	own := m.plan()
	for _, of := range g.order {
		n, wanted := g.now[of]+g.saved[of], g.now[of] > 0
		if wanted && isPlan(of) && own != "" && own != of {
			wanted = false
		}
		if m.now[of]+m.saved[of] == 0 {
			m.order = append(m.order, of)
		}
		n += m.now[of] + m.saved[of]
		if once(of) {
			n = 1
		}
		wanted = wanted || m.now[of] > 0
		delete(m.now, of)
		delete(m.saved, of)
		if wanted {
			m.now[of] = n
		} else {
			m.saved[of] = n
		}
	}
	if plan := m.plan(); plan != "" {
		m.only(plan)
	}
	m.version, m.back = m.version+1, nil
	return "true"
}

func (m *model) lines() (shown []string) {
	for _, of := range m.order {
		if n := m.now[of]; n > 0 {
			shown = append(shown, fmt.Sprintf("%s %d", of, n))
		} else {
			shown = append(shown, fmt.Sprintf("(%s %d)", of, m.saved[of]))
		}
	}
	return shown
}

func TestABasketInTwoTabsAgreesWithAPlainModel(t *testing.T) {
	t.Parallel()
	h := start(t)
	rapid.Check(t, func(rt *rapid.T) {
		w := &world{member: h.member(t, uuid.NewString()), h: h, t: t}
		w.tabs = []*tab{w.member, w.member.another()}
		w.basket, w.other = newModel(), newModel()
		w.guest = h.guest(t)
		rt.Repeat(map[string]func(*rapid.T){
			"add": w.add, "repeat": w.repeat, "set": w.set, "save": w.save, "clear": w.clear, "undo": w.undo, "look": w.look,
			"guest": w.choose, "merge": w.merge, "": w.agree,
		})
	})
}

// world is a member's two tabs and a guest's one, with the models of both baskets.
type world struct {
	t             *testing.T
	h             *harness
	member, guest *tab
	tabs          []*tab
	basket, other *model
	last          []string // the request that was made last: its id, what it was for
}

func (w *world) tab(rt *rapid.T) *tab { return rapid.SampledFrom(w.tabs).Draw(rt, "tab") }

func pick(rt *rapid.T) string { return rapid.SampledFrom(modelThings).Draw(rt, "of") }

// expect compares what a tab was answered with what the model says, where the tab has seen its version.
func (w *world) expect(rt *rapid.T, p *tab, act func() string, model func() string) {
	want := "VERSION_MISMATCH"
	if p.seen.GetVersion() == w.basket.version {
		want = model()
	}
	require.Equal(rt, want, act())
}

func (w *world) add(rt *rapid.T) {
	p, of, replace := w.tab(rt), pick(rt), rapid.Bool().Draw(rt, "replace")
	id := uuid.NewString()
	version := w.basket.version
	want := w.basket.add(of, replace)
	outcome, err := p.request(id, of, replace)
	require.Equal(rt, want, word(outcome, err))
	if w.basket.version > version {
		w.basket.asked[id], w.last = want, []string{id, of}
	}
}

func (w *world) repeat(rt *rapid.T) {
	if w.last == nil {
		rt.Skip("nothing was asked for")
	}
	outcome, err := w.tab(rt).request(w.last[0], w.last[1], false)
	require.Equal(rt, w.basket.asked[w.last[0]], word(outcome, err))
}

// line is one that the tab shows, so that it has an id.
func (w *world) line(rt *rapid.T, p *tab) string {
	if len(p.seen.GetLines()) == 0 {
		rt.Skip("the tab shows nothing")
	}
	l := p.seen.GetLines()[rapid.IntRange(0, len(p.seen.GetLines())-1).Draw(rt, "line")]
	if l.GetSize() == "" {
		return l.GetProductId()
	}
	return l.GetProductId() + "/" + l.GetSize()
}

func (w *world) set(rt *rapid.T) {
	p := w.tab(rt)
	of, quantity := w.line(rt, p), rapid.IntRange(0, 4).Draw(rt, "quantity")
	w.expect(rt, p, func() string { return p.set(of, int32(quantity)) }, func() string { return w.basket.set(of, quantity) })
}

func (w *world) save(rt *rapid.T) {
	p := w.tab(rt)
	of, saved := w.line(rt, p), rapid.Bool().Draw(rt, "saved")
	w.expect(rt, p, func() string { return p.save(of, saved) }, func() string {
		if saved {
			return w.basket.save(of)
		}
		return w.basket.restore(of)
	})
}

func (w *world) clear(rt *rapid.T) {
	p := w.tab(rt)
	w.expect(rt, p, p.clear, w.basket.clear)
}

func (w *world) undo(rt *rapid.T) {
	p := w.tab(rt)
	w.expect(rt, p, p.undo, w.basket.undo)
}

func (w *world) look(rt *rapid.T) { w.tab(rt).look() }

// choose is the guest's own act.
func (w *world) choose(rt *rapid.T) {
	of := pick(rt)
	require.Equal(rt, w.other.add(of, false), w.guest.add(of))
}

// merge is what signing in does, with the cookie that is gone afterwards.
func (w *world) merge(rt *rapid.T) {
	p := w.tab(rt)
	want := w.basket.merge(w.other)
	require.Equal(rt, want, p.merge(w.guest.guest))
	require.Equal(rt, "false", p.merge(w.guest.guest))
	w.other, w.guest = newModel(), w.h.guest(w.t)
}

func (w *world) agree(rt *rapid.T) {
	truth := w.member.another().look()
	require.ElementsMatch(rt, w.basket.lines(), truth.lines())
	require.Equal(rt, w.basket.version, truth.seen.GetVersion())
	require.Equal(rt, w.basket.back != nil, truth.seen.GetCanUndo())
}
