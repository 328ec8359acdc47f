package narrator_test

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/services/generation/internal/budget"
	"serein.app/services/generation/internal/narration"
	"serein.app/services/generation/internal/narrator/elevenlabs"
	"serein.app/services/generation/internal/narrator/limits"
	"serein.app/services/generation/internal/narrator/narratortest"
	"serein.app/services/generation/internal/narrator/openai"
	"serein.app/services/generation/internal/narrator/polly"
	"serein.app/services/platform/config"
	"serein.app/services/testkit"
)

// kind of vendor, with a voice that it has.
type kind struct {
	vendor narratortest.Vendor
	voice  string
	open   func(url string, key config.Secret) limits.Vendor
}

var kinds = map[string]kind{
	"openai": {narratortest.OpenAI, "alloy", func(url string, key config.Secret) limits.Vendor {
		return openai.New(openai.Config{URL: url + "/v1/", Key: key, Model: "tts-1", Format: "pcm", Calls: 2})
	}},
	"openai wav": {narratortest.OpenAI, "af_bella(2)+af_sky(1)", func(url string, key config.Secret) limits.Vendor {
		return openai.New(openai.Config{URL: url + "/v1", Key: key, Model: "kokoro", Format: "wav", Calls: 2})
	}},
	"elevenlabs": {narratortest.ElevenLabs, "JBFqnCBsd6RMkjVDRZzb", func(url string, key config.Secret) limits.Vendor {
		return elevenlabs.New(elevenlabs.Config{URL: url, Key: key, Model: "eleven_multilingual_v2", Neighbours: true, Calls: 2})
	}},
	"polly": {narratortest.Polly, "Amy", func(url string, key config.Secret) limits.Vendor {
		id := "AKIATEST"
		if key != narratortest.Key {
			id = "AKIAOTHER"
		}
		return polly.New(polly.Config{Endpoint: url, KeyID: id, KeySecret: key, Region: "eu-west-2", Engine: "neural", Calls: 2})
	}},
}

// ledger is a budget and the metrics. It has room until it is full.
type ledger struct {
	mu       sync.Mutex
	spent    budget.Cost
	outcomes map[string]int
	full     bool
}

func (l *ledger) Room(context.Context, budget.Cost) error {
	if l.full {
		return budget.ErrOver
	}
	return nil
}

func (l *ledger) Spend(_ context.Context, c budget.Cost) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.spent += c
	return nil
}

func (l *ledger) OutsideCall(_ context.Context, _, outcome string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.outcomes == nil {
		l.outcomes = map[string]int{}
	}
	l.outcomes[outcome]++
}

func (*ledger) OutsideCost(context.Context, string, float64) {}

// start sets a vendor up. A character costs 15 millionths.
func (k kind) start(t *testing.T, key config.Secret, callTime time.Duration, faults ...narratortest.Fault) (*limits.Synthesiser, *narratortest.Server, *ledger) {
	t.Helper()
	server, books := narratortest.Serve(t, k.vendor, faults...), &ledger{}
	cfg := limits.Config{Vendor: "v", Calls: 2, CallTime: callTime, Price: 15}
	return limits.New(k.open(server.URL, key), cfg, limits.Ports{Budget: books, Metrics: books, Log: testkit.Logger(t)}), server, books
}

const text = "Let your shoulders soften, and allow your hands to rest."

func (k kind) says() narration.Utterance {
	return narration.Utterance{Text: text, Voice: k.voice, Stretch: 1.1, Pace: 150}
}

func each(t *testing.T, test func(t *testing.T, k kind)) {
	t.Helper()
	for name, k := range kinds {
		t.Run(name, func(t *testing.T) { t.Parallel(); test(t, k) })
	}
}

func failure(t *testing.T, err error) *limits.Error {
	t.Helper()
	failed, ok := errors.AsType[*limits.Error](err)
	require.True(t, ok, "%v", err)
	require.NotContains(t, err.Error(), "shoulders", "no text in an error")
	require.NotContains(t, err.Error(), "127.0.0.1", "no address in an error")
	require.NotContains(t, err.Error(), narratortest.Key)
	return failed
}

func TestAVendorSpeaksAndCosts(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, k kind) {
		t.Helper()
		s, server, books := k.start(t, narratortest.Key, time.Minute)
		require.True(t, s.HasVoice(k.voice))
		require.False(t, s.HasVoice("../"+k.voice))
		require.NoError(t, s.Check(k.says()))
		speech, err := s.Speak(t.Context(), k.says())
		require.NoError(t, err)
		require.InDelta(t, 3.9, float64(len(speech.Samples))/float64(speech.Rate), 0.5, "seconds")
		require.Len(t, server.Requests(), 1)
		require.EqualValues(t, 15*len(text), books.spent)
		require.Equal(t, map[string]int{"said": 1}, books.outcomes)

		nothing, err := s.Speak(t.Context(), narration.Utterance{Text: "… —", Voice: k.voice})
		require.NoError(t, err)
		require.Empty(t, nothing.Samples)
		require.Len(t, server.Requests(), 1, "nothing to say")
	})
}

// Each wrong answer is paid for, since nobody knows; a refusal is not.
func TestAWrongAnswerIsAskedForAgainAndNeverUsed(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, k kind) {
		t.Helper()
		for name, fault := range narratortest.Faults {
			if name == "somewhere else" {
				continue
			}
			s, server, books := k.start(t, narratortest.Key, time.Minute, fault)
			_, err := s.Speak(t.Context(), k.says())
			require.NoError(t, err, name)
			require.Equal(t, map[string]int{"broken": 1, "said": 1}, books.outcomes, name)
			require.Equal(t, 2, len(server.Requests()), name) //nolint:testifylint // Len would print the requests
			calls := budget.Cost(2)
			if name == "a server's fault" {
				calls = 1
			}
			require.Equal(t, calls*15*budget.Cost(len(text)), books.spent, name)

			server.Always(fault)
			speech, err := s.Speak(t.Context(), k.says())
			require.Equal(t, limits.Broken, failure(t, err).Kind, name)
			require.Empty(t, speech.Samples, name)
			require.Len(t, server.Requests(), 5, "%s: three tries", name)
		}
	})
}

func TestWhatAVendorRefusesIsNotAskedAgain(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, k kind) {
		t.Helper()
		stranger, _, _ := k.start(t, "another-key-of-32-characters-or-so", time.Minute)
		require.Equal(t, limits.Refused, failure(t, said(t, stranger, k)).Kind)
		for _, refusal := range []narratortest.Fault{
			narratortest.Status(http.StatusBadRequest, ""), narratortest.Status(http.StatusPaymentRequired, ""), narratortest.Faults["somewhere else"],
		} {
			s, server, books := k.start(t, narratortest.Key, time.Minute, refusal)
			require.Equal(t, limits.Refused, failure(t, said(t, s, k)).Kind)
			require.Len(t, server.Requests(), 1)
			require.Zero(t, books.spent)
		}
	})
}

func said(t *testing.T, s *limits.Synthesiser, k kind) error {
	t.Helper()
	_, err := s.Speak(t.Context(), k.says())
	return err
}

func TestAVendorWithoutRoomIsLeftAloneForAsLongAsItAsks(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, k kind) {
		t.Helper()
		s, server, books := k.start(t, narratortest.Key, time.Minute, narratortest.Status(http.StatusTooManyRequests, "1"))
		began := time.Now()
		require.NoError(t, said(t, s, k))
		require.GreaterOrEqual(t, time.Since(began), time.Second)
		require.Equal(t, map[string]int{"overloaded": 1, "said": 1}, books.outcomes)

		server.Always(narratortest.Status(http.StatusServiceUnavailable, "3600"))
		failed := failure(t, said(t, s, k))
		require.Equal(t, limits.Overloaded, failed.Kind)
		require.Equal(t, time.Hour, failed.RetryAfter)
		require.Len(t, server.Requests(), 3, "an hour is too long, so it is not asked again")
	})
}

func TestAVendorThatDoesNotAnswerIsGivenUpInTime(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, k kind) {
		t.Helper()
		s, server, books := k.start(t, narratortest.Key, 50*time.Millisecond)
		server.Always(narratortest.Slow)
		require.Equal(t, limits.Broken, failure(t, said(t, s, k)).Kind)
		require.Positive(t, books.spent, "nobody knows whether it charges")

		cancelled, cancel := context.WithCancel(t.Context())
		cancel()
		_, err := s.Speak(cancelled, k.says())
		require.ErrorIs(t, err, context.Canceled)
		server.Close()
		require.Equal(t, limits.Broken, failure(t, said(t, s, k)).Kind, "nobody is there")
	})
}

func TestNoMoreCallsRunAtOnceThanTheSettingsSay(t *testing.T) {
	t.Parallel()
	k := kinds["openai"]
	s, server, _ := k.start(t, narratortest.Key, time.Minute)
	var mu sync.Mutex
	running, most := 0, 0
	arrived, gate := make(chan struct{}, 6), make(chan struct{})
	server.Always(func(w http.ResponseWriter, _ *http.Request, media string, good []byte) {
		mu.Lock()
		running++
		most = max(most, running)
		mu.Unlock()
		arrived <- struct{}{}
		<-gate
		mu.Lock()
		running--
		mu.Unlock()
		w.Header().Set("Content-Type", media)
		_, _ = w.Write(good)
	})
	var all sync.WaitGroup
	for range 6 {
		all.Go(func() {
			if err := said(t, s, k); err != nil {
				t.Error(err)
			}
		})
	}
	for range 2 { // the others wait until one of these has ended
		<-arrived
	}
	for range 6 {
		gate <- struct{}{}
	}
	all.Wait()
	require.Equal(t, 2, most)
}

func TestARecordingWithoutRoomInTheBudgetDoesNotBegin(t *testing.T) {
	t.Parallel()
	k := kinds["elevenlabs"]
	s, server, books := k.start(t, narratortest.Key, time.Minute)
	require.NoError(t, s.Admit(t.Context(), 5000))
	books.full = true
	err := s.Admit(t.Context(), 5000)
	require.Equal(t, limits.OverBudget, failure(t, err).Kind)
	require.ErrorIs(t, err, budget.ErrOver)
	require.NoError(t, said(t, s, k), "one that has begun is finished")
	require.Len(t, server.Requests(), 1)
	require.Equal(t, map[string]int{"over_budget": 1, "said": 1}, books.outcomes)
}

func TestElevenLabsIsSentTheNeighboursOfATextThatIsNotKept(t *testing.T) {
	t.Parallel()
	k := kinds["elevenlabs"]
	s, server, _ := k.start(t, narratortest.Key, time.Minute)
	u := k.says()
	u.Before, u.After = "Welcome, Amara.", "And out."
	_, err := s.Speak(t.Context(), u)
	require.NoError(t, err)
	sent := server.Requests()[0].Body
	require.Equal(t, []any{"Welcome, Amara.", "And out.", text}, []any{sent["previous_text"], sent["next_text"], sent["text"]})
	require.NoError(t, said(t, s, k))
	require.NotContains(t, server.Requests()[1].Body, "previous_text")
}

func TestPollyReadsATextWithSignsAsItIs(t *testing.T) {
	t.Parallel()
	k := kinds["polly"]
	s, server, _ := k.start(t, narratortest.Key, time.Minute)
	u := k.says()
	u.Text = `Rest & breathe, <break time="9s"/> and let go of the day that was.`
	_, err := s.Speak(t.Context(), u)
	require.NoError(t, err)
	require.Equal(t, "ssml", server.Requests()[0].Body["TextType"])
	require.Equal(t, `<speak><prosody rate="91%">Rest &amp; breathe, &lt;break time=&#34;9s&#34;/&gt; and let go of the day that was.</prosody></speak>`, server.Requests()[0].Body["Text"])
	u.Stretch = 1
	_, err = s.Speak(t.Context(), u)
	require.NoError(t, err)
	require.Equal(t, "text", server.Requests()[1].Body["TextType"])
	require.Equal(t, u.Text, server.Requests()[1].Body["Text"])
}

func TestAPollyThatThrottlesWithItsOwnStatusIsOverloaded(t *testing.T) {
	t.Parallel()
	k := kinds["polly"]
	s, server, books := k.start(t, narratortest.Key, time.Minute, func(w http.ResponseWriter, _ *http.Request, _ string, _ []byte) {
		w.Header().Set("X-Amzn-Errortype", "ThrottlingException:http://internal.amazon.com/coral/")
		w.Header().Set("Content-Type", "application/x-amz-json-1.1")
		w.WriteHeader(http.StatusBadRequest)
		_, _ = w.Write([]byte(`{"message":"Rate exceeded"}`))
	})
	require.NoError(t, said(t, s, k))
	require.Len(t, server.Requests(), 2)
	require.Equal(t, map[string]int{"overloaded": 1, "said": 1}, books.outcomes)
}

// All that changes the sound changes the recipe, by which a sentence is kept.
func TestEverySettingThatIsHeardIsInTheRecipe(t *testing.T) {
	t.Parallel()
	u := narration.Utterance{Text: text, Voice: "a", Stretch: 1}
	first := openai.Config{URL: "http://a", Model: "m", Format: "pcm"}
	seen := map[[32]byte]string{}
	note := func(what string, recipe [32]byte) {
		require.NotContains(t, seen, recipe, what)
		seen[recipe] = what
	}
	note("first", openai.New(first).Recipe(u))
	for what, change := range map[string]func(*openai.Config){
		"server": func(c *openai.Config) { c.URL = "http://b" }, "model": func(c *openai.Config) { c.Model = "n" },
		"format": func(c *openai.Config) { c.Format = "wav" }, "instructions": func(c *openai.Config) { c.Instructions = "Calmly." },
	} {
		c := first
		change(&c)
		note(what, openai.New(c).Recipe(u))
	}
	for what, change := range map[string]func(*narration.Utterance){
		"text": func(u *narration.Utterance) { u.Text = "Rest." }, "voice": func(u *narration.Utterance) { u.Voice = "b" },
		"stretch": func(u *narration.Utterance) { u.Stretch = 1.2 },
	} {
		c := u
		change(&c)
		note(what, openai.New(first).Recipe(c))
	}
	note("elevenlabs", elevenlabs.New(elevenlabs.Config{Model: "m"}).Recipe(u))
	note("elevenlabs' model", elevenlabs.New(elevenlabs.Config{Model: "n"}).Recipe(u))
	note("polly", polly.New(polly.Config{Engine: "neural", Region: "eu-west-2"}).Recipe(u))
	note("polly's engine", polly.New(polly.Config{Engine: "standard", Region: "eu-west-2"}).Recipe(u))
	require.Len(t, seen, 12)
}
