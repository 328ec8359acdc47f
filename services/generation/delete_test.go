package generation

import (
	"fmt"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	generationv1 "serein.app/proto/gen/serein/generation/v1"
	"serein.app/services/generation/internal/meditation"
	store "serein.app/services/generation/internal/postgres"
	"serein.app/services/generation/internal/title"
	"serein.app/services/platform/auth"
	"serein.app/services/platform/erasure"
	"serein.app/services/platform/errs"
	"serein.app/services/platform/outbox"
)

// has adds a meditation of a member in a state, which is removed at a moment where one is given.
func (h *harness) has(uid uuid.UUID, state string, deletesAt *time.Time) uuid.UUID {
	h.t.Helper()
	id, sound := uuid.Must(uuid.NewV7()), 0
	if state == "ready" {
		sound = 1
	}
	h.exec(`INSERT INTO meditations (id, uid, title, type_id, practice_id, size_id, immersive, track_id, day, brief, narrator_id, narrator_name,
			cost, hold_id, state, settled, tidied, passages_total, passages_done, ready_us, expected_us, audio_bytes, created_at, deadline, ended_at, deletes_at)
		VALUES ($1, $2, 'A lantern', 't', 'p', 's', false, '', '2026-11-21', '{}', 'n', 'N', 1, gen_random_uuid(), $3, true, true, 1, $4::int, $4::int, $4::int, $4::int,
			$5::timestamptz - interval '1 hour', $5, CASE WHEN $3 IN ('queued', 'writing', 'narrating', 'finishing') THEN NULL ELSE $5::timestamptz END, $6)`,
		id, uid, state, sound, h.clock(), deletesAt)
	return id
}

// ready makes a meditation to its end.
func (h *harness) ready(p *process, uid uuid.UUID) meditation.Meditation {
	h.t.Helper()
	m, err := p.Create(h.t.Context(), uid, request())
	require.NoError(h.t, err)
	m = h.ended(p, uid, m.ID)
	require.Equal(h.t, meditation.Ready, m.State)
	return m
}

// listed are the ids behind a filter, and how many there are said to be.
func (h *harness) listed(p *process, uid uuid.UUID, f meditation.Filter) (ids []uuid.UUID, total int) {
	h.t.Helper()
	page, _, total, err := p.List(h.t.Context(), uid, f, 0, "")
	require.NoError(h.t, err)
	for _, m := range page {
		ids = append(ids, m.ID)
	}
	return ids, total
}

func TestWhatIsMarkedIsHeardForFourteenDaysAndThenOnlyItsTitleIsLeft(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	p := h.start(1, time.Minute)
	uid := h.member(8)
	m, other := h.ready(p, uid), h.ready(p, uid)
	require.NoError(t, p.Sweep(t.Context()))

	marked, err := p.MarkDeleted(t.Context(), uid, m.ID)
	require.NoError(t, err)
	require.Equal(t, h.clock().Add(14*24*time.Hour), marked.DeletesAt)
	require.Equal(t, 1_209_600*time.Second, meditation.KeptFor)
	h.pass(meditation.KeptFor - time.Microsecond)
	require.NoError(t, p.Sweep(t.Context()))
	require.Equal(t, wholeSound(m.ID.String()), h.audio(p, uid, m.ID), "it plays until the last moment")
	back, err := p.Recover(t.Context(), uid, m.ID)
	require.NoError(t, err, "and comes back until then")
	require.Zero(t, back.DeletesAt)

	_, err = p.MarkDeleted(t.Context(), uid, m.ID)
	require.NoError(t, err)
	h.pass(meditation.KeptFor)
	_, err = p.Recover(t.Context(), uid, m.ID)
	require.ErrorIs(t, err, meditation.ErrDeleted, "also before the sweep has come by")
	require.NoError(t, p.Sweep(t.Context()))

	h.nothingToHear(p, uid, m.ID)
	gone, _, err := p.Get(t.Context(), uid, m.ID)
	require.NoError(t, err)
	require.Equal(t, meditation.Deleted, gone.State)
	require.Equal(t, "A quiet evening", gone.Name())
	keys, err := h.blobs.List(t.Context(), "meditations/")
	require.NoError(t, err)
	require.Equal(t, []string{"meditations/" + other.ID.String() + "/audio.mp3"}, keys)
	require.Equal(t, 1, h.count(`SELECT count(*) FROM scripts`))
	require.Equal(t, passages, h.count(`SELECT count(*) FROM segments`))
	require.NoError(t, p.Sweep(t.Context()))
	require.Equal(t, 2, h.events()["deleted"])
	require.Equal(t, 1, h.events()["recovered"])
	require.Equal(t, 1, h.events()["purged"], "once, however often the sweep comes by")
	require.Equal(t, map[string]int{"captured": 2}, h.billing.holds(), "billing has nothing to do with it")
}

func TestListsAndCountsKeepMarkedOnesApart(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	p := h.start(0, time.Minute)
	uid := h.member(8)
	var all, marked []uuid.UUID
	for range 7 {
		all = append([]uuid.UUID{h.has(uid, "ready", nil)}, all...)
		h.pass(time.Minute)
	}
	for _, i := range []int{2, 5, 3, 0, 6} { // all[0] is the newest
		_, err := p.MarkDeleted(t.Context(), uid, all[i])
		require.NoError(t, err)
		marked = append([]uuid.UUID{all[i]}, marked...)
		h.pass(time.Minute)
	}
	expired := h.clock().Add(-time.Second)
	gone := h.has(uid, "deleted", &expired)

	ids, total := h.listed(p, uid, meditation.Active)
	require.Equal(t, []uuid.UUID{all[1], all[4]}, ids)
	require.Equal(t, 2, total)
	heard, deleted, err := p.Count(t.Context(), uid)
	require.NoError(t, err)
	require.Equal(t, []int{2, 6}, []int{heard, deleted})
	ids, total = h.listed(p, uid, meditation.All)
	require.ElementsMatch(t, append(all, gone), ids)
	require.Equal(t, 8, total)

	var paged []uuid.UUID
	for token, more := "", true; more; more = token != "" {
		page, next, total, err := p.List(t.Context(), uid, meditation.Marked, 2, token)
		require.NoError(t, err)
		require.Equal(t, 6, total)
		for _, m := range page {
			paged = append(paged, m.ID)
		}
		token = next
	}
	require.Equal(t, append(marked, gone), paged, "the last one marked comes first, and pages neither skip nor repeat")
	all3, _, total, err := p.List(t.Context(), uid, meditation.All, 3, "")
	require.NoError(t, err)
	require.Len(t, all3, 3)
	require.Equal(t, 8, total)
}

// TestWhatIsCountedCanBeHeard has one meditation of each state, and one of each that can be marked.
func TestWhatIsCountedCanBeHeard(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	p := h.start(0, time.Minute)
	uid, soon := h.member(0), h.clock().Add(time.Hour)
	for _, state := range []string{"queued", "writing", "narrating", "finishing", "ready", "failed", "cancelled", "refunded"} {
		h.has(uid, state, nil)
	}
	h.has(uid, "ready", &soon)
	h.has(uid, "refunded", &soon)
	h.has(h.member(0), "ready", nil)
	heard, deleted, err := p.Count(t.Context(), uid)
	require.NoError(t, err)
	require.Equal(t, []int{1, 2}, []int{heard, deleted})
	_, total := h.listed(p, uid, meditation.Active)
	require.Equal(t, 7, total, "what is being made, has failed, or was refunded is listed all the same")
}

// TestEveryStateHasItsAnswer is the table of states and actions.
func TestEveryStateHasItsAnswer(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	p := h.start(0, time.Minute)
	soon, past := h.clock().Add(time.Minute), h.clock().Add(-time.Minute)
	none := meditation.ErrNotFound
	for _, c := range []struct {
		state                     string
		deletesAt                 *time.Time
		mark, recovering, renamed error
	}{
		{"queued", nil, meditation.ErrUnfinished, meditation.ErrNotMarked, meditation.ErrUnfinished},
		{"writing", nil, meditation.ErrUnfinished, meditation.ErrNotMarked, meditation.ErrUnfinished},
		{"narrating", nil, meditation.ErrUnfinished, meditation.ErrNotMarked, meditation.ErrUnfinished},
		{"finishing", nil, meditation.ErrUnfinished, meditation.ErrNotMarked, meditation.ErrUnfinished},
		{"failed", nil, meditation.ErrUnfinished, meditation.ErrNotMarked, meditation.ErrUnfinished},
		{"cancelled", nil, meditation.ErrUnfinished, meditation.ErrNotMarked, meditation.ErrUnfinished},
		{"holding", nil, none, none, none},
		{"abandoned", nil, none, none, none},
		{"ready", nil, nil, meditation.ErrNotMarked, nil},
		{"refunded", nil, nil, meditation.ErrNotMarked, nil},
		{"ready", &soon, meditation.ErrMarked, nil, meditation.ErrMarked},
		{"refunded", &soon, meditation.ErrMarked, nil, meditation.ErrMarked},
		{"ready", &past, meditation.ErrDeleted, meditation.ErrDeleted, meditation.ErrDeleted},
		{"deleted", &past, meditation.ErrDeleted, meditation.ErrDeleted, meditation.ErrDeleted},
	} {
		uid := h.member(0)
		for action, do := range map[string]struct {
			want error
			call func(uid, id uuid.UUID) (meditation.Meditation, error)
		}{
			"mark":    {c.mark, func(uid, id uuid.UUID) (meditation.Meditation, error) { return p.MarkDeleted(t.Context(), uid, id) }},
			"recover": {c.recovering, func(uid, id uuid.UUID) (meditation.Meditation, error) { return p.Recover(t.Context(), uid, id) }},
			"rename": {c.renamed, func(uid, id uuid.UUID) (meditation.Meditation, error) {
				return p.Rename(t.Context(), uid, id, "A night")
			}},
		} {
			what := fmt.Sprintf("%s of %s, to go at %v", action, c.state, c.deletesAt)
			state := c.state
			if state == "holding" {
				state = "queued"
			}
			id := h.has(uid, state, c.deletesAt)
			if c.state == "holding" {
				h.exec(`UPDATE meditations SET state = 'holding' WHERE id = $1`, id)
			}
			before := h.count(`SELECT version FROM meditations WHERE id = $1`, id)
			_, err := do.call(h.member(0), id)
			require.ErrorIs(t, err, meditation.ErrNotFound, "another member: %s", what)
			_, err = do.call(uid, uuid.New())
			require.ErrorIs(t, err, meditation.ErrNotFound, what)
			_, err = do.call(uid, id)
			if do.want == nil {
				require.NoError(t, err, what)
				continue
			}
			require.ErrorIs(t, err, do.want, what)
			require.Equal(t, before, h.count(`SELECT version FROM meditations WHERE id = $1`, id), "%s changes nothing", what)
		}
	}
}

func TestOfManyAtOnceEachIsAnsweredAndNothingIsHalfDone(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	p := h.start(0, time.Minute)
	uid := h.member(0)
	id := h.has(uid, "ready", nil)
	race := func(n int, calls ...func() error) (won int) {
		start, faults := make(chan struct{}), make(chan error, n*len(calls))
		var all sync.WaitGroup
		for range n {
			for _, call := range calls {
				all.Go(func() { <-start; faults <- call() })
			}
		}
		close(start)
		all.Wait()
		close(faults)
		for err := range faults {
			if err == nil {
				won++
				continue
			}
			require.Equal(t, errs.FailedPrecondition, errs.KindOf(err), err)
		}
		return won
	}
	mark := func() error { _, err := p.MarkDeleted(t.Context(), uid, id); return err }
	recovery := func() error { _, err := p.Recover(t.Context(), uid, id); return err }
	require.Equal(t, 1, race(10, mark))
	require.Equal(t, 1, race(10, recovery))

	won := race(10, mark, recovery)
	marked := h.count(`SELECT count(*) FROM meditations WHERE id = $1 AND deletes_at IS NOT NULL`, id)
	require.Equal(t, won%2, marked, "marks and recoveries take turns")
	require.Equal(t, marked, h.events()["deleted"]-h.events()["recovered"], "and each has its event")
	require.Equal(t, 2+won, h.events()["deleted"]+h.events()["recovered"])
}

// TestARecoveryAndThePurgeTakeTurns has both at the moment when the time is over: the recovery is too late.
func TestARecoveryAndThePurgeTakeTurns(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	p := h.start(1, time.Minute)
	uid := h.member(8)
	m := h.ready(p, uid)
	_, err := p.MarkDeleted(t.Context(), uid, m.ID)
	require.NoError(t, err)
	h.pass(meditation.KeptFor)
	var all sync.WaitGroup
	for range 5 {
		all.Go(func() { require.NoError(t, p.Sweep(t.Context())) })
		all.Go(func() {
			_, err := p.Recover(t.Context(), uid, m.ID)
			require.ErrorIs(t, err, meditation.ErrDeleted)
		})
	}
	all.Wait()
	require.NoError(t, p.Sweep(t.Context()), "a sweep passes over what a recovery holds still; the next one does not")
	h.nothingToHear(p, uid, m.ID)
	require.Equal(t, 1, h.events()["purged"])
	require.Zero(t, h.events()["recovered"])
}

// TestWhereverAPurgeDiesAllOfItGoesInTheEnd kills the process before and after every step of marking and purging.
func TestWhereverAPurgeDiesAllOfItGoesInTheEnd(t *testing.T) {
	t.Parallel()
	for n, name := range []string{"mark", "purge", "delete files", "tidied"} {
		for _, before := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s %v", name, before), func(t *testing.T) {
				t.Parallel()
				h := newHarness(t)
				uid := h.member(8)
				made := h.start(1, time.Minute)
				m := h.ready(made, uid)
				require.NoError(t, made.Sweep(t.Context()))
				made.stop()

				c := crashAt(n+1, before)
				dying := h.start(0, time.Minute, c.wrap)
				_, _ = dying.MarkDeleted(t.Context(), uid, m.ID)
				h.pass(meditation.KeptFor)
				_ = dying.Sweep(t.Context())
				require.Error(t, c.alive(), "it died")
				require.Equal(t, name, c.steps[n])

				p := h.start(0, time.Minute)
				if name == "mark" && before {
					require.NotEmpty(t, h.audio(p, uid, m.ID))
					require.Zero(t, h.events()["deleted"], "neither the mark nor its event is there")
					return
				}
				require.NoError(t, p.Sweep(t.Context()))
				h.nothingToHear(p, uid, m.ID)
				files, err := h.blobs.List(t.Context(), "meditations/")
				require.NoError(t, err)
				require.Empty(t, files)
				require.Zero(t, h.count(`SELECT count(*) FROM segments`)+h.count(`SELECT count(*) FROM scripts`))
				require.Equal(t, 1, h.events()["deleted"])
				require.Equal(t, 1, h.events()["purged"])
			})
		}
	}
}

func TestPurgeIsAnnouncedOnlyOnceTheStoreHasDeletedTheFiles(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	blobs := &stuckBlobs{Store: h.blobs, stuck: map[string]bool{}}
	p := h.start(1, time.Minute, func(ports *meditation.Ports) { ports.Blobs = blobs })
	uid := h.member(8)
	m := h.ready(p, uid)
	require.NoError(t, p.Sweep(t.Context()))
	_, err := p.MarkDeleted(t.Context(), uid, m.ID)
	require.NoError(t, err)
	h.pass(meditation.KeptFor)
	blobs.stuck[m.ID.String()] = true
	require.ErrorIs(t, p.Sweep(t.Context()), errDisk)
	h.nothingToHear(p, uid, m.ID)
	require.Zero(t, h.events()["purged"])

	delete(blobs.stuck, m.ID.String())
	h.exec(`UPDATE meditations SET next_try_at = now()`)
	require.NoError(t, p.Sweep(t.Context()))
	require.Equal(t, 1, h.events()["purged"])
}

func TestWhatWasTidiedBeforeItWasDeletedIsTidiedAgain(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	p := h.start(1, time.Minute)
	uid := h.member(8)
	m := h.ready(p, uid)
	kept := store.New(h.db.Pool, outbox.New(h.db.Pool, h.broker, Name, p.Log, time.Now))
	untidy, err := kept.Untidy(t.Context())
	require.NoError(t, err)
	require.Equal(t, m.ID, untidy[0].ID)
	_, err = p.MarkDeleted(t.Context(), uid, m.ID)
	require.NoError(t, err)
	h.pass(meditation.KeptFor)
	n, err := kept.Purge(t.Context(), h.clock())
	require.NoError(t, err)
	require.Equal(t, 1, n)

	require.NoError(t, kept.Tidied(t.Context(), untidy[0]), "a sweep that was slow says so of what was ready")
	require.NoError(t, p.Sweep(t.Context()))
	files, err := h.blobs.List(t.Context(), "meditations/")
	require.NoError(t, err)
	require.Empty(t, files)
	require.Equal(t, 1, h.events()["purged"])
}

func TestWhatIsToBeRefundedIsRefundedBeforeItIsPurged(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	p := h.start(0, time.Minute)
	uid := h.member(0)
	past := h.clock().Add(-time.Second)
	id := h.has(uid, "refunded", &past)
	h.exec(`UPDATE meditations SET settled = false, next_try_at = now() + interval '1 hour' WHERE id = $1`, id)
	require.NoError(t, p.Sweep(t.Context()))
	require.Equal(t, 1, h.count(`SELECT count(*) FROM meditations WHERE state = 'refunded'`))
	h.exec(`UPDATE meditations SET settled = true WHERE id = $1`, id)
	require.NoError(t, p.Sweep(t.Context()))
	require.Equal(t, 1, h.count(`SELECT count(*) FROM meditations WHERE state = 'deleted' AND tidied`))
}

func TestManyAreDueAtOnce(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	p := h.start(0, time.Minute)
	uid := h.member(0)
	past := h.clock().Add(-time.Second)
	h.has(uid, "ready", &past)
	for range 120 { // more than one sweep tidies
		h.has(uid, "ready", &past)
	}
	require.NoError(t, p.Sweep(t.Context()))
	require.Equal(t, 121, h.count(`SELECT count(*) FROM meditations WHERE state = 'deleted'`))
	require.NoError(t, p.Sweep(t.Context()))
	require.Equal(t, 121, h.count(`SELECT count(*) FROM meditations WHERE tidied`))
	require.Equal(t, 121, h.events()["purged"])
	require.InDelta(t, 121, h.metric("purged"), 0)
}

func TestARenamedMeditationIsStillTheAnswerToTheRequestThatMadeIt(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	p := h.start(1, time.Minute)
	uid := h.member(8)
	r := request()
	m, err := p.Create(t.Context(), uid, r)
	require.NoError(t, err)
	h.ended(p, uid, m.ID)
	for _, name := range []string{"A night", "A night", "Another night"} {
		renamed, err := p.Rename(t.Context(), uid, m.ID, name)
		require.NoError(t, err)
		require.Equal(t, name, renamed.Name())
	}
	again, err := p.Create(t.Context(), uid, r)
	require.NoError(t, err)
	require.Equal(t, m.ID, again.ID)
	require.Equal(t, "Another night", again.Name())
	page, _, _, err := p.List(t.Context(), uid, meditation.Active, 0, "")
	require.NoError(t, err)
	require.Equal(t, "Another night", page[0].Name())
	require.Equal(t, 3, h.events()["renamed"])
}

func TestAnAccountIsErasedWithWhatItsMemberHadDeleted(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	p := h.start(0, time.Minute)
	uid := h.member(0)
	past, soon := h.clock().Add(-time.Hour), h.clock().Add(time.Hour)
	h.has(uid, "deleted", &past)
	h.has(uid, "ready", &soon)
	require.NoError(t, p.Erase(t.Context(), erasure.Deletion{ID: uuid.New(), UID: uid}))
	require.Zero(t, h.count(`SELECT count(*) FROM meditations`))
}

func TestAMemberDeletesRecoversAndRenamesOverTheWire(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	fakes := h.fakes()
	fakes.checkTitle = title.Check
	url, _ := h.service(fakes)
	c := client(t, "gateway", url)
	uid, other := h.member(8), h.member(8)
	ctx := auth.WithMember(t.Context(), uid.String())
	created, err := c.CreateMeditation(ctx, createRequest())
	require.NoError(t, err)
	id := created.GetMeditation().GetId()
	h.ended(h.start(0, time.Minute), uid, uuid.MustParse(id))

	t.Log("a title is judged as that of a new one")
	for _, bad := range []struct {
		title string
		want  error
	}{{" ", title.ErrRequired}, {"two\nlines", title.ErrInvalid}, {"I want to kill myself", title.ErrNeedsCare}} {
		_, err := c.RenameMeditation(ctx, &generationv1.RenameMeditationRequest{Id: id, Title: bad.title})
		require.ErrorIs(t, err, bad.want)
	}
	renamed, err := c.RenameMeditation(ctx, &generationv1.RenameMeditationRequest{Id: id, Title: "  The night before everything "})
	require.NoError(t, err)
	require.Equal(t, "The night before everything", renamed.GetMeditation().GetTitle())
	found, err := c.GetMeditation(ctx, &generationv1.GetMeditationRequest{Id: id})
	require.NoError(t, err)
	require.Empty(t, found.GetMeditation().GetTomorrowTitle(), "whether it may be spoken is in doubt")

	t.Log("marking, and what is answered of it")
	require.Nil(t, renamed.GetMeditation().GetDeletesAt())
	marked, err := c.MarkMeditationDeleted(ctx, &generationv1.MarkMeditationDeletedRequest{Id: id})
	require.NoError(t, err)
	require.WithinDuration(t, time.Now().Add(meditation.KeptFor), marked.GetMeditation().GetDeletesAt().AsTime(), time.Minute)
	require.Equal(t, generationv1.Stage_STAGE_READY, marked.GetMeditation().GetStage())
	_, err = c.MarkMeditationDeleted(ctx, &generationv1.MarkMeditationDeletedRequest{Id: id})
	require.ErrorIs(t, err, meditation.ErrMarked)
	for filter, want := range map[generationv1.MeditationFilter]int{
		generationv1.MeditationFilter_MEDITATION_FILTER_UNSPECIFIED: 0, generationv1.MeditationFilter_MEDITATION_FILTER_ACTIVE: 0,
		generationv1.MeditationFilter_MEDITATION_FILTER_DELETED: 1, generationv1.MeditationFilter_MEDITATION_FILTER_ALL: 1,
	} {
		list, err := c.ListMeditations(ctx, &generationv1.ListMeditationsRequest{Filter: filter})
		require.NoError(t, err)
		require.Len(t, list.GetMeditations(), want, filter)
	}
	_, err = c.ListMeditations(ctx, &generationv1.ListMeditationsRequest{Filter: 9})
	require.Equal(t, errs.Invalid, errs.KindOf(err))
	count, err := c.CountMeditations(ctx, &generationv1.CountMeditationsRequest{})
	require.NoError(t, err)
	require.Equal(t, []int32{0, 1}, []int32{count.GetTotal(), count.GetDeleted()})
	sounds := url + "/v1/meditations/" + id
	require.Equal(t, http.StatusOK, hear(t, "gateway", uid.String(), sounds+"/audio", nil).StatusCode)

	t.Log("another member's, and what is none, does not exist")
	for _, none := range []string{"nothing", "", "../../etc/passwd", uuid.NewString()} {
		_, err := c.MarkMeditationDeleted(ctx, &generationv1.MarkMeditationDeletedRequest{Id: none})
		require.ErrorIs(t, err, meditation.ErrNotFound)
	}
	foreign := auth.WithMember(t.Context(), other.String())
	_, err = c.RecoverMeditation(foreign, &generationv1.RecoverMeditationRequest{Id: id})
	require.ErrorIs(t, err, meditation.ErrNotFound)
	_, err = c.RenameMeditation(foreign, &generationv1.RenameMeditationRequest{Id: id, Title: "Mine"})
	require.ErrorIs(t, err, meditation.ErrNotFound)
	_, err = client(t, "content", url).RecoverMeditation(ctx, &generationv1.RecoverMeditationRequest{Id: id})
	require.ErrorIs(t, err, auth.ErrForbidden)
	_, err = c.RecoverMeditation(auth.WithSubject(t.Context(), auth.Subject{UID: uid.String(), Actor: "reports"}), &generationv1.RecoverMeditationRequest{Id: id})
	require.ErrorIs(t, err, auth.ErrForbidden, "who reads in a member's stead changes nothing")

	recovered, err := c.RecoverMeditation(ctx, &generationv1.RecoverMeditationRequest{Id: id})
	require.NoError(t, err)
	require.Nil(t, recovered.GetMeditation().GetDeletesAt())
	_, err = c.RecoverMeditation(ctx, &generationv1.RecoverMeditationRequest{Id: id})
	require.ErrorIs(t, err, meditation.ErrNotMarked)

	t.Log("after its time nothing of it is read or heard")
	h.exec(`UPDATE meditations SET deletes_at = now() - interval '1 second' WHERE id = $1`, id)
	require.Eventually(t, func() bool {
		return hear(t, "gateway", uid.String(), sounds+"/audio", nil).StatusCode == http.StatusNotFound
	}, waitFor, 50*time.Millisecond, "the sweep of the running service")
	require.Equal(t, http.StatusNotFound, hear(t, "gateway", uid.String(), sounds+"/segments/0", nil).StatusCode)
	gone, err := c.GetMeditation(ctx, &generationv1.GetMeditationRequest{Id: id, WithScript: true})
	require.NoError(t, err)
	require.Equal(t, generationv1.Stage_STAGE_DELETED, gone.GetMeditation().GetStage())
	require.Equal(t, "The night before everything", gone.GetMeditation().GetTitle())
	require.Empty(t, gone.GetSegments())
	require.Empty(t, gone.GetScript().GetParagraphs())
}
