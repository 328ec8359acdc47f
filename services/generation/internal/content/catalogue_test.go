package content

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	"serein.app/services/testkit"
)

var errAway = errors.New("away")

// fakeContent counts the questions, and can be away or hang.
type fakeContent struct {
	asked       atomic.Int32
	away, hangs atomic.Bool
}

func (c *fakeContent) GetCatalogue(ctx context.Context, _ *contentv1.GetCatalogueRequest) (*contentv1.GetCatalogueResponse, error) {
	c.asked.Add(1)
	if c.hangs.Load() {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	if c.away.Load() {
		return nil, errAway
	}
	return &contentv1.GetCatalogueResponse{
		Types:     []*contentv1.MeditationType{{Id: "anger", Affirmations: []string{"a", "b", "c"}, Narrator: &contentv1.Narrator{Id: "tomas"}}},
		Practices: []*contentv1.PracticeType{{Id: "zen"}},
		Sizes:     []*contentv1.MeditationSize{{Id: "reset", MinWords: 550, MaxWords: 600, Breaks: 19, PauseSeconds: 70, ExpectedSeconds: 350}},
		Tracks:    []*contentv1.AmbientTrack{{Id: "warm"}},
	}, nil
}

func TestTheCatalogueIsAskedForOnceAMinute(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		content := &fakeContent{}
		c := New(content, time.Now, testkit.Logger(t))
		var asking sync.WaitGroup
		for range 20 {
			asking.Go(func() {
				offer, err := c.Catalogue(t.Context())
				require.NoError(t, err)
				require.Equal(t, "tomas", offer.Types["anger"].NarratorID)
			})
		}
		asking.Wait()
		require.EqualValues(t, 1, content.asked.Load())
		<-time.After(life)
		offer, err := c.Catalogue(t.Context())
		require.NoError(t, err)
		require.Equal(t, 70*time.Second, offer.Sizes["reset"].Pause)
		require.True(t, offer.Practices["zen"] && offer.Tracks["warm"])
		synctest.Wait()
		require.EqualValues(t, 2, content.asked.Load())
	})
}

func TestTheLastGoodCatalogueServesWhileContentIsAway(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		content := &fakeContent{}
		c := New(content, time.Now, testkit.Logger(t))
		_, err := c.Catalogue(t.Context())
		require.NoError(t, err)
		content.away.Store(true)
		<-time.After(time.Hour)
		for range 10 {
			offer, err := c.Catalogue(t.Context())
			require.NoError(t, err)
			require.Contains(t, offer.Types, "anger")
			synctest.Wait()
		}
		require.EqualValues(t, 2, content.asked.Load(), "not every request asks again")
	})
}

// While content hangs and no catalogue is cached, concurrent callers wait for the same single request. Callers who come
// directly after its failure do not wait again.
func TestCallersWithoutACatalogueWaitForOneRequestAtMost(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		content := &fakeContent{}
		content.hangs.Store(true)
		c := New(content, time.Now, testkit.Logger(t))
		began := time.Now()
		var asking sync.WaitGroup
		for range 50 {
			asking.Go(func() {
				_, err := c.Catalogue(t.Context())
				require.ErrorIs(t, err, context.DeadlineExceeded)
			})
		}
		asking.Wait()
		require.Equal(t, askTime, time.Since(began))
		_, err := c.Catalogue(t.Context())
		require.Error(t, err)
		require.Equal(t, askTime, time.Since(began), "the failure is remembered")
		require.EqualValues(t, 1, content.asked.Load())
		content.hangs.Store(false)
		<-time.After(pause)
		_, err = c.Catalogue(t.Context())
		require.NoError(t, err)
	})
}

func TestWhoLeavesDoesNotWaitForTheCatalogue(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		content := &fakeContent{}
		content.hangs.Store(true)
		ctx, leave := context.WithCancel(t.Context())
		leave()
		_, err := New(content, time.Now, testkit.Logger(t)).Catalogue(ctx)
		require.ErrorIs(t, err, context.Canceled)
		<-time.After(askTime)
	})
}

func TestWithoutAnyCatalogueTheRefusalIsContents(t *testing.T) {
	t.Parallel()
	content := &fakeContent{}
	content.away.Store(true)
	_, err := New(content, time.Now, testkit.Logger(t)).Catalogue(t.Context())
	require.ErrorIs(t, err, errAway)
}
