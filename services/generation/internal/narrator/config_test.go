package narrator_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/services/generation/internal/narrator"
	"serein.app/services/generation/internal/narrator/elevenlabs"
	"serein.app/services/generation/internal/narrator/limits"
	"serein.app/services/generation/internal/narrator/narratortest"
	"serein.app/services/generation/internal/narrator/openai"
	"serein.app/services/generation/internal/narrator/polly"
)

func whole() narrator.Config {
	return narrator.Config{
		File: "narrators.yaml", CallTime: 8 * time.Second, BudgetDay: 20, BudgetMember: 0.5,
		OpenAI:     openai.Config{URL: "https://api.openai.com/v1", Key: narratortest.Key, Model: "tts-1", Format: "pcm", Calls: 4, Price: 15},
		ElevenLabs: elevenlabs.Config{URL: "https://api.elevenlabs.io", Key: narratortest.Key, Model: "m", Calls: 2, Price: 200},
		Polly:      polly.Config{KeyID: "AKIA", KeySecret: narratortest.Key, Region: "eu-west-2", Engine: "neural", Calls: 4, Price: 16},
	}
}

func TestOutsideNarratorsAreOffByDefault(t *testing.T) {
	t.Parallel()
	off := narrator.Config{CallTime: 8 * time.Second, ElevenLabs: elevenlabs.Config{URL: "https://api.elevenlabs.io"}}
	require.NoError(t, off.Validate())
	synthesisers, file, err := off.Open(limits.Ports{})
	require.NoError(t, err)
	require.Empty(t, synthesisers)
	require.Empty(t, file)
}

func TestWrongSettingsAreNamed(t *testing.T) {
	t.Parallel()
	require.NoError(t, whole().Validate())
	for want, change := range map[string]func(*narrator.Config){
		"NARRATORS_FILE: a vendor is set up":                 func(c *narrator.Config) { c.File = "" },
		"NARRATORS_FILE: no vendor is set up":                func(c *narrator.Config) { *c = narrator.Config{File: "x", CallTime: time.Second} },
		"SPEECH_TIME":                                        func(c *narrator.Config) { c.CallTime = time.Hour },
		"SPEECH_BUDGET_DAY":                                  func(c *narrator.Config) { c.BudgetDay = 0 },
		"SPEECH_BUDGET_MEMBER":                               func(c *narrator.Config) { c.BudgetMember = -1 },
		"OPENAI_SPEECH_URL: \"http://speech\" must be https": func(c *narrator.Config) { c.OpenAI.URL = "http://speech" },
		"OPENAI_SPEECH_URL: want http:// or":                 func(c *narrator.Config) { c.OpenAI.URL, c.OpenAI.Key = "speech/v1", "" },
		"OPENAI_SPEECH_RECIPIENT":                            func(c *narrator.Config) { c.OpenAI.URL = "https://speech.example/v1" },
		"OPENAI_SPEECH_MODEL":                                func(c *narrator.Config) { c.OpenAI.Model = "" },
		"OPENAI_SPEECH_FORMAT":                               func(c *narrator.Config) { c.OpenAI.Format = "mp3" },
		"OPENAI_SPEECH_CALLS":                                func(c *narrator.Config) { c.OpenAI.Calls = 0 },
		"OPENAI_SPEECH_PRICE":                                func(c *narrator.Config) { c.OpenAI.Price = -1 },
		"ELEVENLABS_PRICE":                                   func(c *narrator.Config) { c.ElevenLabs.Price = 0 },
		"ELEVENLABS_URL":                                     func(c *narrator.Config) { c.ElevenLabs.URL = "api" },
		"ELEVENLABS_MODEL":                                   func(c *narrator.Config) { c.ElevenLabs.Model = "" },
		"POLLY_KEY_ID and POLLY_KEY_SECRET":                  func(c *narrator.Config) { c.Polly.KeySecret = "" },
		"POLLY_ENGINE: want one of [standard":                func(c *narrator.Config) { c.Polly.Engine = "best" },
		"POLLY_REGION":                                       func(c *narrator.Config) { c.Polly.Region = "" },
		"POLLY_PRICE":                                        func(c *narrator.Config) { c.Polly.Price = 0 },
		"POLLY_ENDPOINT":                                     func(c *narrator.Config) { c.Polly.Endpoint = "polly" },
	} {
		c := whole()
		change(&c)
		require.ErrorContains(t, c.Validate(), want)
	}
	c := whole()
	for _, printed := range []string{fmt.Sprint(c), fmt.Sprintf("%+v %#v", c, c)} {
		require.NotContains(t, printed, narratortest.Key)
	}
}

func TestAServerOfYourOwnNeedsNoKeyAndNoBudget(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "narrators.yaml")
	c := narrator.Config{
		File: file, CallTime: time.Second,
		OpenAI: openai.Config{URL: "http://narrator:8880/v1", Model: "kokoro", Format: "wav", Calls: 4},
	}
	require.NoError(t, c.Validate())
	_, _, err := c.Open(limits.Ports{})
	require.ErrorContains(t, err, "NARRATORS_FILE")
	require.NoError(t, os.WriteFile(file, []byte("narrators: []"), 0o600))
	synthesisers, read, err := c.Open(limits.Ports{})
	require.NoError(t, err)
	require.Equal(t, "narrators: []", string(read))
	require.Len(t, synthesisers, 1)
	require.True(t, synthesisers["openai"].HasVoice("af_bella"))
}
