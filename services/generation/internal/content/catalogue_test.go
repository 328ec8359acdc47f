package content

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	"serein.app/services/testkit"
)

// editor stands for the content service: it counts the questions and can be away.
type editor struct {
	mu    sync.Mutex
	asked int
	away  bool
	now   time.Time
}

func (e *editor) GetCatalogue(context.Context, *contentv1.GetCatalogueRequest) (*contentv1.GetCatalogueResponse, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.asked++
	if e.away {
		return nil, errors.New("away")
	}
	return &contentv1.GetCatalogueResponse{
		Types:     []*contentv1.MeditationType{{Id: "anger", Affirmations: []string{"a", "b", "c"}, Narrator: &contentv1.Narrator{Id: "tomas"}}},
		Practices: []*contentv1.PracticeType{{Id: "zen"}},
		Sizes:     []*contentv1.MeditationSize{{Id: "reset", MinWords: 550, MaxWords: 600, Breaks: 19, PauseSeconds: 70, ExpectedSeconds: 350}},
		Tracks:    []*contentv1.AmbientTrack{{Id: "warm"}},
	}, nil
}

func (e *editor) clock() time.Time {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.now
}

func (e *editor) set(away bool, pass time.Duration) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.away, e.now = away, e.now.Add(pass)
}

func (e *editor) questions() int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.asked
}

func TestTheCatalogueIsAskedOnceAMinute(t *testing.T) {
	t.Parallel()
	e := &editor{now: time.Now()}
	c := New(e, e.clock, testkit.Logger(t))
	var asking sync.WaitGroup
	for range 20 {
		asking.Go(func() {
			offer, err := c.Catalogue(context.Background())
			require.NoError(t, err)
			require.Equal(t, "tomas", offer.Types["anger"].NarratorID)
		})
	}
	asking.Wait()
	require.Equal(t, 1, e.questions())
	offer, err := c.Catalogue(t.Context())
	require.NoError(t, err)
	require.Equal(t, 70*time.Second, offer.Sizes["reset"].Pause)
	require.True(t, offer.Practices["zen"] && offer.Tracks["warm"])
	e.set(false, time.Minute)
	_, err = c.Catalogue(t.Context())
	require.NoError(t, err)
	require.Equal(t, 2, e.questions())
}

func TestTheLastGoodCopyServesWhileContentIsAway(t *testing.T) {
	t.Parallel()
	e := &editor{now: time.Now()}
	c := New(e, e.clock, testkit.Logger(t))
	_, err := c.Catalogue(t.Context())
	require.NoError(t, err)
	e.set(true, time.Hour)
	for range 10 {
		offer, err := c.Catalogue(t.Context())
		require.NoError(t, err)
		require.Contains(t, offer.Types, "anger")
	}
	require.Equal(t, 2, e.questions(), "not every press asks again")
	e.set(false, retryAfter)
	_, err = c.Catalogue(t.Context())
	require.NoError(t, err)
	require.Equal(t, 3, e.questions())
}

func TestWithoutAnyCopyTheRefusalIsContents(t *testing.T) {
	t.Parallel()
	e := &editor{now: time.Now(), away: true}
	_, err := New(e, e.clock, testkit.Logger(t)).Catalogue(t.Context())
	require.ErrorContains(t, err, "away")
}
